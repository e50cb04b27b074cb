import { type Context, createContext, Script } from "node:vm";
import { PatternError } from "./evaluate.ts";

/** Milliseconds that the patterns of one look may take together: a text of 1 MiB takes under 10. */
const LIMIT = 500;

const SCRIPT = new Script("new RegExp(source, flags).exec(text)?.[0]");

/**
 * Matches the patterns of one look. There are patterns, and texts for them, that would keep the machine
 * busy for years; only the engine itself can be interrupted in the midst of one.
 */
export class Patterns {
  readonly #context: Context = createContext(Object.create(null));
  #left = LIMIT;

  /**
   * The part of a text that a pattern matches first.
   *
   * @throws {PatternError} Where it can't be told in time.
   */
  match(source: string, flags: string, text: string): string | undefined {
    if (this.#left < 1) {
      throw new PatternError(`not tried, other patterns took the ${LIMIT} ms that there are`);
    }
    Object.assign(this.#context, { source, flags, text });
    const start = performance.now();
    try {
      return SCRIPT.runInContext(this.#context, { timeout: Math.ceil(this.#left) });
    } catch (error) {
      const { code, name } = error as { code?: string; name?: string };
      if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
        throw new PatternError(`the pattern took over ${LIMIT} ms: make it simpler`);
      }
      if (name !== "SyntaxError" && name !== "RangeError") throw error;
      throw new PatternError("the pattern is more than can be matched");
    } finally {
      this.#left -= performance.now() - start;
    }
  }
}
