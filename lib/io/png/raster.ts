/** A picture, pixel by pixel. */
export interface Raster {
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row from the top. */
  pixels: Uint8Array;
}

/** A family of fonts that comes with the program. */
export interface Fonts {
  family: string;
  /** TrueType files: where they are, and what is in them. */
  files: readonly { url: URL; bytes: Uint8Array }[];
}

/** Draws SVG. `isForeign` says that its text has characters which the fonts lack. */
export type Render = (svg: string, isForeign: boolean) => Promise<Raster>;
