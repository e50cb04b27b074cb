import * as v from "valibot";
import { DAY } from "../../time.ts";
import { parseAddresses } from "../../text/mail_addresses.ts";
import { duration, timezone } from "../keys/times.ts";
import { findMeantMethod } from "../keys/methods.ts";
import {
  about,
  expected,
  flag,
  found,
  list,
  map,
  names,
  optional,
  port,
  text,
  textOrNumber,
  word,
} from "../keys/values.ts";

/** In the order of `dayOfWeek` of a date, from 1. */
export const DAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

function timeOfDay(last: "23:59" | "24:00") {
  const what = `a time from 00:00 to ${last}, such as ${last === "24:00" ? "07:00" : "22:00"}`;
  const isRight = (text: string) => TIME.test(text) && text.trim().padStart(5, "0") <= last;
  return v.pipe(
    v.string(expected(what)),
    v.check(isRight, expected(what)),
    v.transform((text) => text.trim().padStart(5, "0")),
  );
}

const TIME = /^\s*\d?\d:[0-5]\d\s*$/;

/** Quiet hours of a channel: from one time of the day to another, on the next day if that is earlier. */
function quietHours() {
  const keys = {
    from: about("Time of the day at which they start, such as 22:00.", timeOfDay("23:59")),
    to: about("Time at which they end; on the next day if it is earlier.", timeOfDay("24:00")),
    timezone: optional("Their time zone. Default: `timezone` of the top level.", timezone()),
    days: optional(
      "Days on which they start. Default: every day.",
      v.pipe(list(word(DAY_NAMES)), v.minLength(1, "names no day: omit it for every day")),
    ),
    except: optional("critical: events of that severity are sent at once.", word(["critical"])),
  };
  return v.pipe(
    map(keys, "a map with from and to"),
    v.check(
      ({ from, to }) => from !== to,
      ({ input: { from } }) =>
        `from and to are both ${from}: write the time at which they end in to, or on: [] in place of quiet to notify the channel of nothing`,
    ),
  );
}

export type QuietHours = v.InferOutput<ReturnType<typeof quietHours>>;

export const CHANNEL_TYPES = [
  "email",
  "webhook",
  "slack",
  "discord",
  "telegram",
  "teams",
  "pagerduty",
  "datadog",
  "ntfy",
  "gotify",
  "matrix",
  "pushover",
  "jsm",
  "incident-io",
  "twilio",
  "apprise",
  "google-chat",
  "mattermost",
  "rocket-chat",
  "zulip",
] as const;

export type ChannelType = typeof CHANNEL_TYPES[number];

/** Methods that the runtime can send: all but those that `fetch` forbids. */
export const SENDABLE_METHOD = /^(?!(?:CONNECT|TRACE|TRACK)$)[A-Z]+$/i;

/** Names that HTTP allows for a header (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const SEVERITIES = ["critical", "error", "warning", "info"] as const;

export const NOTIFICATION_EVENTS = [
  "down",
  "up",
  "degraded",
  "maintenance",
  "certificate",
  "unknown",
] as const;

export const USUAL_EVENTS = ["down", "up", "degraded", "certificate"] as const;

export const REPORT_PERIODS = ["week", "month"] as const;
export type ReportPeriod = typeof REPORT_PERIODS[number];

/** Kinds of messages that can have a text of their own, or be sent without sound. */
export const MESSAGE_KINDS = [
  ...NOTIFICATION_EVENTS,
  "reminder",
  "flapping",
  "acknowledged",
] as const;

export type MessageKind = typeof MESSAGE_KINDS[number];

export const TEXTS_BY_KIND = Object.fromEntries(
  MESSAGE_KINDS.map((kind) => [kind, v.optional(text())]),
) as Record<MessageKind, v.OptionalSchema<ReturnType<typeof text>, undefined>>;

/** `message-template` as a map; `subject` is that of a mail. */
const TEMPLATES = v.strictObject({
  ...TEXTS_BY_KIND,
  subject: v.optional(v.union([text(), v.strictObject(TEXTS_BY_KIND)])),
});

/** Longest `after`, in milliseconds. */
const LONGEST_DELAY = 30 * DAY;

/** A year in seconds: no interval between messages is longer. */
const YEAR = 31_536_000;

function seconds({ min = 0, max = YEAR } = {}) {
  return v.pipe(
    duration("s", { min: 1000 * min, max: 1000 * max }),
    v.transform((milliseconds) => milliseconds / 1000),
  );
}

/** A host name, an IPv4 address, or an IPv6 address in brackets. */
const SERVER_NAME = /^(?:[\p{L}\p{N}._:-]+|\[[\da-f.:]+\])$/iu;
const DOMAIN = /^(?:https?:\/\/)?[a-z\d.-]+(?::\d+)?\/?$/i;

