import * as v from "valibot";
import { formatPath, type Problem } from "../../io/problem.ts";
import { findMeant } from "../../text/nearest.ts";
import { isMap } from "../document.ts";
import { readKeys } from "../keys/read_keys.ts";
import { found, type KeyProblem, readWhole, text, word } from "../keys/values.ts";
import { describeUnknownType, eventHint, findMeantKey } from "../keys/words.ts";
import {
  CHANNEL_TYPES,
  type ChannelType,
  MESSAGE_KINDS,
  type Notification,
  NOTIFICATION_EVENTS,
  NOTIFICATION_KEYS,
  REPORT_PERIODS,
  TEXTS_BY_KIND,
  USUAL_EVENTS,
} from "./keys.ts";
import {
  CHANNEL_KINDS,
  describeDestination,
  findKind,
  isKeyOfOthers,
  isPayloadKey,
  isPerEvent,
  takesReports,
} from "./kinds.ts";
import { listRoute, readRoute, ROUTE_KEYS, type RoutedSites } from "./routes.ts";

/** The channels of a list that can't be used at all, as {@linkcode Problem.channel}. */
export const ALL_CHANNELS = "the list of notification channels";

const { type: TYPE, ...OPTIONAL_KEYS } = NOTIFICATION_KEYS;
/** For channels that choose events by it; others send it as it is. */
const CHOOSING_SEVERITY = { severity: v.optional(word(["critical", "warning"])) };
/** Schema of a text in place of a map of texts; {@linkcode readTexts} reads those. */
const TEXT = v.optional(text("a text or a map of texts"));

/**
 * Reads channels. Wrong optional values are ignored, unusable channels left out; both are reported. `routed`
 * is absent for the channels of a site.
 */
export function readNotifications(
  value: unknown = [],
  path: Problem["path"],
  routed?: RoutedSites,
): { notifications: Notification[]; problems: Problem[] } {
  if (!Array.isArray(value) && !isMap(value)) {
    const message = `expected a list of notifications, found ${found(value)}`;
    const problem: Problem = { severity: "error", path, message, channel: ALL_CHANNELS };
    return { notifications: [], problems: [problem] };
  }
  const firsts = new Map<string, { notification: Notification; place: Problem["path"] }>();
  const problems: Problem[] = [];
  const notifications = [value].flat().flatMap((item: unknown, index) => {
    const place = Array.isArray(value) ? [...path, index] : path;
    const report = ({ path, ...fault }: KeyProblem) =>
      problems.push({ severity: "error", path: [...place, ...path], ...fault });
    const { notification: channel, problems: ofChannel } = readChannel(item);
    ofChannel.forEach(report);
    if (channel === undefined) return [];
    const { notification, problems: ofRoute } = routed === undefined
      ? withoutRoute(channel)
      : readRoute(channel, routed);
    ofRoute.forEach(report);
    const destination = describeDestination(notification);
    const first = firsts.get(destination);
    if (first === undefined) firsts.set(destination, { notification, place });
    else {
      const message = describeRepetition(notification, first.notification);
      const where = `leads to the same place as ${formatPath(first.place)}`;
      if (message !== undefined) {
        report({ severity: "warning", path: [], message: `${where}: ${message}` });
      }
    }
    return [notification];
  });
  return { notifications, problems };
}

/** Keys that count at each listing of a channel; all others are as in the first. */
const LISTING_KEYS = ["on", "after", "severity", ...ROUTE_KEYS] as const;

/** Explains what has no effect in a further listing of a channel. */
function describeRepetition(again: Notification, first: Notification): string | undefined {
  const counting = LISTING_KEYS.filter((key) => !isPayloadKey(again.type, key));
  const common = (one: Notification) =>
    JSON.stringify({ ...one, ...Object.fromEntries(counting.map((key) => [key, undefined])) });
  if (common(again) !== common(first)) {
    const keys = counting.filter((key) => key === "on" || again[key] !== undefined);
    const verb = keys.length === 1 ? "has" : "have";
    return `only its ${keys.map((key) => `${key}:`).join(", ")} ${verb} an effect`;
  }
  const chosen = (one: Notification) =>
    JSON.stringify(counting.filter((key) => key !== "after").map((key) => one[key] ?? null));
  if (again.after === first.after || chosen(again) !== chosen(first)) return undefined;
  return "only the shorter after: counts, write reminders: to repeat a message";
}

