import * as v from "valibot";
import type { Heartbeat, ReceivedBeat } from "../checks/heartbeat/heartbeat.ts";
import { isMap } from "../config/document.ts";
import { parseJson } from "../text/safe_parse.ts";
import { formatTime } from "../time.ts";
import { time } from "./yaml_file.ts";

const BEAT = v.object({
  kind: v.picklist(["start", "ok", "fail"]),
  at: time(),
  sent: v.optional(time()),
  code: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  duration: v.optional(v.pipe(v.number(), v.minValue(0))),
});

/** State of a job, as the run state and the file of received beats store it. */
export const HEARTBEAT = v.object({
  since: time(),
  end: v.fallback(v.optional(BEAT), undefined),
  start: v.fallback(v.optional(BEAT), undefined),
});

/** The beats of a job that still count, the oldest first. */
export function listBeats({ end, start }: Partial<Heartbeat> = {}): ReceivedBeat[] {
  return [end, start].filter((one) => one !== undefined);
}

/** Formats the jobs of which an endpoint has received beats, by slug. */
export function formatBeats(jobs: ReadonlyMap<string, Heartbeat>): string {
  const toText = (_key: string, value: unknown) =>
    value instanceof Temporal.Instant ? formatTime(value) : value;
  return `${JSON.stringify([...jobs].map(([slug, job]) => ({ slug, ...job })), toText, 2)}\n`;
}

/** Parses {@linkcode formatBeats}; what can't be read is left out. */
export function parseBeats(text: string): Map<string, Heartbeat> {
  const list = parseJson(text);
  const items = Array.isArray(list) ? list.filter(isMap) : [];
  return new Map(items.flatMap(({ slug, ...job }): [string, Heartbeat][] => {
    const { success, output } = v.safeParse(HEARTBEAT, job);
    return success && typeof slug === "string" ? [[slug, output]] : [];
  }));
}
