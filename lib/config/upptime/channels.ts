import { type Notification, USUAL_EVENTS } from "../channels/keys.ts";

/** Start of the names of secrets with which Upptime configures channels. */
const PREFIX = "NOTIFICATION_";

/** Secrets with several recipients, separated by commas: chats of Telegram, and phone numbers. */
const CHATS = "TELEGRAM_CHAT_ID";
const PHONES = "SMS_TO";

/** Channels that Upptime has switches for, and the secrets that they need. */
const SWITCHED = {
  email: { switches: ["EMAIL_SMTP"], needs: ["EMAIL_SMTP_HOST"] },
  slack: { switches: ["SLACK", "SLACK_WEBHOOK"], needs: ["SLACK_WEBHOOK_URL"] },
  discord: { switches: [], needs: ["DISCORD_WEBHOOK_URL"] },
  telegram: { switches: ["TELEGRAM"], needs: ["TELEGRAM_BOT_KEY", CHATS] },
  teams: { switches: ["TEAMS"], needs: ["TEAMS_WEBHOOK_URL"] },
  twilio: {
    switches: ["SMS_TWILIO"],
    needs: ["SMS_TWILIO_ACCOUNT_SID", "SMS_TWILIO_AUTH_TOKEN", "SMS_FROM", PHONES],
  },
  "google-chat": { switches: [], needs: ["GOOGLE_CHAT_WEBHOOK_URL"] },
  zulip: { switches: [], needs: ["ZULIP_MESSAGE_URL", "ZULIP_API_EMAIL", "ZULIP_API_KEY"] },
  gotify: { switches: ["GOTIFY"], needs: ["GOTIFY_URL", "GOTIFY_TOKEN"] },
  webhook: { switches: ["CUSTOM_WEBHOOK"], needs: ["CUSTOM_WEBHOOK_URL"] },
};

export const UPPTIME_SECRETS: readonly string[] = [
  ..."EMAIL EMAIL_FROM EMAIL_TO EMAIL_SMTP EMAIL_SMTP_HOST EMAIL_SMTP_PORT".split(" "),
  ..."EMAIL_SMTP_USERNAME EMAIL_SMTP_PASSWORD".split(" "),
  ...Object.values(SWITCHED).slice(1).flatMap(({ switches, needs }) => [...switches, ...needs]),
].map((name) => PREFIX + name);

const WEBHOOK_BODY = '{"data":{"message":"$SITE_NAME ($SITE_URL) is $SITE_STATUS"}}';

/**
 * The channels that Upptime's users have set up by secrets alone: a channel is on if its switches have any
 * value but `false`, `0`, `no` or `off`. `secret` returns the value of a secret, or `""`; the channels refer to
 * secrets by their names.
 */
export function upptimeChannels(secret: (name: string) => string): Notification[] {
  const value = (name: string) => secret(PREFIX + name).trim();
  const findFirst = (...names: string[]) => names.find((name) => value(name) !== "");
  const by = (name: string) => `$${PREFIX}${name}`;
  const isReady = (type: keyof typeof SWITCHED) =>
    isOn(type, value) && SWITCHED[type].needs.every((name) => value(name) !== "");
  const login = findFirst("EMAIL_SMTP_USERNAME") && {
    "smtp-username": by("EMAIL_SMTP_USERNAME"),
    "smtp-password": by("EMAIL_SMTP_PASSWORD"),
  };
  const port = findFirst("EMAIL_SMTP_PORT");
  const all: Notification[] = [
    {
      type: "email",
      "smtp-host": by("EMAIL_SMTP_HOST"),
      "smtp-port": port === undefined ? "587" : by(port),
      ...login,
      from: by(findFirst("EMAIL_FROM") ?? "EMAIL"),
      to: [by(findFirst("EMAIL_TO") ?? "EMAIL")],
    },
    { type: "slack", "webhook-url": by("SLACK_WEBHOOK_URL") },
    { type: "discord", "webhook-url": by("DISCORD_WEBHOOK_URL") },
    ...recipients(CHATS, value(CHATS)).map(([name]): Notification => (
      { type: "telegram", "bot-token": by("TELEGRAM_BOT_KEY"), "chat-id": by(name) }
    )),
    ...recipients(PHONES, value(PHONES)).map(([name]): Notification => ({
      type: "twilio",
      "account-sid": by("SMS_TWILIO_ACCOUNT_SID"),
      token: by("SMS_TWILIO_AUTH_TOKEN"),
      "from-number": by("SMS_FROM"),
      "to-number": by(name),
    })),
    { type: "teams", "webhook-url": by("TEAMS_WEBHOOK_URL") },
    { type: "google-chat", "webhook-url": by("GOOGLE_CHAT_WEBHOOK_URL") },
    {
      type: "zulip",
      url: by("ZULIP_MESSAGE_URL"),
      "bot-email": by("ZULIP_API_EMAIL"),
      "api-key": by("ZULIP_API_KEY"),
    },
    { type: "gotify", url: by("GOTIFY_URL"), token: by("GOTIFY_TOKEN") },
    {
      type: "webhook",
      url: by("CUSTOM_WEBHOOK_URL"),
      headers: { "Content-Type": "application/json" },
      body: WEBHOOK_BODY,
    },
  ];
  return Object.keys(SWITCHED).flatMap((type) =>
    isReady(type as keyof typeof SWITCHED)
      ? all.filter((one) => one.type === type).map((one) => ({ ...one, on: [...USUAL_EVENTS] }))
      : []
  );
}

