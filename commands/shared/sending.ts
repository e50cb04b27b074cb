import type { Sending } from "../../lib/notifications/channels/channel.ts";
import type { Config } from "../../lib/config/config.ts";
import { homePage, ownRepository } from "../../lib/config/repository.ts";
import { findPageAddress } from "../../lib/config/page_path.ts";
import type { Context } from "./context.ts";
import { random, randomName } from "../../lib/io/clock.ts";
import { userAgent } from "../../lib/io/requests.ts";
import type { Secrets } from "../../lib/io/secrets/secrets.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { loadSender } from "../../lib/notifications/channels/mod.ts";
import { type Message, UNNAMED_MONITOR } from "../../lib/notifications/message.ts";
import { EffectError } from "../../lib/outbox/effect.ts";
import { loadLanguage } from "../../lib/text/languages.ts";
import { formatTime } from "../../lib/time.ts";

/** Dependencies of sending messages. The monitor's name, part of the keys of alerts, doesn't depend on the token. */
export async function createSending(
  config: Pick<
    Config,
    "owner" | "repo" | "status-website" | "timezone" | "language" | "pages" | "i18n"
  >,
  remoteUrl: string | undefined,
  { environment, secrets, clock }: Pick<Context, "environment" | "secrets" | "clock">,
): Promise<Sending> {
  const site = config["status-website"];
  const home = homePage(config, environment, remoteUrl);
  const monitor = ownRepository(config, environment, remoteUrl) ?? site?.name ??
    UNNAMED_MONITOR;
  return {
    secrets,
    clock,
    random,
    userAgent: userAgent(home),
    places: {
      home,
      page: findPageAddress(site, home),
    },
    timezone: config.timezone,
    language: await loadLanguage(config),
    monitor,
    title: site?.name ?? monitor,
  };
}

type Delivery = { answer: string; failure?: undefined } | {
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
