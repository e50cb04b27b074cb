import * as v from "valibot";
import type { Heartbeat } from "../checks/heartbeat/heartbeat.ts";
import { isMap } from "../config/document.ts";
import { parseJson } from "../text/safe_parse.ts";
import { time } from "./yaml_file.ts";

const BEAT = v.object({
  kind: v.picklist(["start", "ok", "fail"]),
  at: time(),
  sent: v.optional(time()),
  former: v.optional(v.literal(true)),
  code: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  duration: v.optional(v.pipe(v.number(), v.minValue(0))),
});

/** State of a job, as the run state stores it. */
export const HEARTBEAT = v.object({
  since: time(),
  end: v.fallback(v.optional(BEAT), undefined),
  start: v.fallback(v.optional(BEAT), undefined),
});

/** Parses a file of received beats, by slug; what can't be read is left out. */
export function parseBeats(text: string): Map<string, Heartbeat> {
  const list = parseJson(text);
  const items = Array.isArray(list) ? list.filter(isMap) : [];
  return new Map(items.flatMap(({ slug, ...job }): [string, Heartbeat][] => {
    const { success, output } = v.safeParse(HEARTBEAT, job);
    return success && typeof slug === "string" ? [[slug, output]] : [];
  }));
}
