import { assertEquals } from "@std/assert";
import { applyEvent } from "../../../lib/notifications/apply_event.ts";
import type { ChannelState } from "../../../lib/notifications/channel_state.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";

function notice(id: string, over?: true): SiteEvent {
  return {
    id,
    kind: "notice",
    name: "acme/status",
    title: id,
    since: "2026-11-21T10:05:00Z",
    error: "",
    incident: "notice/unknown/shop",
    code: 0,
    attempts: 0,
    slug: "notice",
    ...over === undefined ? {} : { over },
  };
}

/** The notices that wait after others, of which none could be sent yet. */
function waiting(...events: SiteEvent[]): string[] {
  const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const state = events.reduce<ChannelState>(
    (before, event) => applyEvent(before, event, { wanted: ["down"], now }),
    { held: [], notified: [] },
  );
  return state.held.map(({ id }) => id);
}

Deno.test("start and end of a problem of the monitor cancel each other while they wait", () => {
  assertEquals(waiting(notice("start")), ["start"]);
  assertEquals(waiting(notice("start"), notice("end", true)), []);
  // The first start was sent before.
  assertEquals(waiting(notice("end", true)), ["end"]);
  assertEquals(waiting(notice("end", true), notice("start")), []);
  assertEquals(waiting(notice("end", true), notice("start"), notice("last", true)), ["last"]);
  assertEquals(waiting(notice("start"), notice("later")), ["later"]);
});
