import { plainText } from "../../../text/plain_text.ts";
import { cutText } from "../../cut_text.ts";
import type { Prospect } from "../../../outbox/effect.ts";
import { type HttpAnswer, jsonOf, within } from "./request.ts";

/** What helps against an answer: by its status, its words, or both. */
export interface Cure {
  status?: number;
  /** What the body of the answer says. */
  says?: RegExp;
  /** What to do, as a command. */
  cure: string;
}

/** Longest words of a vendor that are repeated, in UTF-16 units. */
const LONGEST_WORDS = 200;
/** What usually helps. */
const USUAL: readonly Cure[] = [
  { status: 401, cure: "the credentials are wrong: check" },
  { status: 403, cure: "it does not allow this: check" },
  { status: 404, cure: "there is no such address: check" },
  { status: 410, cure: "the address is gone: make a new one and change" },
];

/** Whether an answer of this status may be followed by a better one. */
export function isPassing(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/**
 * What a person can do about a refusal, and whether that helps. `settings` names the keys of the
 * configuration that may be wrong.
 */
export function cureOf(
  { status, body }: HttpAnswer,
  { cures, settings }: { cures: readonly Cure[]; settings: string },
): { prospect: Prospect; cure?: string } {
  if (status >= 300 && status < 400) {
    return {
      prospect: "setting",
      cure: `redirects are not followed, because addresses hold credentials: change ${settings}`,
    };
  }
  const own = cures.find((cure) =>
    (cure.status === undefined || cure.status === status) && (cure.says?.test(body) ?? true)
  );
  if (own !== undefined) return { prospect: "setting", cure: own.cure };
  const usual = USUAL.find((cure) => cure.status === status);
  return usual === undefined
    ? { prospect: "final" }
    : { prospect: "setting", cure: `${usual.cure} ${settings}` };
}

/**
 * The words of an answer, on one line, cut and without secrets; empty where it says nothing that people
 * would read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const answer = { status: 400, headers: new Headers(), body: '{"ok": false, "description": "Bad Request: chat not found"}' };
 * assertEquals(wordsOf(answer, (text) => text), "Bad Request: chat not found");
 * ```
 */
export function wordsOf(answer: HttpAnswer, redact: (text: string) => string): string {
  const json = jsonOf(answer);
  const said = json === undefined || typeof json !== "object" || json === null
    ? markless(answer.body)
    : wordsIn(json);
  return cutText(plainText(redact(said)), LONGEST_WORDS);
}

/** Where the vendors have their words. */
function wordsIn(json: object): string {
  const places = ["description", "message", "error", "errors", "title", "detail"];
  const found = places.flatMap((key) => {
    const value = within(json, key);
    const inner = within(value, "message") ?? value;
    return Array.isArray(inner) ? inner : [inner];
  });
  const texts = found.filter((text): text is string => typeof text === "string" && text !== "");
  return [...new Set(texts)].join(": ");
}

function markless(body: string): string {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(body) ? "" : body;
}