/** A line of a workflow that passes a secret, or a text, under a name that configures a channel. */
const PASSED =
  /^[ ]*(NOTIFICATION_[A-Z0-9_]+):[ ]*["']?(?:\$\{\{\s*secrets\.(\w+)\s*\}\}|([^"'#\n]*?))["']?[ ]*(?:#.*)?$/gm;

/** The names in {@linkcode PASSED} lines of workflows, with a reference to the secret or the text. */
export function parsePassedSecrets(workflows: readonly string[]): Map<string, string> {
  const lines = workflows.flatMap((text) => [...text.replaceAll("\r", "").matchAll(PASSED)]);
  return new Map(
    lines.map(([, name, secret, text]) => [name!, secret ? `$${secret}` : text ?? ""]),
  );
}

/**
 * The channels whose secrets workflows pass one by one, as those of early users do. A switch that is not among them
 * counts as set.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const workflow = "env:\n  NOTIFICATION_DISCORD_WEBHOOK_URL: ${{ secrets.DISCORD }}\n";
 * assertEquals(findPassedChannels(parsePassedSecrets([workflow])), [
 *   { type: "discord", "webhook-url": "$DISCORD", on: ["down", "up", "degraded", "certificate"] },
 * ]);
 * ```
 */
export function findPassedChannels(passed: ReadonlyMap<string, string>): Notification[] {
  const switches = new Set(Object.values(SWITCHED).flatMap(({ switches }) => switches));
  const isSwitch = (name: string) => switches.has(name.slice(PREFIX.length));
  const channels = upptimeChannels((name) => passed.get(name) ?? (isSwitch(name) ? "true" : ""));
  const text = JSON.stringify(channels).replaceAll(
    /"\$(NOTIFICATION_[A-Z0-9_]+)"/g,
    (reference, name) => JSON.stringify(passed.get(name)) ?? reference,
  );
  return JSON.parse(text);
}

/**
 * Channels that secrets turn on and that lack others, with the names of those missing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const secrets: Record<string, string> = { NOTIFICATION_TEAMS: "true", NOTIFICATION_TELEGRAM: "false" };
 * assertEquals(incompleteChannels((name) => secrets[name] ?? ""), [
 *   { channel: "teams (NOTIFICATION_TEAMS)", missing: ["NOTIFICATION_TEAMS_WEBHOOK_URL"] },
 * ]);
 * ```
 */
export function incompleteChannels(
  secret: (name: string) => string,
): { channel: string; missing: string[] }[] {
  const value = (name: string) => secret(PREFIX + name).trim();
  return Object.entries(SWITCHED).flatMap(([type, { switches, needs }]) => {
    const missing = needs.filter((name) => value(name) === "").map((name) => PREFIX + name);
    if (switches.length * missing.length === 0 || !isOn(type as keyof typeof SWITCHED, value)) {
      return [];
    }
    const names = switches.map((name) => PREFIX + name).join(", ");
    return [{ channel: `${type} (${names})`, missing }];
  });
}

function isOn(type: keyof typeof SWITCHED, value: (name: string) => string): boolean {
  const { switches } = SWITCHED[type];
  return switches.every((name) => !/^(?:|false|0|no|off)$/i.test(value(name)));
}

/**
 * Adds a secret for each recipient of a list, so that a channel can refer to it by its name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withSingleRecipients({ NOTIFICATION_TELEGRAM_CHAT_ID: "1, 2" }), {
 *   NOTIFICATION_TELEGRAM_CHAT_ID: "1, 2",
 *   NOTIFICATION_TELEGRAM_CHAT_ID_1: "1",
 *   NOTIFICATION_TELEGRAM_CHAT_ID_2: "2",
 * });
 * ```
 */
export function withSingleRecipients(
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const single = [CHATS, PHONES].flatMap((name) => recipients(name, secrets[PREFIX + name] ?? ""))
    .map(([name, recipient]): [string, string] => [PREFIX + name, recipient]);
  return { ...Object.fromEntries(single), ...secrets };
}

/** The recipients in a secret, each with the name of a secret of its own. */
function recipients(secret: string, list: string): [name: string, recipient: string][] {
  const isList = list.includes(",");
  const all = list.split(",").map((one) => one.trim()).filter((one) => one !== "");
  return all.map((one, index) => [isList ? `${secret}_${index + 1}` : secret, one]);
}

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

function service(name: string, prefix: string) {
  return [name, [`NOTIFICATION_${prefix}`], new RegExp(`^NOTIFICATION_${prefix}(?:_|$)`)] as const;
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
  value: (name: string) => string | undefined,
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
