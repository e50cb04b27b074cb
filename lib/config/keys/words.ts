import { findMeant } from "../../text/nearest.ts";
import { DOCS } from "../../version.ts";
import { found } from "./values.ts";

type Words = Readonly<Record<string, readonly string[]>>;

/** Keys of other programs, in lower case and without hyphens, and the keys here that do the same, the likeliest first. */
const KEY_WORDS: Words = {
  accent: ["themeColor"],
  acceptedstatuscodes: ["expectedStatusCodes"],
  active: ["paused"],
  address: ["url", "to"],
  alert: ["notifications"],
  alerting: ["notifications"],
  alerts: ["notifications"],
  apikey: ["api-key", "token", "integration-key"],
  assertions: ["assert"],
  attempts: ["retry"],
  auth: ["headers"],
  basicauth: ["headers"],
  bearer: ["headers"],
  bottoken: ["bot-token", "token"],
  cacert: ["ca"],
  category: ["group"],
  cert: ["clientCertificate"],
  channels: ["notifications"],
  chat: ["chat-id"],
  checkfrequency: ["interval"],
  checks: ["sites"],
  clientcert: ["clientCertificate"],
  conditions: ["assert"],
  cookie: ["headers"],
  cookies: ["headers"],
  cron: ["workflowSchedule"],
  customcss: ["css"],
  data: ["body"],
  disabled: ["paused"],
  dnsresolveserver: ["resolver"],
  dnsresolvetype: ["record"],
  dnstype: ["record"],
  domain: ["url", "cname"],
  domains: ["sites"],
  email: ["to"],
  enabled: ["paused"],
  endpoint: ["url"],
  endpoints: ["sites"],
  events: ["on"],
  expectedbody: ["contains"],
  expectedstatus: ["expectedStatusCodes"],
  expectedstatuscode: ["expectedStatusCodes"],
  follow: ["maxRedirects"],
  followredirects: ["maxRedirects"],
  frequency: ["interval"],
  host: ["smtp-host", "url"],
  hostname: ["smtp-host", "url"],
  hosts: ["sites"],
  href: ["url"],
  icmp: ["check"],
  icon: ["icon", "favicon"],
  ignoretls: ["insecure"],
  json: ["assert"],
  jsonpath: ["assert"],
  jsonquery: ["assert"],
  key: ["integration-key", "api-key", "token"],
  keyword: ["contains"],
  labels: ["tags"],
  latency: ["maxResponseTime"],
  logo: ["logoUrl"],
  mail: ["to"],
  maintenancewindows: ["maintenance"],
  maxretries: ["retry"],
  maxtime: ["requestTimeout"],
  monitors: ["sites"],
  monitortype: ["check"],
  nameserver: ["resolver"],
  org: ["owner"],
  organization: ["owner"],
  parent: ["dependsOn"],
  password: ["smtp-password"],
  payload: ["body"],
  period: ["interval"],
  phone: ["to-number"],
  ping: ["check"],
  protocol: ["check"],
  querytype: ["record"],
  recipient: ["to", "to-number"],
  recipients: ["to", "to-number"],
  regex: ["assert"],
  regexp: ["assert"],
  regions: ["locations"],
  repository: ["repo"],
  requestbody: ["body"],
  requestheaders: ["headers"],
  requestmethod: ["method"],
  requiredkeyword: ["contains"],
  resendinterval: ["reminders"],
  responsetimethreshold: ["maxResponseTime"],
  retries: ["retry"],
  retryinterval: ["retry"],
  routingkey: ["integration-key"],
  schedule: ["workflowSchedule"],
  sender: ["from"],
  server: ["smtp-host", "url"],
  services: ["sites"],
  site: ["sites", "name"],
  skiptlsverify: ["insecure"],
  skipverify: ["insecure"],
  slow: ["maxResponseTime"],
  status: ["expectedStatusCodes"],
  statuscode: ["expectedStatusCodes"],
  statuscodes: ["expectedStatusCodes"],
  statuspage: ["status-website"],
  styles: ["css"],
  targets: ["sites"],
  threshold: ["maxResponseTime"],
  timeout: ["requestTimeout"],
  title: ["name"],
  tls: ["insecure"],
  token: ["bot-token", "token", "api-key"],
  tz: ["timezone"],
  upsidedown: ["inverted"],
  uri: ["url"],
  urls: ["sites"],
  user: ["smtp-username", "user", "headers", "owner"],
  userid: ["user"],
  username: ["smtp-username", "user"],
  verifyssl: ["insecure"],
  webhook: ["webhook-url", "url"],
  website: ["status-website", "url"],
  websites: ["sites"],
};

