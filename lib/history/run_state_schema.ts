/** Schemas of the run state as it is stored. */
import * as v from "valibot";
import { HISTORY_FOLDER } from "../config/record_path.ts";
import { isMap } from "../config/document.ts";
import type { Plain } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import { HEARTBEAT } from "./received_beats.ts";
import { time } from "./yaml_file.ts";

const MUTE = v.object({
  by: v.string(),
  at: time(),
  /** Time at which messages are sent again; that of `at` once somebody has unmuted the site. */
  until: time(),
});

/** A pause of the messages about a site. */
export type Mute = v.InferOutput<typeof MUTE>;

const PLAIN: v.GenericSchema<Plain> = v.union([
  v.string(),
  v.number(),
  v.boolean(),
  v.null(),
  v.array(v.lazy(() => PLAIN)),
  v.record(v.string(), v.lazy(() => PLAIN)),
]);

const STORED_ENTRY = v.object({
  id: v.string(),
  carrier: v.string(),
  what: v.fallback(v.string(), ""),
  data: v.record(v.string(), PLAIN),
  line: v.optional(v.string()),
  about: v.optional(v.array(v.string())),
  notBefore: v.optional(time()),
  lapses: v.optional(time()),
  planned: time(),
  claim: v.optional(v.object({ run: v.string(), until: time() })),
  failure: v.optional(v.string()),
  isRefused: v.optional(v.literal(true)),
  done: v.optional(v.object({ at: time(), receipt: v.optional(v.record(v.string(), PLAIN)) })),
});

const ENTRY = v.pipe(
  STORED_ENTRY,
  v.transform(({ carrier, what, line, lapses, ...rest }): Entry => ({
    ...rest,
    handler: carrier,
    description: what,
    ...line === undefined ? {} : { queue: line },
    ...lapses === undefined ? {} : { expires: lapses },
  })),
);

export function toStoredEntry(
  { handler, description, queue, expires, ...rest }: Entry,
): v.InferOutput<typeof STORED_ENTRY> {
  const { id, data, about, notBefore, ...end } = rest;
  return {
    ...{ id, carrier: handler, what: description, data, line: queue, about },
    ...{ notBefore, lapses: expires, ...end },
  };
}

function wholeNumber(least: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(least));
}

const REGISTRATION = v.object({
  domain: v.string(),
  next: time(),
  expires: v.optional(time()),
  status: v.optional(v.string()),
  fault: v.optional(v.string()),
});

const STREAK = v.object({
  failing: v.optional(
    v.object({ runs: wholeNumber(1), attempts: wholeNumber(1), since: time() }),
  ),
  slow: v.array(v.nullable(time())),
  recent: v.pipe(v.string(), v.regex(/^[ued]*$/)),
  flapping: v.optional(v.literal(true)),
  changed: v.fallback(v.optional(v.array(time())), undefined),
  restUntil: v.optional(time()),
  unknown: v.fallback(
    v.optional(v.object({
      runs: wholeNumber(1),
      since: time(),
      reason: v.fallback(v.string(), ""),
    })),
    undefined,
  ),
  notAsked: v.fallback(v.optional(wholeNumber(1)), undefined),
  unfinished: v.fallback(v.optional(v.literal(true)), undefined),
  window: v.optional(v.object({ until: time(), failing: v.boolean() })),
  reason: v.fallback(v.optional(v.object({ kind: v.string(), at: time() })), undefined),
  heartbeat: v.fallback(v.optional(HEARTBEAT), undefined),
  registration: v.fallback(v.optional(REGISTRATION), undefined),
});

/** By slug; an unreadable one is dropped alone. `v.record` leaves out slugs such as `constructor`. */
const STREAKS = v.pipe(
  v.custom<Record<string, unknown>>(isMap),
  v.transform((streaks) =>
    Object.fromEntries(
      Object.entries(streaks).flatMap(([slug, value]) => {
        const { success, output } = v.safeParse(STREAK, value);
        return success ? [[slug, output]] : [];
      }),
    )
  ),
);

/** Only files of the history: anybody who may push can write this. */
const FILES = v.pipe(
  v.record(
    v.pipe(v.string(), v.startsWith(`${HISTORY_FOLDER}/`), v.check((path) => !path.includes(".."))),
    v.string(),
  ),
  v.transform((files) => new Map(Object.entries(files))),
);

/** By location and shard, which may be `constructor`: see {@linkcode STREAKS}. */
const LOCATION_RESULTS = v.pipe(
  v.custom<Record<string, unknown>>(isMap),
  v.transform((ids) =>
    Object.fromEntries(
      Object.entries(ids).filter((entry): entry is [string, string] =>
        typeof entry[1] === "string"
      ),
    )
  ),
);

/** A run state without its rows. */
export const RUN_STATE = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    run: v.string(),
    time: time(),
    folded: v.optional(v.object({ run: v.string(), time: time() })),
    files: v.optional(v.fallback(FILES, new Map())),
    outbox: v.array(ENTRY),
    channels: v.optional(v.unknown()),
    notices: v.fallback(v.optional(v.record(v.string(), time())), undefined),
    sites: v.fallback(STREAKS, {}),
    failedCanaries: v.fallback(wholeNumber(0), 0),
    timelines: v.optional(v.unknown()),
    responses: v.optional(v.unknown()),
    mutes: v.fallback(v.optional(v.record(v.string(), MUTE)), undefined),
    locations: v.fallback(v.optional(LOCATION_RESULTS), undefined),
  }),
  v.transform((
    { folded, ...rest },
  ) => (folded === undefined ? rest : { ...rest, flushed: folded })),
);