function headers() {
  // To `record`, a list is a map by its indexes.
  const name = v.pipe(
    v.string(),
    v.regex(HEADER_NAME, "is no name that HTTP allows for a header"),
    v.regex(/\D/, "expected a map of texts, found a list"),
  );
  return v.record(name, v.string(expected("a text")), expected("a map of texts"));
}

const SECRET = /\$[A-Za-z_]\w*/g;

/** An address that requests are sent to. It may be a credential, so that no error quotes it. */
function address() {
  return v.pipe(
    text("an address or a $SECRET"),
    v.check(
      (value) => /^\s*\$/.test(value) || /^https?:$/.test(protocolOf(value)),
      "expected an address that starts with https:// or http://, or a $SECRET",
    ),
  );
}

function protocolOf(template: string): string {
  return URL.parse(template.trim().replaceAll(SECRET, "x"))?.protocol ?? "";
}

/** Up to so many mail addresses, or a secret with them. */
function mailAddresses(most: number) {
  const isRight = (value: string) => {
    const addresses = parseAddresses(value);
    return !addresses.includes(undefined) && addresses.length >= 1 && addresses.length <= most;
  };
  return v.pipe(
    text(),
    v.check(
      (value) => value.search(SECRET) >= 0 || isRight(value),
      expected("a mail address or a $SECRET"),
    ),
  );
}

function matching(pattern: RegExp, what: string) {
  const isRight = (value: string) => pattern.test(value.trim().replaceAll(SECRET, "x"));
  return v.pipe(text(), v.check(isRight, expected(what)));
}

