import { assertEquals } from "@std/assert";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { renderEvent, renderMessage } from "../../../lib/notifications/message_text.ts";

const DOWN: SiteEvent = {
  id: "a",
  kind: "down",
  name: "Shop",
  slug: "shop",
  since: "2026-11-21T10:05:03.120Z",
  code: 503,
  error: "answered 503 Service Unavailable",
  attempts: 3,
  incident: "2026-11-21-shop",
};
const UP: SiteEvent = {
  ...DOWN,
  id: "b",
  kind: "up",
  since: "2026-11-21T10:10:03.120Z",
  lasted: 300_000,
};

/** The headline of events, and the sentence of the last of them. */
function said(...events: SiteEvent[]): [headline: string, sentence: string] {
  const { headline } = renderMessage({ id: "1", events }, {});
  return [headline, renderEvent(events.at(-1)!, {}).sentence];
}

Deno.test("an outage that is over when it is reported is shown with start and end", () => {
  assertEquals(said({ ...UP, was: "down" }), [
    "Shop was down for 5 minutes",
    "answered 503 Service Unavailable, from 2026-11-21 10:05 to 2026-11-21 10:10 UTC",
  ]);
  assertEquals(said({ ...UP, was: "degraded", lasted: 0, error: "" }), [
    "Shop had degraded performance for a moment",
    "from 2026-11-21 10:10 to 2026-11-21 10:10 UTC",
  ]);
});

Deno.test("an expiring certificate is named as such, also in a reminder and at its end", () => {
  const degraded = { ...DOWN, kind: "degraded", expiry: "certificate expires in 4 days" } as const;
  assertEquals(said(degraded)[0], "Shop: certificate expires in 4 days");
  assertEquals(said({ ...degraded, reminder: true })[0], "Shop: certificate expires in 4 days");
  assertEquals(
    said({ ...degraded, kind: "up", was: "degraded" })[0],
    "Shop: certificate expires in 4 days",
  );
  assertEquals(said({ ...degraded, kind: "up" })[0], "Shop is as it should be again");
  const { expiry } = degraded;
  const sentence = (error: string) => said({ ...degraded, error })[1].split(", since")[0];
  assertEquals(sentence(`${expiry} (2026-11-26)`), "on 2026-11-26");
  assertEquals(sentence(`${expiry}, not as asserted: a`), "not as asserted: a");
  assertEquals(sentence("slow"), "slow");
});

Deno.test("a site that is no longer monitored is not said to be up", () => {
  assertEquals(said({ ...UP, gone: true }), [
    "Shop is no longer monitored",
    "It was removed from monitoring after 5 minutes, which ends its incident",
  ]);
  assertEquals(said({ ...UP, gone: true, was: "down" }), [
    "Shop was down for 5 minutes",
    "answered 503 Service Unavailable, from 2026-11-21 10:05 to 2026-11-21 10:10 UTC, when it was removed from monitoring",
  ]);
});

Deno.test("several events of one site have the headline of the last", () => {
  assertEquals(said(UP, DOWN)[0], "Shop is down");
});

Deno.test("a headline for several sites counts each once, by how it is now", () => {
  const of = (slug: string, event: SiteEvent): SiteEvent => ({ ...event, slug });
  assertEquals(
    said(
      of("a", UP),
      of("a", DOWN),
      of("b", DOWN),
      of("c", { ...DOWN, reminder: true }),
      of("d", { ...UP, was: "down" }),
      of("e", UP),
      of("f", { ...UP, gone: true }),
    )[0],
    "Shop and Shop are down, Shop is still down, 1 was down for a while, 1 is up again, 1 is no longer monitored",
  );
});
