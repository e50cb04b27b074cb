/** A pattern that can't be matched, in words: it takes too long, or more than the engine can do. */
export class PatternError extends Error {
  override readonly name = "PatternError";
}

/**
 * Returns the part of a text that a pattern matches first, or the first group of it.
 *
 * @throws {PatternError} If the pattern can't be matched.
 */
export type Matcher = (source: string, flags: string, text: string) => string | undefined;

/** Milliseconds that the patterns of one attempt may take together: a text of 1 MiB takes under 10. */
const LIMIT = 500;

/** Creates the matcher of one attempt. Patterns can run for years, and only the engine itself can be interrupted. */
export async function createMatcher(part: "whole" | "group" = "whole"): Promise<Matcher> {
  const { createContext, Script } = await import("node:vm");
  const found = "new RegExp(source, flags).exec(text)";
  const script = new Script(
    part === "whole" ? `${found}?.[0]` : `((m) => m?.[1] ?? m?.[0])(${found})`,
  );
  const context = createContext(Object.create(null));
  let left = LIMIT;
  return (source, flags, text) => {
    if (left < 1) {
      throw new PatternError(`not tried, other patterns took the ${LIMIT} ms that there are`);
    }
    Object.assign(context, { source, flags, text });
    const start = performance.now();
    try {
      return script.runInContext(context, { timeout: Math.ceil(left) });
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        throw new PatternError(`the pattern took over ${LIMIT} ms: make it simpler`);
      }
      if (name !== "SyntaxError" && name !== "RangeError") throw error;
      throw new PatternError("the pattern is more than can be matched");
    } finally {
      left -= performance.now() - start;
    }
  };
}
