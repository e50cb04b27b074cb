import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";
import { indexColours } from "./palette.ts";
import type { Raster } from "./raster.ts";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const BITS = 8;
const BY_PALETTE = 3;

/** Of compression: the highest takes five times as long for 4 % less. */
const LEVEL = 6;

const compress = promisify(deflate) as (
  bytes: Uint8Array,
  options: { level: number },
) => Promise<Uint8Array>;

/** A PNG with a palette (www.w3.org/TR/png), of nothing but what a picture needs: no time, no text. */
export async function encodePng({ width, height, pixels }: Raster): Promise<Uint8Array> {
  const { palette, indices } = indexColours(pixels);
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, BITS);
  header.setUint8(9, BY_PALETTE);
  const colours = palette.flatMap((colour) => [colour >> 16, colour >> 8 & 255, colour & 255]);
  // Each row begins with the number of its filter: none, which suits palettes best.
  const rows = new Uint8Array(height * (width + 1));
  for (let row = 0; row < height; row++) {
    rows.set(indices.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return join([
    new Uint8Array(SIGNATURE),
    chunk("IHDR", new Uint8Array(header.buffer)),
    chunk("PLTE", new Uint8Array(colours)),
    chunk("IDAT", await compress(rows, { level: LEVEL })),
    chunk("IEND", new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