/** A channel of a site, which is notified of that site whatever its lists. */
function withoutRoute(notification: Notification): ReturnType<typeof readRoute> {
  const given = ROUTE_KEYS.filter((key) => listRoute(notification, key).length > 0);
  const message = "has no effect here: a channel of a site is notified of this site";
  return {
    notification: {
      ...notification,
      ...Object.fromEntries(given.map((key) => [key, undefined])),
    },
    problems: given.map((key) => ({ severity: "warning", path: [key], message, isIgnored: true })),
  };
}

function readChannel(item: unknown): { notification?: Notification; problems: KeyProblem[] } {
  const named = isMap(item) ? item["type"] : item;
  const channel = typeof named === "string"
    ? `notification channel ${named}`
    : "a notification channel";
  if (!isMap(item)) {
    const message = `expected a map with type, found ${found(item)}`;
    return { problems: [{ path: [], message, channel }] };
  }
  const type = CHANNEL_TYPES.find((one) => one === named);
  const isChoosing = type !== undefined && !isPayloadKey(type, "severity");
  const template = item["message-template"];
  const own = isMap(template) ? readTemplates(template, ["message-template"]) : undefined;
  const keys = {
    ...OPTIONAL_KEYS,
    ...isChoosing ? CHOOSING_SEVERITY : {},
    ...own === undefined ? { "message-template": TEXT } : {},
  };
  const input = own === undefined ? item : { ...item, "message-template": own.texts };
  const read = readKeys(keys, input, { whole: ["quiet"] });
  const missing = type === undefined ? [] : listNeededKeys(type, read.accepted)
    .filter((key) => [read.accepted[key] ?? []].flat().length === 0);
  const lacksEvents = Object.hasOwn(item, "on") && !Object.hasOwn(read.accepted, "on");
  const on = lacksEvents ? [...USUAL_EVENTS] : read.values.on;
  const problems = [...read.problems, ...own?.problems ?? []].map((
    { isIgnored, message, ...fault },
  ): KeyProblem => ({
    ...fault,
    message: fault.path[0] === "on"
      ? `${message} (it is notified of ${on?.join(", ")})${
        describeEvent(item["on"], fault.path, NOTIFICATION_EVENTS)
      }`
      : fault.path[0] === "silent"
      ? message + describeEvent(item["silent"], fault.path, MESSAGE_KINDS)
      : fault.path[0] === "report"
      ? message + describePeriod(item["report"], fault.path)
      : isChoosing && fault.path[0] === "severity" && Array.isArray(item["severity"])
      ? `${message}: omit severity for events of every severity`
      : message,
    ...missing.includes(String(fault.path[0])) ? { channel } : { isIgnored },
  }));
  if (type === undefined) {
    for (const { path, message } of readWhole(v.object({ type: TYPE }), item).problems) {
      const unknown = typeof named === "string" && path[0] === "type"
        ? describeUnknownType(named, CHANNEL_TYPES)
        : message;
      problems.push({ path, message: unknown, channel });
    }
    return { problems };
  }
  const absent = missing.filter((key) => !read.problems.some(({ path }) => path[0] === key));
  problems.push(...absent.map((key) => ({ ...describeAbsent(key, type, item), channel })));
  if (missing.length > 0) return { problems };
  const notification: Notification = {
    type,
    ...read.values,
    ...on === undefined ? {} : { on },
  };
  if (notification.call && notification["from-number"]?.trim().startsWith("MG")) {
    const message = "is a messaging service, which can't call: use a number of the account";
    return { problems: [...problems, { path: ["from-number"], message, channel }] };
  }
  const { priorities } = CHANNEL_KINDS[type];
  const { priority } = notification;
  if (priority !== undefined && priorities?.includes(priority) === false) {
    const message = `expected one of ${priorities.join(", ")}, found ${found(priority)}`;
    problems.push({ path: ["priority"], message, isIgnored: true });
    delete notification.priority;
  }
  return { notification, problems: [...problems, ...findIdleKeys(notification, read.accepted)] };
}

function describeEvent(
  list: unknown,
  path: Problem["path"],
  known: readonly string[],
): string {
  const word = findItem(list, path);
  return typeof word === "string" ? eventHint(word, known) : "";
}

