import * as v from "valibot";
import { time } from "../../history/time_value.ts";
import { ACCESS } from "./write_access.ts";

const COUNT = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How what is remembered of timelines is read. */
export const TIMELINES = v.object({
  /** `owner/name` of the repository that it was read from. */
  repository: v.string(),
  /** Tag of the issues that tell of incidents. */
  issues: v.optional(v.string()),
  /** What was last seen of the comments of the whole repository. */
  comments: v.optional(v.object({
    /** From when on they are read. */
    since: time(),
    tag: v.optional(v.string()),
    /** What there was on an incident's issue, as a short name for it, by its number. */
    seen: v.record(v.string(), v.string()),
  })),
  /** How many comments the issue of an open incident had that began before that, by its number. */
  open: v.fallback(
    v.record(v.string(), v.object({ tag: v.optional(v.string()), comments: COUNT })),
    {},
  ),
  /** Cached answers of GitHub on write access. */
  access: v.fallback(v.optional(ACCESS), undefined),
});

/** What is remembered of timelines from one run to the next; where it is lost, they are read anew. */
export type TimelinesMemory = v.InferOutput<typeof TIMELINES>;
