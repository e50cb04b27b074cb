import * as v from "valibot";
import { duration, integer, later, map, text } from "./values.ts";

const CRON = v.optional(v.pipe(
  text("a schedule of five fields"),
  v.regex(
    /^\s*\S+(?:\s+\S+){4}\s*$/,
    (issue) => `expected five fields such as "*/5 * * * *", found ${JSON.stringify(issue.input)}`,
  ),
));
const NAME = v.optional(
  v.pipe(v.union([text("a name"), v.number()], "expected a name"), v.transform(String)),
);

/** Keys of the top level that aren't keys of sites too. */
export const TOP_KEYS = {
  owner: NAME,
  repo: NAME,
  "status-website": v.optional(
    map({ name: v.optional(text()), cname: v.optional(text("a domain")) }),
  ),
  workflowSchedule: v.optional(map({ uptime: CRON, responseTime: CRON, graphs: CRON, site: CRON })),
  concurrency: v.optional(integer(1, 1000), 64),
  runDeadline: v.optional(duration("s", 21_600_000), 240),
  commitMessages: v.optional(
    map({
      statusChange: v.optional(text()),
      commitAuthorName: v.optional(text()),
      commitAuthorEmail: v.optional(text()),
    }),
    {},
  ),
  commitPrefixStatusUp: v.optional(text(), "🟩"),
  commitPrefixStatusDown: v.optional(text(), "🟥"),
  commitPrefixStatusDegraded: v.optional(text(), "🟨"),
};

/** Keys of the top level that a later version uses; until then they load without effect. */
export const LATER_TOP_KEYS = later([
  "defaults",
  "canaries",
  "history",
  "maintenance",
  "lockIssues",
  "issues",
  "assignees",
  "graphs",
  "i18n",
  "pages",
  "timezone",
  "runner",
  "secrets",
  "actionVersion",
  "heartbeat-url",
]);

/** Keys of the specification whose commands a later version brings. */
export const UNUSED_TOP_KEYS = ["notifications", "status-website", "workflowSchedule"];

const TOP = v.object(TOP_KEYS);
/** {@linkcode TOP_KEYS} as read; lengths of time in milliseconds. */
export type TopKeys = v.InferOutput<typeof TOP>;
