import * as v from "valibot";
import { publicUrl } from "../io/secrets/url_credentials.ts";
import { SITE_NEWS } from "./message.ts";

const OUTAGE = v.picklist(["down", "degraded"]);

const FIELDS = {
  id: v.string(),
  reminder: v.optional(v.literal(true)),
  was: v.optional(OUTAGE),
  gone: v.optional(v.literal(true)),
  name: v.string(),
  title: v.optional(v.string()),
  site: v.optional(v.string()),
  over: v.optional(v.literal(true)),
  slug: v.string(),
  url: v.optional(v.pipe(v.string(), v.transform(publicUrl))),
  since: v.pipe(v.string(), v.isoTimestamp()),
  lasted: v.optional(v.number()),
  code: v.number(),
  error: v.string(),
  expiry: v.optional(v.string()),
  attempts: v.number(),
  responseTime: v.optional(v.number()),
  incident: v.string(),
  issue: v.optional(v.number()),
  affected: v.optional(v.array(v.string())),
  released: v.optional(v.object({ name: v.string(), isBack: v.boolean() })),
  flapping: v.optional(v.object({ changes: v.number(), within: v.number() })),
  knew: v.optional(v.picklist(["down", "degraded", "flapping"])),
  maybeSent: v.optional(v.literal(true)),
  unsent: v.optional(
    v.object({
      kind: OUTAGE,
      since: v.pipe(v.string(), v.isoTimestamp()),
      code: v.number(),
      error: v.string(),
      attempts: v.number(),
    }),
  ),
  missed: v.optional(v.object({ kind: OUTAGE, times: v.number(), lasted: v.number() })),
};

/** What happened to a site, as it waits in a memory. */
export const STORED_NEWS = v.object({ ...FIELDS, kind: v.picklist([...SITE_NEWS, "notice"]) });

/** What a message tells, as it waits in an outbox. */
export const STORED_EVENT = v.object({
  ...FIELDS,
  kind: v.picklist([...SITE_NEWS, "notice", "test"]),
});
