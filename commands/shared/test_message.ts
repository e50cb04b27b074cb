import { randomName } from "../../lib/io/clock.ts";
import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import type { Sending } from "../../lib/notifications/channels/channel.ts";
import { loadSender } from "../../lib/notifications/channels/mod.ts";
import type { Message } from "../../lib/notifications/message.ts";
import { EffectError } from "../../lib/outbox/effect.ts";
import { formatTime } from "../../lib/time.ts";

export type Delivery = { answer: string; failure?: undefined } | {
  answer?: undefined;
  failure: string;
};

export function testMessage({ monitor, clock }: Pick<Sending, "monitor" | "clock">): Message {
  const id = `test/${randomName()}`;
  const seen = { code: 0, error: "", attempts: 0, incident: "test" };
  const event = { id, kind: "test" as const, name: monitor, slug: "test", ...seen };
  return { id, events: [{ ...event, since: formatTime(clock.now()) }] };
}

export async function deliver(
  notification: Notification,
  message: Message,
  sending: Sending & { secrets: Secrets },
): Promise<Delivery> {
  try {
    const { send } = await loadSender(notification.type);
    return { answer: await send(notification, message, sending) };
  } catch (error) {
    if (!(error instanceof EffectError)) throw error;
    return { failure: sending.secrets.redact(error.message) };
  }
}