export const NOTIFICATION_KEYS = {
  type: about("Channel type.", word(CHANNEL_TYPES)),
  on: optional(
    "Events: down, up, degraded, certificate (default: these four), maintenance, unknown.",
    list(word(NOTIFICATION_EVENTS), "a list of events"),
  ),
  "webhook-url": optional(
    "slack, discord, teams, google-chat, mattermost, rocket-chat: webhook address.",
    address(),
  ),
  channel: optional(
    "slack with bot-token, zulip: channel; mattermost, rocket-chat: another than the webhook's own. Slack supports it only for legacy webhooks, the others if the webhook's settings allow it.",
    text(),
  ),
  "bot-token": optional(
    "telegram: bot token; slack: token of a bot, instead of webhook-url.",
    text(),
  ),
  "chat-id": optional("telegram: chat ID, or @name of a channel.", textOrNumber("a text")),
  "smtp-host": optional("email: SMTP server.", matching(SERVER_NAME, "the name of a mail server")),
  "smtp-port": optional("email: SMTP port.", port()),
  "smtp-username": optional("email: SMTP account.", text()),
  "smtp-password": optional("email: SMTP password, as a $SECRET.", text()),
  from: optional("email: sender.", mailAddresses(1)),
  to: optional(
    "email: recipients.",
    list(mailAddresses(Infinity), "a list of addresses"),
  ),
  topic: optional(
    "ntfy: topic, which is a secret unless it is protected. zulip: topic. Default: the site's name.",
    text(),
  ),
  token: optional(
    "gotify, ntfy, matrix, pushover, incident-io, twilio: token. `gotify`: token of an application; `ntfy`: access token; `matrix`: access token of an account; `pushover`: token of an application; `incident-io`: token of an alert source; `twilio`: auth token, or secret of key-sid.",
    text(),
  ),
  room: optional(
    "matrix: ID of a room, such as !abc:example.org.",
    matching(/^(?:!\S+|x)$/, "the ID of a room, which starts with !, or a $SECRET"),
  ),
  user: optional("pushover: key of a user or group.", text()),
  retry: optional(
    "pushover: seconds between two repetitions of a message of priority 2. Default: 60.",
    seconds({ min: 30, max: 10_800 }),
  ),
  expire: optional(
    "pushover: seconds in which a message of priority 2 is repeated. Default: 3600.",
    seconds({ min: 30, max: 10_800 }),
  ),
  "account-sid": optional("twilio: SID of the account.", text()),
  "key-sid": optional("twilio: SID of an API key, instead of the account's auth token.", text()),
  call: optional("twilio: true calls and reads the message aloud, instead of sending it.", flag()),
  "from-number": optional(
    "twilio: number of the sender, or SID of a messaging service, which can't call.",
    textOrNumber("a phone number"),
  ),
  "to-number": optional(
    "twilio: number of the recipient, such as +43664123456.",
    textOrNumber("a phone number"),
  ),
  url: optional(
    "webhook, apprise, incident-io: address to send to; others: base address. The base address can be that of your server, a region or a proxy.",
    address(),
  ),
  method: optional(
    "webhook: HTTP method. Default: POST. GET and HEAD have no body.",
    v.pipe(
      matching(SENDABLE_METHOD, "an HTTP method that can be sent, such as POST or PUT"),
      v.check(
        (method) => findMeantMethod(method) === undefined,
        ({ input }) =>
          `expected an HTTP method such as POST or PUT, found ${found(input)}, did you mean "${
            findMeantMethod(input)
          }"?`,
      ),
    ),
  ),
  headers: optional("webhook: headers by name.", headers()),
  body: optional(
    "webhook: body, with the placeholders of `message-template`. Default: JSON of version 1. `$EVENTS` (a JSON list) and `$SUMMARY` contain all events of a group.",
    text(),
  ),
  "integration-key": optional("pagerduty: key of the service's Events API v2 integration.", text()),
  severity: optional(
    "critical or warning: only events of this severity are sent. An outage of a critical site is critical, everything else is a warning. For pagerduty: severity of every alert, by default that of the event.",
    word(SEVERITIES),
  ),
  priority: optional(
    "gotify, pushover, jsm: priority. `gotify`: 0 to 10 for every message; default 8 for down, 5 for degraded, 2 for up. `pushover`: -2 to 2 for down, where 2 is repeated until somebody acknowledges; default 1. `jsm`: P1 to P5 for down; default P1.",
    textOrNumber("a priority"),
  ),
  component: optional("pagerduty: affected component. Default: the site's slug.", text()),
  "api-key": optional("datadog, jsm, zulip: API key.", text()),
  "bot-email": optional("zulip: address of the bot.", text()),
  site: optional(
    "datadog: regional domain, such as datadoghq.eu. Default: datadoghq.com.",
    matching(DOMAIN, "a domain such as datadoghq.eu"),
  ),
  tags: optional(
    'Tags of the sites it is notified about; "!tag" excludes one. For datadog and jsm: tags of every event, in addition to site and status; for apprise: tags of targets.',
    list(textOrNumber("a text"), "a list of tags"),
  ),
  "message-template": optional(
    "Text of each event, or a map of texts by kind of message. Kinds: down, up, degraded, maintenance, certificate, unknown, reminder, flapping, acknowledged. A kind without a text gets the default one. For email, `subject` is a text or a map of the same kind. Placeholders: $SITE_NAME, $STATUS, $SITE_URL, $RESPONSE_CODE, $TIMESTAMP, $RESPONSE_TIME, $ERROR, $DURATION, $INCIDENT_URL, $DESCRIPTION, $RUNBOOK, $TAGS, $GROUP, $HINT, $BODY.",
    v.union([text(), TEMPLATES]),
  ),
  short: optional(
    "Chats, ntfy, gotify, pushover, apprise: true sends messages of one line.",
    flag(),
  ),
  silent: optional(
    "discord, telegram, ntfy, pushover: kinds of messages that make no sound. Default: none. The kinds are those of `message-template`.",
    list(word(MESSAGE_KINDS), "a list of events"),
  ),
  "min-interval": optional("Minimum seconds between two messages of the channel.", seconds()),
  "group-notifications": optional("true merges the events of a run into one message.", flag()),
  "group-interval": optional(
    "Seconds in which later events are merged into one more message.",
    seconds(),
  ),
  reminders: optional(
    "Minutes between reminders while a site is down or degraded, such as [30m, 2h]. The last interval repeats.",
    list(
      duration("m", { min: 60_000, max: 1000 * YEAR }),
      "a list of lengths of time such as [30m, 2h]",
    ),
  ),
  after: optional(
    "Minutes from the start of an incident until the channel is notified, such as 15m or 1h. The incident must still be open and not acknowledged then.",
    duration("m", { max: LONGEST_DELAY }),
  ),
  sites: optional(
    'Names or slugs of the sites it is notified about; "!name" excludes one. Default: all.',
    names("a site"),
  ),
  groups: optional(
    'Groups of the sites it is notified about; "!name" excludes one.',
    names("a group"),
  ),
  report: optional(
    "week, month or both: sends uptime, outages and objectives of its sites once they are over.",
    list(word(REPORT_PERIODS), "week, month or both"),
  ),
  quiet: optional("Quiet hours: events in them become one message at their end.", quietHours()),
};

/** One notification channel; intervals in seconds. */
export const NOTIFICATION = v.object(NOTIFICATION_KEYS);

export type Notification = v.InferOutput<typeof NOTIFICATION>;
