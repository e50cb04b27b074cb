import * as v from "valibot";
import { isMap } from "../config/document.ts";
import { time } from "../history/yaml_file.ts";
import { byIncident } from "./subject.ts";

const MARK = v.optional(v.literal(true));

const NOTIFIED = v.object({
  /** Slug of the site; `notice` for a notice. */
  slug: v.string(),
  /** Id of the incident, or of the notice. */
  incident: v.string(),
  /** What was sent last; absent for an outage that ended before anything could be sent. */
  kind: v.optional(v.picklist(["down", "degraded", "notice"])),
  /** Set if the last thing that was sent is that the site is flapping. */
  flapping: MARK,
  /** Of a notice with several, such as the days before a certificate expires: the one that was sent last. */
  level: v.optional(v.string()),
  /** Time of the last message about it. */
  at: time(),
  /** Number of reminders sent; absent if none. */
  reminders: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Time and person of the acknowledgement that was sent last. */
  acknowledged: v.optional(v.string()),
  /** Time and person of the last acknowledgement whose end was mentioned. */
  formerly: v.optional(v.string()),
  /** Time of the mute that was sent last. */
  muted: v.optional(v.string()),
  /** Number of other sites that were named as failing because of it. */
  affects: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** The alert that is open at the vendor: its own, or the name of one that several incidents share. */
  alert: v.optional(v.string()),
  /** Set once the vendor was asked to acknowledge that alert. */
  silenced: MARK,
  /** Set once the end was sent. */
  over: MARK,
  /** Set if a killed run may have sent the last message. */
  unsure: MARK,
});

/** What a channel was notified of about one incident or notice. */
export type Notified = v.InferOutput<typeof NOTIFIED>;

/** An event that waited; `knew` is what the channel had been sent before about the same incident. */
const HELD = v.object({
  slug: v.string(),
  incident: v.string(),
  since: time(),
  knew: v.optional(v.picklist(["down", "degraded", "flapping"])),
  was: v.optional(v.string()),
  reminder: MARK,
  news: v.optional(v.string()),
});

const CHANNEL = v.pipe(
  v.object({
    /** Time of its last message; absent once no interval depends on it. */
    last: v.optional(time()),
    /** Set if that message opened the group interval. */
    window: MARK,
    told: v.array(NOTIFIED),
    /** What an earlier version had planned and not sent; it stored no alerts. */
    held: v.optional(v.array(HELD)),
  }),
  v.transform(({ told, held, ...rest }) => {
    if (held === undefined) return { ...rest, notified: told };
    const changes = held.filter(({ reminder, news }) =>
      reminder === undefined && news === undefined
    );
    const unsent = new Set(changes.map(({ incident }) => incident));
    const before = changes.flatMap(({ slug, incident, knew, was, since }): Notified[] => {
      if (knew === undefined) return was === undefined ? [] : [{ slug, incident, at: since }];
      const flapping = knew === "flapping" ? { flapping: true as const } : {};
      return [{
        slug,
        incident,
        kind: knew === "degraded" ? knew : "down",
        ...flapping,
        at: since,
      }];
    });
    const known = byIncident([...told.filter(({ incident }) => !unsent.has(incident)), ...before]);
    return {
      ...rest,
      notified: [...known.values()].map((one): Notified =>
        one.kind === undefined ? one : { ...one, alert: one.incident }
      ),
    };
  }),
);

/** What a channel was notified of, set from the receipts of its messages. */
export type ChannelState = v.InferOutput<typeof CHANNEL>;

/** States of the channels by key; a channel that was notified of nothing has none. */
export type ChannelStates = Readonly<Record<string, ChannelState>>;

/** Codec of {@linkcode ChannelStates}; a channel that can't be read loses its own state only. */
export const CHANNEL_STATES: v.GenericSchema<unknown, ChannelStates> = v.pipe(
  v.custom<Record<string, unknown>>(isMap),
  v.transform((channels) =>
    Object.fromEntries(
      Object.entries(channels).flatMap(([key, value]) => {
        const { success, output } = v.safeParse(CHANNEL, value);
        return success ? [[key, output]] : [];
      }),
    )
  ),
);

/** The stored form of {@linkcode ChannelStates}. */
export function formatChannels(channels: ChannelStates): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(channels)
      .map(([key, { notified: told, ...rest }]) => [key, { ...rest, told }]),
  );
}

const nullable = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema));

/** Codec of {@linkcode Patch}: new values by field; `null` removes one. */
export const PATCH = v.object({
  slug: v.string(),
  incident: v.string(),
  kind: nullable(v.picklist(["down", "degraded", "notice"])),
  flapping: nullable(v.literal(true)),
  level: nullable(v.string()),
  reminders: nullable(v.number()),
  acknowledged: nullable(v.string()),
  formerly: nullable(v.string()),
  muted: nullable(v.string()),
  affects: nullable(v.number()),
  alert: nullable(v.string()),
  silenced: nullable(v.literal(true)),
  over: nullable(v.literal(true)),
});

/** Changes to what a channel was notified of about an incident or notice, once a message is sent. */
export type Patch = v.InferOutput<typeof PATCH>;

/** Applies the patches of a message that was sent at a time; `unsure` if a killed run may have sent it. */
export function applyPatches(
  { notified, ...rest }: ChannelState,
  patches: readonly Patch[],
  { at, unsure }: { at: Temporal.Instant; unsure?: true },
): ChannelState {
  const after = byIncident(notified);
  for (const { slug, incident, ...changes } of patches) {
    const known = after.get(incident) ?? { slug, incident };
    const changed = Object.entries({ ...known, unsure, ...changes, at })
      .filter(([, value]) => value !== null && value !== undefined);
    after.set(incident, Object.fromEntries(changed) as Notified);
  }
  return { ...rest, notified: [...after.values()] };
}

/**
 * What the file of an incident says about the channels that were notified of it, sorted: a channel's key, followed by
 * the name of the alert if several incidents share one.
 */
export function listNotifiedChannels(states: ChannelStates): Map<string, string[]> {
  const byIncident = new Map<string, string[]>();
  for (const [key, { notified }] of Object.entries(states)) {
    for (const { incident, kind, alert = incident, over, unsure } of notified) {
      const isCertain = kind !== undefined && !over && !unsure;
      const text = alert === incident ? key : `${key} ${alert}`;
      const before = byIncident.get(incident) ?? [];
      byIncident.set(incident, isCertain ? [...before, text].sort() : before);
    }
  }
  return byIncident;
}

/** What the file of an incident says about a channel; `undefined` if it was not notified. */
export function readNotifiedChannel(
  texts: readonly string[],
  key: string,
): { alert?: string } | undefined {
  const own = texts.map((text) => text.split(" ")).find(([first]) => first === key);
  return own && { alert: own[1] };
}
