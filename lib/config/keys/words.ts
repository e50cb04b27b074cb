import { findMeant } from "../../text/nearest.ts";
import { DOCS } from "../../version.ts";
import { found } from "./values.ts";

/** Words of ours, the likeliest first, with those of other programs: in lower case, without hyphens. */
type Words = Readonly<Record<string, string>>;

/** Keys, with those of other programs that do the same. */
const KEY_WORDS: Words = {
  accent: "accentcolor brandcolor color colour maincolor primary primarycolor themecolor",
  "smtp-host": "host hostname server",
  "smtp-username": "user username",
  "status-website": "statuspage website",
  supportLink: "contact help supportemail supporturl",
  "webhook-url": "webhook",
  sites: "checks domains endpoints hosts monitors services site targets urls websites",
  "bot-token": "bottoken token",
  "api-key": "apikey key token",
  "integration-key": "apikey key routingkey",
  token: "apikey bottoken key token",
  url: "address domain endpoint host hostname href server uri webhook website",
  to: "address email mail recipient recipients",
  "to-number": "phone recipient recipients",
  user: "user userid username",
  headers: "auth basicauth bearer cookie cookies requestheaders user",
  owner: "org organization user",
  icon: "icon",
  favicon: "icon",
  font: "fontfamily typeface",
  assert: "assertions conditions json jsonpath jsonquery regex regexp",
  body: "data payload requestbody",
  ca: "cacert",
  "chat-id": "chat",
  check: "icmp monitortype ping protocol",
  clientCertificate: "cert clientcert",
  cname: "domain",
  contains: "expectedbody keyword requiredkeyword",
  css: "customcss styles",
  dependsOn: "parent",
  expectedStatusCodes:
    "acceptedstatuscodes expectedstatus expectedstatuscode status statuscode statuscodes",
  from: "sender",
  group: "category groups",
  language: "lang locale",
  insecure: "ignoretls skiptlsverify skipverify tls verifyssl",
  interval: "checkfrequency frequency period",
  inverted: "upsidedown",
  locations: "regions",
  logoUrl: "logo",
  maintenance: "maintenancewindows",
  maxRedirects: "follow followredirects",
  maxResponseTime: "latency responsetimethreshold slow threshold",
  method: "requestmethod",
  name: "site title",
  notifications: "alert alerting alerts channels",
  on: "events",
  paused: "active disabled enabled",
  public: "hidden private published visible",
  record: "dnsresolvetype dnstype querytype",
  reminders: "resendinterval",
  repo: "repository",
  requestTimeout: "maxtime timeout",
  resolver: "dnsresolveserver nameserver",
  retry: "attempts maxretries retries retryinterval",
  "smtp-password": "password",
  tags: "labels",
  themeColor: "accent",
  timezone: "tz",
  workflowSchedule: "cron schedule",
};

/** How services and ways without a channel type of their own are reached, with their words. */
const TYPE_CURES: Words = {
  "use type: apprise":
    "bark dingtalk feishu ifttt lark line mastodon pushbullet pushsafer reddit sns synology twitter viber webex wecom xmpp",
  "use type: email": "awsses mail mailgun sendgrid ses smtp",
  "use type: google-chat": "gchat googlehangouts hangouts",
  "use type: jsm": "atlassian jira jiraservicemanagement",
  "use type: jsm with url: https://api.opsgenie.com": "opsgenie",
  "use type: twilio": "phone sms text",
  "use type: twilio with call: true": "call phonecall voice",
  "use type: webhook": "custom http https url zapier",
  [toRecipe("home-assistant")]: "hass homeassistant",
  [toRecipe("nextcloud-talk")]: "nextcloud nextcloudtalk talk",
  [toRecipe("signal")]: "signal signalcli",
  [toRecipe("whatsapp")]: "whatsapp",
};

/** The recipe of a service in the docs, under a heading with this anchor. */
function toRecipe(anchor: string): string {
  return `use type: webhook as in ${DOCS}/notifications.md#${anchor}`;
}

const EVENT_WORDS: Words = {
  down: "alert critical error fail failed failing failure incident offline outage",
  up: "ok online recover recovered recovery resolve resolved success",
  degraded: "performance slow warning",
  certificate: "cert expiry ssl tls",
  reminder: "remind repeat still",
  flapping: "flap unstable",
  acknowledged: "ack acknowledge acknowledgement",
};

/** A word without case, hyphens, blanks, and characters that can't be seen. */
export function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_\-\u00ad\u200b-\u200f\u2060\ufeff]/g, "");
}

function findWord(
  words: Words,
  word: string,
  known: readonly string[] = Object.keys(words),
): string | undefined {
  const wanted = plain(word);
  return Object.keys(words)
    .find((one) => known.includes(one) && words[one]!.split(" ").includes(wanted));
}

export function findOtherWord(key: string, known: readonly string[]): string | undefined {
  return findWord(KEY_WORDS, key, known);
}

/**
 * Finds the key that an unknown one means: by the word of other programs, else by spelling.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const meant = (key: string) => findMeantKey(key, ["requestTimeout", "timezone", "url"]);
 * assertEquals(["timeout", "timezon", "Hostname", "weather"].map(meant), ["requestTimeout", "timezone", "url", undefined]);
 * ```
 */
export function findMeantKey(key: string, known: readonly string[]): string | undefined {
  // Most words of other programs that are only a little like a key mean something else.
  const most = Math.max(1, Math.floor(key.length / 3));
  return findOtherWord(key, known) ?? findMeant(key, known, most);
}

/** Explains an unknown type of channel: how else it is reached, or the types and the nearest one. */
export function describeUnknownType(word: string, types: readonly string[]): string {
  const cure = findWord(TYPE_CURES, word);
  const known = `expected one of ${types.join(", ")}, found ${found(word)}`;
  const near = findMeant(word, types);
  if (cure !== undefined) return `${found(word)} is no type of channel: ${cure}`;
  return near === undefined ? known : `${known}, did you mean "${near}"?`;
}

/** The hint for the end of an error about an unknown event; empty if none is near. */
export function eventHint(word: string, events: readonly string[]): string {
  const near = findWord(EVENT_WORDS, word, events) ?? findMeant(word, events);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}
