import * as v from "valibot";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  destinationOf,
  isKeyOfOthers,
  isPerEvent,
} from "./kinds.ts";
import { CHANNEL_ALIASES, spell } from "../keys/aliases.ts";
import { isMap } from "../document.ts";
import {
  CHANNEL_TYPES,
  type ChannelType,
  KEYS_BY_ITEM,
  type Notification,
  NOTIFICATION_KEYS,
} from "./keys.ts";
import { formatPath, type Problem } from "../../io/problem.ts";
import { readKeys } from "../keys/read_keys.ts";
import { survey } from "../keys/survey.ts";
import { found, keyProblem } from "../keys/values.ts";

/** The usable channels of a list, and the problems of all of them. */
export interface ReadNotifications {
  notifications: Notification[];
  problems: Problem[];
}

/** The channels of a list that can't be used at all, as {@linkcode Problem.channel}. */
export const ALL_CHANNELS = "the list of notification channels";

/** Chat services whose address other programs call `url`. */
const CHATS = ["slack", "discord", "teams"];

/** Both halves of the login at a mail server. */
const LOGIN = ["smtp-username", "smtp-password"];

const { type: TYPE, ...OPTIONAL_KEYS } = NOTIFICATION_KEYS;

/**
 * Reads a list of channels. A wrong optional value is reported and ignored; a channel without a usable
 * type or a key that its type needs is reported and left out.
 */
export function readNotifications(value: unknown, path: Problem["path"]): ReadNotifications {
  if (value === undefined) return { notifications: [], problems: [] };
  if (!Array.isArray(value)) {
    // A single channel is a list of one.
    if (isMap(value)) {
      const { notification, problems } = readChannel(value, { place: path, before: [] });
      return { notifications: notification === undefined ? [] : [notification], problems };
    }
    const message = `expected a list of notifications, found ${found(value)}`;
    const problem: Problem = { severity: "error", path, message, channel: ALL_CHANNELS };
    return { notifications: [], problems: [problem] };
  }
  const placed: PlacedChannel[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of value.entries()) {
    const place = [...path, index];
    const read = readChannel(item, { place, before: placed });
    problems.push(...read.problems);
    if (read.notification !== undefined) {
      placed.push({ notification: read.notification, path: place });
    }
  }
  return { notifications: placed.map(({ notification }) => notification), problems };
}

function readChannel(
  item: unknown,
  { place, before }: { place: Problem["path"]; before: readonly PlacedChannel[] },
): { notification?: Notification; problems: Problem[] } {
  if (!isMap(item)) {
    const message = `expected a map with type, found ${found(item)}`;
    const channel = typeof item === "string" ? nameOf(item) : "a notification channel";
    return { problems: [{ severity: "error", path: place, message, channel }] };
  }
  const word = typeof item["type"] === "string"
    ? CHANNEL_ALIASES[item["type"]] ?? item["type"]
    : item["type"];
  const { map, written } = spell(
    word === undefined ? item : { ...item, type: word },
    CHATS.includes(String(word))
      ? { url: "webhook-url" }
      : word === "webhook"
      ? { "webhook-url": "url" }
      : {},
  );
  const problems = survey(map, NOTIFICATION_KEYS, place).unknown;
  const at = ([key, ...rest]: (string | number)[]) => [
    ...place,
    ...key === undefined ? [] : [written(key)],
    ...rest,
  ];
  const channel = nameOf(word);
  const type = CHANNEL_TYPES.find((one) => one === word);
  const read = readKeys(OPTIONAL_KEYS, map, { byItem: KEYS_BY_ITEM });
  const missing = type === undefined
    ? []
    : needsOf(type, read.accepted).filter((key) => isMissing(read.accepted[key]));
  for (const { path, ...fault } of read.problems) {
    const { isIgnored: _, ...rest } = fault;
    const isNeeded = missing.some((key) => key === path[0]);
    problems.push({
      severity: "error",
      path: at(path),
      ...isNeeded ? { ...rest, channel } : fault,
    });
  }
  const absent = missing.filter((key) => !read.problems.some(({ path }) => path[0] === key));
  const [key] = absent;
  if (key !== undefined) {
    const isOne = absent.length === 1;
    const needing = LOGIN.includes(key) ? LOGIN.find((half) => half !== key) : type;
    const message = isOne
      ? `is missing: ${needing} needs it`
      : `${absent.join(", ")} are missing: ${type} needs them`;
    problems.push({ severity: "error", path: at(isOne ? [key] : []), message, channel });
  }
  for (const issue of v.safeParse(v.object({ type: TYPE }), map).issues ?? []) {
    const { path, message } = keyProblem(issue);
    problems.push({ severity: "error", path: at(path), message, channel });
  }
  if (type === undefined || missing.length > 0) return { problems };
  const notification: Notification = { type, ...read.values };
  problems.push(...withoutEffect(read.accepted, type, at), ...ungrouped(notification, at));
  for (const { key, first } of unusedKeys(before, notification)) {
    const message =
      `is not used: ${first} leads to the same place, and only the on: of both counts`;
    problems.push({ severity: "warning", path: at([key]), message });
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

/** Warnings of keys that another type of channel would use. */
function withoutEffect(
  accepted: Readonly<Record<string, unknown>>,
  type: ChannelType,
  at: (path: string[]) => Problem["path"],
): Problem[] {
  return Object.keys(accepted)
    .filter((key) => isKeyOfOthers(key, type))
    .map((key) => ({
      severity: "warning",
      path: at([key]),
      message: `has no effect with type: ${type}`,
    }));
}

/** A warning if a webhook can't be sent the events of a group in one request. */
function ungrouped(
  notification: Notification,
  at: (path: string[]) => Problem["path"],
): Problem[] {
  const { type, body, "group-notifications": isGrouped } = notification;
  if (type !== "webhook" || !isGrouped || !isPerEvent(notification)) return [];
  const message =
    "one request is sent for each event, in spite of group-notifications: use $EVENTS (a JSON list) or $SUMMARY in body to send one for a group";
  const key = body === undefined ? "group-notifications" : "body";
  return [{ severity: "warning", path: at([key]), message }];
}

function nameOf(type: unknown): string {
  return typeof type === "string" ? `notification channel ${type}` : "a notification channel";
}

/** A channel and its place in the configuration. */
interface PlacedChannel {
  notification: Notification;
  path: Problem["path"];
}

/**
 * Finds keys without effect, because an earlier channel of the list has the same destination and another
 * value. Only `on` counts for both.
 */
function unusedKeys(
  before: readonly PlacedChannel[],
  notification: Notification,
): { key: string; first: string }[] {
  const destination = destinationOf(notification);
  const first = before.find((other) => destinationOf(other.notification) === destination);
  if (first === undefined) return [];
  const set = new Map<string, unknown>(Object.entries(first.notification));
  return Object.entries(notification)
    .filter(([key, value]) =>
      key !== "on" && JSON.stringify(value) !== JSON.stringify(set.get(key))
    )
    .map(([key]) => ({ key, first: formatPath(first.path) }));
}
