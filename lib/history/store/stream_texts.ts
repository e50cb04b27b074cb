/** Texts at hand as a snapshot streams them; paths without one are missing. */
export async function* streamTexts(
  texts: ReadonlyMap<string, string>,
  paths: readonly string[],
): AsyncGenerator<readonly [path: string, content: Uint8Array]> {
  const encoder = new TextEncoder();
  for (const path of paths) {
    const text = texts.get(path);
    if (text !== undefined) yield [path, encoder.encode(text)];
  }
}
