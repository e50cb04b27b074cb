import * as v from "valibot";
import { time } from "../history/yaml_file.ts";

/** An item of a feed as it was published. */
export interface SaidItem {
  id: string;
  /** Its date, in whole seconds. */
  at: Temporal.Instant;
  /** Absent if no feed has it any more. */
  words?: SaidWords;
}

export interface SaidWords {
  title: string;
  html: string;
  /** The sites that these words may name. */
  slugs: readonly string[];
}

/** A maintenance window as calendars contained it. */
export interface SaidWindow {
  id: string;
  start: Temporal.Instant;
  until: Temporal.Instant;
  slugs: readonly string[];
  /** A hash of all that a calendar shows of it. */
  digest: string;
  created: Temporal.Instant;
  /** The number of its changes, and when it changed last. */
  sequence: number;
  modified: Temporal.Instant;
  isCanceled: boolean;
}

/**
 * The content of feeds and calendars of the page before, by id: items that were published stay as they were, and
 * changes of a window are numbered.
 */
export interface FeedState {
  items: ReadonlyMap<string, SaidItem>;
  windows: ReadonlyMap<string, SaidWindow>;
}

export const NOTHING_SAID: FeedState = { items: new Map(), windows: new Map() };

const WORDS = v.object({ title: v.string(), html: v.string(), slugs: v.array(v.string()) });
const ITEM = v.object({ id: v.string(), at: time(), words: v.optional(WORDS) });
const WINDOW = v.object({
  id: v.string(),
  start: time(),
  until: time(),
  slugs: v.array(v.string()),
  digest: v.string(),
  created: time(),
  sequence: v.pipe(v.number(), v.integer(), v.minValue(0)),
  modified: time(),
  isCanceled: v.boolean(),
});
const STATE = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ items: v.array(ITEM), windows: v.array(WINDOW) }),
);

/**
 * Parses `feed-state.json`; nothing was said if it is something else.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const at = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const id = `2026-11-21-shop/down-${at.epochMilliseconds}`;
 * const item = { id, at, words: { title: "Shop is down", html: "", slugs: ["shop"] } };
 * const state = { items: new Map([[id, item]]), windows: new Map() };
 * assertEquals(parseFeedState(formatFeedState(state)), state);
 * assertEquals(parseFeedState("[]"), NOTHING_SAID);
 * ```
 */
export function parseFeedState(text: string): FeedState {
  const read = v.safeParse(STATE, text);
  if (!read.success) return NOTHING_SAID;
  const { items, windows } = read.output;
  return {
    items: new Map(items.map((one) => [one.id, one])),
    windows: new Map(windows.map((one) => [one.id, one])),
  };
}

export function formatFeedState({ items, windows }: FeedState): string {
  const list = (all: Iterable<SaidItem | SaidWindow>) =>
    `[${[...all].map((one) => `\n${JSON.stringify(one)}`).join(",")}]`;
  return `{"items":${list(items.values())},"windows":${list(windows.values())}}\n`;
}
