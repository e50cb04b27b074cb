import { type Font, parseFont } from "../../lib/text/font/font.ts";
import regular from "../fonts/inter-regular.ttf" with { type: "bytes" };
import semibold from "../fonts/inter-semibold.ttf" with { type: "bytes" };

/** Name of the family that both fonts belong to. */
export const FAMILY = "Inter";

/** Weights that graphs are written in, with what is known of their fonts. */
export const WEIGHTS: Readonly<Record<"regular" | "semibold", { weight: number; font: Font }>> = {
  regular: { weight: 400, font: parseFont(regular) },
  semibold: { weight: 600, font: parseFont(semibold) },
};

/** The font files, for what makes pictures of graphs. */
export const GRAPH_FONTS = {
  family: FAMILY,
  files: [
    { url: new URL("../fonts/inter-regular.ttf", import.meta.url), bytes: regular },
    { url: new URL("../fonts/inter-semibold.ttf", import.meta.url), bytes: semibold },
  ],
};
