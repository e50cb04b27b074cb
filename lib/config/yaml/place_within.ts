/** A scalar of the parser, as far as places in it are concerned. */
interface WrittenScalar {
  range?: readonly [start: number, end: number, after: number] | null;
  type?: string | null;
}

/** What one character of a text may be written as, by how the text is quoted. */
const WRITTEN: Readonly<Record<string, RegExp>> = {
  PLAIN: /[^]/y,
  QUOTE_SINGLE: /''|[^]/y,
  QUOTE_DOUBLE: /\\(?:x[^]{2}|u[^]{4}|U[^]{8}|[^])|[^]/y,
};

/**
 * Where in a file the character is that stands `offset` characters (UTF-16 units) into the text of a
 * scalar. `undefined` where the text goes over several lines, in which white space is not as written:
 * there the start of the scalar is told.
 */
export function placeWithin(node: unknown, file: string, offset: number): number | undefined {
  const { range, type } = (node ?? {}) as WrittenScalar;
  const pattern = type && Object.hasOwn(WRITTEN, type) ? WRITTEN[type] : undefined;
  if (!range || pattern === undefined) return undefined;
  const [start, end] = range;
  const quote = type === "PLAIN" ? 0 : 1;
  const source = file.slice(start + quote, end - quote);
  if (source.includes("\n")) return start;
  let read = 0;
  pattern.lastIndex = 0;
  while (read < offset && pattern.lastIndex < source.length) {
    const [character] = pattern.exec(source)!;
    read += character.startsWith("\\U") && Number(`0x${character.slice(2)}`) > 0xffff ? 2 : 1;
  }
  return start + quote + pattern.lastIndex;
}