/** How services and ways without a channel type of their own are reached. */
const TYPE_CURES: Readonly<Record<string, string>> = {
  ...toEach("use type: apprise", [
    ..."bark dingtalk feishu ifttt lark line mastodon pushbullet pushsafer reddit".split(" "),
    ..."sns synology twitter viber webex wecom xmpp".split(" "),
  ]),
  ...toEach("use type: email", ["aws-ses", "mail", "mailgun", "sendgrid", "ses", "smtp"]),
  ...toEach("use type: google-chat", ["gchat", "googlehangouts", "hangouts"]),
  ...toEach("use type: jsm", ["atlassian", "jira", "jira-service-management"]),
  ...toEach("use type: jsm with url: https://api.opsgenie.com", ["opsgenie"]),
  ...toEach("use type: twilio", ["phone", "sms", "text"]),
  ...toEach("use type: twilio with call: true", ["call", "phone-call", "voice"]),
  ...toEach("use type: webhook", ["custom", "http", "https", "url", "zapier"]),
  ...toRecipe("home-assistant", ["hass", "home-assistant"]),
  ...toRecipe("nextcloud-talk", ["nextcloud", "nextcloud-talk", "talk"]),
  ...toRecipe("signal", ["signal", "signal-cli"]),
  ...toRecipe("whatsapp", ["whatsapp", "whats-app"]),
};

function toEach(cure: string, words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => [plain(word), cure]));
}

/** Services with a recipe in the docs, under a heading with this anchor. */
function toRecipe(anchor: string, words: readonly string[]): Record<string, string> {
  return toEach(`use type: webhook as in ${DOCS}/notifications.md#${anchor}`, words);
}

const EVENT_WORDS: Words = {
  ...toAll("down", [
    "alert",
    "critical",
    "error",
    "fail",
    "failed",
    "failing",
    "failure",
    "incident",
    "offline",
    "outage",
  ]),
  ...toAll("up", [
    "ok",
    "online",
    "recover",
    "recovered",
    "recovery",
    "resolve",
    "resolved",
    "success",
  ]),
  ...toAll("degraded", ["performance", "slow", "warning"]),
  ...toAll("certificate", ["cert", "expiry", "ssl", "tls"]),
  ...toAll("reminder", ["remind", "repeat", "still"]),
  ...toAll("flapping", ["flap", "unstable"]),
  ...toAll("acknowledged", ["ack", "acknowledge", "acknowledgement"]),
};

function toAll(word: string, others: readonly string[]): Words {
  return Object.fromEntries(others.map((other) => [plain(other), [word]]));
}

/** A word without case, hyphens, blanks, and characters that can't be seen. */
export function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_\-\u00ad\u200b-\u200f\u2060\ufeff]/g, "");
}

function findWord(words: Words, word: string, known: readonly string[]): string | undefined {
  const meant = Object.hasOwn(words, plain(word)) ? words[plain(word)]! : [];
  return meant.find((one) => known.includes(one));
}

/** Finds the key for which other programs have this word. */
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
  const cure = Object.hasOwn(TYPE_CURES, plain(word)) ? TYPE_CURES[plain(word)] : undefined;
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
