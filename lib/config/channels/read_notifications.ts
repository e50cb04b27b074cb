import * as v from "valibot";
import { formatPath, type Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { readKeys } from "../keys/read_keys.ts";
import { found, keyProblem } from "../keys/values.ts";
import {
  CHANNEL_TYPES,
  type ChannelType,
  KEYS_BY_ITEM,
  type Notification,
  NOTIFICATION_KEYS,
} from "./keys.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  destinationOf,
  isKeyOfOthers,
  isPerEvent,
} from "./kinds.ts";

/** The usable channels of a list, and the problems of all of them. */
interface ReadNotifications {
  notifications: Notification[];
  problems: Problem[];
}

/** The channels of a list that can't be used at all, as {@linkcode Problem.channel}. */
export const ALL_CHANNELS = "the list of notification channels";

/** Both halves of the login at a mail server. */
const LOGIN = ["smtp-username", "smtp-password"];

const { type: TYPE, ...OPTIONAL_KEYS } = NOTIFICATION_KEYS;

/** A channel and its place in the configuration. */
interface PlacedChannel {
  notification: Notification;
  path: Problem["path"];
}

/**
 * Reads a list of channels, or a single one. A wrong optional value is reported and ignored; a channel
 * without a usable type or a key that its type needs is reported and left out.
 */
export function readNotifications(value: unknown, path: Problem["path"]): ReadNotifications {
  if (value === undefined) return { notifications: [], problems: [] };
  if (!Array.isArray(value) && !isMap(value)) {
    const message = `expected a list of notifications, found ${found(value)}`;
    const problem: Problem = { severity: "error", path, message, channel: ALL_CHANNELS };
    return { notifications: [], problems: [problem] };
  }
  const items = Array.isArray(value)
    ? value.map((item, index) => ({ item, place: [...path, index] }))
    : [{ item: value, place: path }];
  const placed: PlacedChannel[] = [];
  const problems: Problem[] = [];
  for (const { item, place } of items) {
    const read = readChannel(item, place);
    problems.push(...read.problems);
    if (read.notification === undefined) continue;
    problems.push(...unusedKeys(read.notification, place, placed));
    placed.push({ notification: read.notification, path: place });
  }
  return { notifications: placed.map(({ notification }) => notification), problems };
}

function readChannel(
  item: unknown,
  place: Problem["path"],
): { notification?: Notification; problems: Problem[] } {
  if (!isMap(item)) {
    const message = `expected a map with type, found ${found(item)}`;
    return { problems: [{ severity: "error", path: place, message, channel: nameOf(item) }] };
  }
  const problems: Problem[] = [];
  const channel = nameOf(item["type"]);
  const type = CHANNEL_TYPES.find((one) => one === item["type"]);
  const read = readKeys(OPTIONAL_KEYS, item, { byItem: KEYS_BY_ITEM });
  const missing = type === undefined
    ? []
    : needsOf(type, read.accepted).filter((key) => isMissing(read.accepted[key]));
  for (const { path, isIgnored, ...fault } of read.problems) {
    const isNeeded = missing.some((key) => key === path[0]);
    const effect = isNeeded ? { channel } : { isIgnored };
    problems.push({ severity: "error", path: [...place, ...path], ...fault, ...effect });
  }
  const absent = missing.filter((key) => !read.problems.some(({ path }) => path[0] === key));
  const [key] = absent;
  if (key !== undefined) {
    const isOne = absent.length === 1;
    const needing = LOGIN.includes(key) ? LOGIN.find((half) => half !== key) : type;
    const message = isOne
      ? `is missing: ${needing} needs it`
      : `${absent.join(", ")} are missing: ${type} needs them`;
    const path = isOne ? [...place, key] : place;
    problems.push({ severity: "error", path, message, channel });
  }
  for (const issue of v.safeParse(v.object({ type: TYPE }), item).issues ?? []) {
    const { path, message } = keyProblem(issue);
    problems.push({ severity: "error", path: [...place, ...path], message, channel });
  }
  if (type === undefined || missing.length > 0) return { problems };
  const notification: Notification = { type, ...read.values };
  const warn = (key: string, message: string) =>
    problems.push({ severity: "warning", path: [...place, key], message });
  for (const key of Object.keys(read.accepted).filter((key) => isKeyOfOthers(key, type))) {
    warn(key, `has no effect with type: ${type}`);
  }
  if (type === "webhook" && notification["group-notifications"] && isPerEvent(notification)) {
    warn(
      notification.body === undefined ? "group-notifications" : "body",
      "one request is sent for each event, in spite of group-notifications: use $EVENTS (a JSON list) or $SUMMARY in body to send one for a group",
    );
  }
  return { notification, problems };
}

/** Keys that a channel can't do without: one half of a login needs the other. */
function needsOf(
  type: ChannelType,
  accepted: Readonly<Record<string, unknown>>,
): readonly string[] {
  const { needs }: ChannelKind = CHANNEL_KINDS[type];
  const hasLogin = type === "email" && LOGIN.some((key) => !isMissing(accepted[key]));
  return hasLogin ? [...needs, ...LOGIN] : needs;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Warns of keys without effect, because an earlier channel of the list has the same destination and another
 * value. Only `on` counts for both.
 */
function unusedKeys(
  notification: Notification,
  place: Problem["path"],
  before: readonly PlacedChannel[],
): Problem[] {
  const destination = destinationOf(notification);
  const first = before.find((other) => destinationOf(other.notification) === destination);
  if (first === undefined) return [];
  const set = new Map<string, unknown>(Object.entries(first.notification));
  const message = `is not used: ${
    formatPath(first.path)
  } leads to the same place, and only the on: of both counts`;
  return Object.entries(notification)
    .filter(([key, value]) =>
      key !== "on" && JSON.stringify(value) !== JSON.stringify(set.get(key))
    )
    .map(([key]) => ({ severity: "warning", path: [...place, key], message }));
}

function nameOf(type: unknown): string {
  return typeof type === "string" ? `notification channel ${type}` : "a notification channel";
}