/** Suggests the period that an unknown one of `report` may mean, such as `weekly`. */
function describePeriod(list: unknown, path: Problem["path"]): string {
  const word = String(findItem(list, path)).toLowerCase();
  const meant = REPORT_PERIODS.find((period) => word.includes(period)) ??
    findMeant(word, REPORT_PERIODS);
  return meant === undefined ? "" : `, did you mean "${meant}"?`;
}

/** The item of a list, which may be written as one text, that a problem is about. */
function findItem(list: unknown, [, index]: Problem["path"]): unknown {
  const items: unknown[] = Array.isArray(list) ? list : String(list).trim().split(/[\s,;]+/);
  return items[Number(index)];
}

interface ReadTexts {
  texts: Record<string, unknown>;
  problems: KeyProblem[];
}

/** Reads a map of texts by kinds of messages, and of `subject`, which may be such a map itself. */
function readTemplates(value: Readonly<Record<string, unknown>>, path: Problem["path"]): ReadTexts {
  const { subject, ...others } = value;
  if (!isMap(subject)) return readTexts({ ...TEXTS_BY_KIND, subject: TEXT }, value, path);
  const own = readTexts(TEXTS_BY_KIND, others, path);
  const inner = readTexts(TEXTS_BY_KIND, subject, [...path, "subject"]);
  return {
    texts: { ...own.texts, subject: inner.texts },
    problems: [...own.problems, ...inner.problems],
  };
}

function readTexts(
  known: v.ObjectEntries,
  value: Readonly<Record<string, unknown>>,
  path: Problem["path"],
): ReadTexts {
  const { accepted, problems } = readKeys(known, value);
  const names = Object.keys(known);
  const unknown = Object.keys(value)
    .filter((key) => !Object.hasOwn(known, key) && !key.startsWith("x-"));
  return {
    texts: accepted,
    problems: [
      ...problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })),
      ...unknown.map((key): KeyProblem => ({
        path: [...path, key],
        message: `unknown kind of message${
          eventHint(key, names) || `: expected one of ${names.join(", ")}`
        }`,
        isIgnored: true,
      })),
    ],
  };
}

/** A key that a channel needs and lacks; if a key of other types stands in for it, the place of that. */
function describeAbsent(
  key: string,
  type: ChannelType,
  item: Readonly<Record<string, unknown>>,
): KeyProblem {
  const other = Object.keys(item)
    .find((one) => isKeyOfOthers(one, type) && findMeantKey(one, [key]) === key);
  return other === undefined
    ? { path: [key], message: `is missing: ${type} needs it` }
    : { path: [other], message: `has no effect with type: ${type}, did you mean "${key}"?` };
}

function listNeededKeys(
  type: ChannelType,
  given: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { needs } = findKind({ type, "bot-token": given["bot-token"] as string | undefined });
  if (type === "email" && given["smtp-username"] !== undefined) return [...needs, "smtp-password"];
  // The address may name the channel, as that of Upptime does, and be a secret.
  const isNamed = type !== "zulip" || /[?&]to=|\$/.test(String(given["url"]));
  return isNamed ? needs : [...needs, "channel"];
}

function findIdleKeys(
  notification: Notification,
  given: Readonly<Record<string, unknown>>,
): KeyProblem[] {
  const { type } = notification;
  const problems: KeyProblem[] = [];
  const warn = (key: string, message: string, ...inner: string[]) =>
    problems.push({ severity: "warning", path: [key, ...inner], message });
  const template = notification["message-template"];
  if (type !== "email" && isMap(template) && template["subject"] !== undefined) {
    warn("message-template", `has no effect with type: ${type}`, "subject");
  }
  if (type === "slack" && notification["bot-token"] && notification["webhook-url"]) {
    warn("webhook-url", "has no effect with bot-token");
  }
  for (const key of Object.keys(given).filter((key) => isKeyOfOthers(key, type))) {
    warn(key, `has no effect with type: ${type}`);
  }
  if (notification.report !== undefined && !takesReports(notification)) {
    const what = notification.call
      ? "call: true, which is for outages"
      : `type: ${type}, which handles incidents`;
    warn("report", `has no effect with ${what}`);
  }
  if (type === "webhook" && notification["group-notifications"] && isPerEvent(notification)) {
    warn(
      "group-notifications",
      "one request is sent for each event: use $EVENTS (a JSON list) or $SUMMARY in body to send one for a group",
    );
  }
  return problems;
}
