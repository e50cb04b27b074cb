import type { Means } from "./evaluate.ts";

/** Matches the patterns of one look. The engine is loaded only where there is one. */
export async function matcher(): Promise<Means["match"]> {
  const { Patterns } = await import("./patterns.ts");
  const patterns = new Patterns();
  return (source, flags, text) => patterns.match(source, flags, text);
}
