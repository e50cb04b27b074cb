/** A service that Upptime notifies and this program does not. */
interface Service {
  name: string;
  /** Secrets that turn it on in Upptime. */
  switches: readonly string[];
  /** All of its secrets. */
  secrets: RegExp;
}

const SERVICES: readonly Service[] = [
  service("Zulip", ["NOTIFICATION_ZULIP_MESSAGE_URL"], /^NOTIFICATION_ZULIP(?:_|$)/),
  service("Gotify", ["NOTIFICATION_GOTIFY"], /^NOTIFICATION_GOTIFY(?:_|$)/),
  service(
    "Google Chat",
    ["NOTIFICATION_GOOGLE_CHAT_WEBHOOK_URL"],
    /^NOTIFICATION_GOOGLE_CHAT(?:_|$)/,
  ),
  service(
    "SMS",
    ["46ELKS", "CALLR", "CLICKATELL", "INFOBIP", "NEXMO", "OVH", "PLIVO", "TWILIO"]
      .map((provider) => `NOTIFICATION_SMS_${provider}`),
    /^NOTIFICATION_SMS(?:_|$)/,
  ),
  service("Mastodon", ["NOTIFICATION_MASTODON"], /^NOTIFICATION_MASTODON(?:_|$)/),
  service("Misskey", ["NOTIFICATION_MISSKEY"], /^NOTIFICATION_MISSKEY(?:_|$)/),
  service("Lark", ["NOTIFICATION_LARK"], /^NOTIFICATION_LARK(?:_|$)/),
  service(
    "Slack bot",
    ["NOTIFICATION_SLACK_BOT", "NOTIFICATION_SLACK_BOT_TOKEN"],
    /^(?:NOTIFICATION_SLACK_(?!WEBHOOK)|SLACK_(?:APP|BOT)_(?:ACCESS_)?TOKEN$)/,
  ),
  ...["SendGrid", "SES", "SparkPost", "Mailgun"].map((name) => {
    const secret = `NOTIFICATION_EMAIL_${name.toUpperCase()}`;
    return service(`mail by ${name}`, [secret], new RegExp(`^${secret}(?:_|$)`));
  }),
];

function service(name: string, switches: readonly string[], secrets: RegExp): Service {
  return { name, switches, secrets };
}

/** Secrets that show which of these services a user of Upptime has set up. */
export const UPPTIME_SWITCHES: readonly string[] = SERVICES.flatMap(({ switches }) => switches);

/** A service that a user of Upptime has set up and this program does not notify, and its secrets. */
export interface UnsupportedService {
  name: string;
  secrets: string[];
}

/**
 * Finds the services that secrets set up in Upptime and that this program does not notify. `value` returns
 * the value of a secret; a switch that is `false`, `0`, `no` or `off` turns its service off.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const secrets: Record<string, string> = { NOTIFICATION_GOTIFY: "true", NOTIFICATION_MASTODON: "false" };
 * assertEquals(unsupportedServices(Object.keys(secrets), (name) => secrets[name]), [
 *   { name: "Gotify", secrets: ["NOTIFICATION_GOTIFY"] },
 * ]);
 * ```
 */
export function unsupportedServices(
  names: readonly string[],
  value: (name: string) => string | undefined = () => "true",
): UnsupportedService[] {
  const given = [...new Set(names)].filter((name) => value(name)?.trim());
  const isOn = (name: string) => !/^(?:false|0|no|off)$/i.test(value(name)!.trim());
  return SERVICES.flatMap(({ name, switches, secrets }) => {
    const own = given.filter((one) => secrets.test(one));
    const set = own.filter((one) => switches.includes(one));
    const on = set.length > 0 ? set.filter(isOn) : own.filter(isOn);
    return on.length === 0 ? [] : [{ name, secrets: on.sort() }];
  });
}

/** The services in one sentence without a full stop; `undefined` if there are none. */
export function unsupportedNote(services: readonly UnsupportedService[]): string | undefined {
  if (services.length === 0) return undefined;
  const list = services.map(({ name, secrets }) => `${name} (${secrets.join(", ")})`).join(", ");
  return `Not carried over from Upptime: ${list}; nothing is sent there, so add another channel under notifications`;
}
