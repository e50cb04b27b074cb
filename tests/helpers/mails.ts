import type { ChannelSender, Sending } from "../../lib/notifications/channels/channel.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Message, SiteEvent } from "../../lib/notifications/message.ts";
import { EffectError } from "../../lib/outbox/effect.ts";
import { StillClock } from "./still_clock.ts";
import { LANGUAGE } from "./languages.ts";

/** A site that went down, or with other keys. */
export function siteEvent(more: Partial<SiteEvent> = {}): SiteEvent {
  return {
    id: "shop down",
    kind: "down",
    name: "Shop",
    slug: "shop",
    url: "https://shop.example/health",
    since: "2026-11-21T10:05:03.120Z",
    code: 503,
    error: "answered 503 Service Unavailable",
    attempts: 3,
    incident: "2026-11-21-shop",
    issue: 12,
    ...more,
  };
}

/** A message of these events, or of one. */
export function messageOf(...events: SiteEvent[]): Message {
  const all = events.length === 0 ? [siteEvent()] : events;
  return { id: all.map(({ id }) => id).join("+"), events: all };
}

/** The sending context of mails in tests; the secrets are the given ones. */
export function sendingWith(secrets: Readonly<Record<string, string>> = {}): Sending {
  return {
    secrets: new Secrets(secrets),
    clock: new StillClock(),
    random: () => 0.5,
    userAgent: "monitor-action/1.0.0 (+https://git.example/acme/status)",
    places: { home: "https://git.example/acme/status", page: "https://status.acme.example" },
    timezone: "UTC",
    language: LANGUAGE,
    monitor: "acme/status",
  };
}

/** A notification that leads to a server of the loopback. */
export function mailTo(port: number, more: Partial<Notification> = {}): Notification {
  return {
    type: "email",
    "smtp-host": "127.0.0.1",
    "smtp-port": String(port),
    from: "Monitor <monitor@acme.example>",
    to: ["Jo <jo@inbox.example>", "ops@inbox.example"],
    ...more,
  };
}

/** The reason why a message was refused. */
export async function refusalBy(
  channel: ChannelSender,
  notification: Notification,
  sending: Sending = sendingWith(),
): Promise<Pick<EffectError, "message" | "kind">> {
  try {
    const answer = await channel.send(notification, messageOf(), sending);
    return { message: `taken: ${answer}`, kind: "permanent" };
  } catch (error) {
    if (!(error instanceof EffectError)) throw error;
    return { message: error.message, kind: error.kind };
  }
}
