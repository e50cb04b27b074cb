const SMS = "46ELKS CALLR CLICKATELL INFOBIP NEXMO OVH PLIVO".split(" ");

/** Services that Upptime notifies and this program does not: the secrets that turn each on, and all of its secrets. */
const SERVICES: readonly (readonly [name: string, switches: readonly string[], secrets: RegExp])[] =
  [
    ...SMS.map((provider) => service("SMS", `SMS_${provider}`)),
    service("Mastodon", "MASTODON"),
    service("Misskey", "MISSKEY"),
    service("Lark", "LARK"),
    [
      "Slack bot",
      ["NOTIFICATION_SLACK_BOT", "NOTIFICATION_SLACK_BOT_TOKEN"],
      /^(?:NOTIFICATION_SLACK_(?!WEBHOOK)|SLACK_(?:APP|BOT)_(?:ACCESS_)?TOKEN$)/,
    ],
    ...["SendGrid", "SES", "SparkPost", "Mailgun"].map((name) =>
      service(`mail by ${name}`, `EMAIL_${name.toUpperCase()}`)
    ),
  ];

function service(name: string, prefix: string, ...switches: string[]) {
  const names = switches.length === 0 ? [prefix] : switches;
  return [
    name,
    names.map((one) => `NOTIFICATION_${one}`),
    new RegExp(`^NOTIFICATION_${prefix}(?:_|$)`),
  ] as const;
}

/** Secrets that show which of these services a user of Upptime has set up. */
export const UPPTIME_SWITCHES: readonly string[] = SERVICES.flatMap(([, switches]) => switches);

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
 * const secrets: Record<string, string> = { NOTIFICATION_LARK: "true", NOTIFICATION_MASTODON: "false" };
 * assertEquals(unsupportedServices(Object.keys(secrets), (name) => secrets[name]), [
 *   { name: "Lark", secrets: ["NOTIFICATION_LARK"] },
 * ]);
 * ```
 */
export function unsupportedServices(
  names: readonly string[],
  value: (name: string) => string | undefined = () => "true",
): UnsupportedService[] {
  const given = [...new Set(names)].filter((name) => value(name)?.trim());
  const isOn = (name: string) => !/^(?:false|0|no|off)$/i.test(value(name)!.trim());
  return SERVICES.flatMap(([name, switches, secrets]) => {
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
