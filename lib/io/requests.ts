import { VERSION } from "../version.ts";
import type { Clock } from "./clock.ts";

/** `transient` ends by itself, `misconfigured` once a person changes something, `permanent` is given up at once. */
export type ErrorKind = "transient" | "misconfigured" | "permanent";

/**
 * Repeats an action after each of the delays, as long as it fails with a transient error.
 *
 * @throws The last error.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const waits: number[] = [];
 * const clock = { wait: (delay: number) => Promise.resolve(void waits.push(delay)) };
 * const action = (attempt: number) => attempt < 3 ? Promise.reject(new Error("busy")) : Promise.resolve(attempt);
 * assertEquals(await retry(action, { delays: [100, 200], clock }), 3);
 * assertEquals(waits, [100, 200]);
 * ```
 */
export async function retry<T>(
  action: (attempt: number) => Promise<T>,
  { delays, clock, delayAfter = (_, delay) => delay }: {
    /** Milliseconds before the second attempt, the third, and so on. */
    delays: readonly number[];
    clock: Pick<Clock, "wait">;
    /** Milliseconds to wait after an error, given the usual delay; `undefined` if it is not transient. */
    delayAfter?(error: unknown, delay: number): number | undefined;
  },
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      const usual = delays[attempt - 1];
      const delay = usual === undefined ? undefined : delayAfter(error, usual);
      if (delay === undefined) throw error;
      await clock.wait(delay);
    }
  }
}

/** Patterns of the runtime's errors, and our words for them. */
const WORDS: readonly [says: RegExp, words: string][] = [
  [/certificate|UnknownIssuer|self.signed/i, "its certificate is not trusted"],
  [/InvalidContentType|corrupt message|wrong version number/i, "the answer is not TLS"],
  [/proxy|tunnel/i, "the proxy refused"],
  [/invalid HTTP/i, "the answer is not HTTP"],
  [/dns error|failed to lookup|Name or service not known/i, "name not found"],
  [/refused/i, "connection refused"],
  [/unreachable/i, "network unreachable"],
  [/reset/i, "connection reset"],
  [/closed|IncompleteMessage|end of file|eof|broken pipe|body/i, "connection closed"],
];

/** Why `fetch` failed, in our words: the runtime's contain the URL. */
export function connectionWords(error: unknown): string {
  const said = texts(error).replaceAll(/\bhttps?:\/\/\S+/gi, "");
  return WORDS.find(([says]) => says.test(said))?.[1] ?? "it can't be reached";
}

/** The words of an error and of what caused it. */
function texts(error: unknown): string {
  return error instanceof Error ? `${error.message} ${texts(error.cause ?? "")}` : String(error);
}

/** User agent of requests: the program, and the monitor's page for owners of sites. */
export function userAgent(home: string | undefined): string {
  // A header takes no other characters.
  const page = home === undefined ? "" : ` (+${encodeURI(home)})`;
  return `monitor-action/${VERSION}${page}`;
}
