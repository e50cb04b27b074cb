import { AsyncLocalStorage } from "node:async_hooks";

const invocation = new AsyncLocalStorage<string>();
/** For readers of whom it is not known how they start the program. */
const USUAL = "monitor";

/** Runs `action` for a person who starts the program by `command`, such as `npx monitor-action`. */
export function withInvocation<T>(command: string | undefined, action: () => T): T {
  return invocation.run(command ?? USUAL, action);
}

/**
 * A command of the program as the person at the terminal types it. Texts that others read, such as issues, don't use
 * it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(formatCommand("doctor"), "monitor doctor");
 * assertEquals(
 *   withInvocation("npx monitor-action", () => formatCommand("doctor")),
 *   "npx monitor-action doctor",
 * );
 * ```
 */
export function formatCommand(words: string): string {
  return `${invocation.getStore() ?? USUAL} ${words}`;
}

/** Quotes a text as one word of a shell that means nothing but itself. */
export function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
