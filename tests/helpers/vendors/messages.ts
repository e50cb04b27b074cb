import type { Sending } from "../../../lib/notifications/channels/channel.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import type { Message, MessageView, SiteEvent } from "../../../lib/notifications/message.ts";
import { StillClock } from "../still_clock.ts";
import { LANGUAGE } from "../languages.ts";

/** Something that happened to a shop. */
export function siteEvent(changes: Partial<SiteEvent> = {}): SiteEvent {
  const kind = changes.kind ?? "down";
  return {
    id: `2026-11-21-shop/${kind}`,
    kind,
    name: "Shop",
    slug: "shop",
    url: "https://shop.example.com/?key=$KEY",
    since: "2026-11-21T09:55:03.120Z",
    code: kind === "down" ? 503 : 200,
    error: kind === "down" ? "answered 503 Service Unavailable" : "",
    attempts: kind === "down" ? 3 : 1,
    ...(kind === "down" ? {} : { responseTime: 123.4 }),
    ...(kind === "up" ? { lasted: 7_500_000 } : {}),
    incident: "2026-11-21-shop",
    issue: 12,
    ...changes,
  };
}

/** One message of one event, or of several. */
export function messageOf(...events: SiteEvent[]): Message {
  return { id: "9f3c01ab", events: events.length === 0 ? [siteEvent()] : events };
}

/** Some events of different sites with different errors, the first half of them ends. */
export function manyEvents(count: number, changes: Partial<SiteEvent> = {}): SiteEvent[] {
  return Array.from({ length: count }, (_, index) =>
    siteEvent({
      kind: index < count / 2 ? "up" : index % 2 === 0 ? "down" : "degraded",
      error: index < count / 2 ? "" : `error ${index}`,
      failed: { kind: "down", code: 0, error: `error ${index}` },
      issue: index + 1,
      name: `Site ${index}`,
      slug: `site-${index}`,
      id: `site-${index}`,
      incident: `2026-11-21-site-${index}`,
      ...changes,
    }));
}

/** What the text of a message depends on, with the time of {@linkcode sendingWith}. */
export const VIEW: MessageView = {
  timezone: "UTC",
  language: LANGUAGE,
  now: Temporal.Instant.from("2026-11-21T10:00:00Z"),
};

/** Dependencies of sending, with a stopped clock. */
export function sendingWith(
  secrets: Readonly<Record<string, string>> = {},
  changes: Partial<Sending> = {},
): Sending & { clock: StillClock } {
  return {
    secrets: new Secrets(secrets),
    random: () => 0.5,
    userAgent: "monitor-action/1.41.0",
    places: { home: "https://github.com/acme/status", page: "https://status.acme.example" },
    timezone: "UTC",
    language: LANGUAGE,
    monitor: "acme/status",
    ...changes,
    clock: new StillClock(),
  };
}
