import * as v from "valibot";
import { formatPath, type Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { readKeys } from "../keys/read_keys.ts";
import { found, readWhole } from "../keys/values.ts";
import { CHANNEL_TYPES, type Notification, NOTIFICATION_KEYS } from "./keys.ts";
import {
  CHANNEL_KINDS,
  type ChannelKind,
  describeDestination,
  isKeyOfOthers,
  isPerEvent,
} from "./kinds.ts";

/** The channels of a list that can't be used at all, as {@linkcode Problem.channel}. */
export const ALL_CHANNELS = "the list of notification channels";

const { type: TYPE, ...OPTIONAL_KEYS } = NOTIFICATION_KEYS;

/** Reads channels. Wrong optional values are ignored, unusable channels left out; both are reported. */
export function readNotifications(
  value: unknown = [],
  path: Problem["path"],
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
    const notification = readChannel(item, place, problems);
    if (notification === undefined) return [];
    const destination = describeDestination(notification);
    const first = firsts.get(destination);
    const keys = (one: Notification) => JSON.stringify({ ...one, on: undefined });
    if (first === undefined) firsts.set(destination, { notification, place });
    else if (keys(notification) !== keys(first.notification)) {
      const message = `leads to the same place as ${
        formatPath(first.place)
      }: only its on: has an effect`;
      problems.push({ severity: "warning", path: place, message });
    }
    return [notification];
  });
  return { notifications, problems };
}

function readChannel(
  item: unknown,
  place: Problem["path"],
  problems: Problem[],
): Notification | undefined {
  const named = isMap(item) ? item["type"] : item;
  const channel = typeof named === "string"
    ? `notification channel ${named}`
    : "a notification channel";
  if (!isMap(item)) {
    const message = `expected a map with type, found ${found(item)}`;
    problems.push({ severity: "error", path: place, message, channel });
    return undefined;
  }
  const type = CHANNEL_TYPES.find((one) => one === named);
  const read = readKeys(OPTIONAL_KEYS, item, { whole: ["on"] });
  const needs: string[] = type === undefined ? [] : [...CHANNEL_KINDS[type].needs];
  if (type === "email" && read.accepted["smtp-username"] !== undefined) needs.push("smtp-password");
  const missing = needs.filter((key) => [read.accepted[key] ?? []].flat().length === 0);
  for (const { path, isIgnored, ...fault } of read.problems) {
    const effect = missing.includes(String(path[0])) ? { channel } : { isIgnored };
    problems.push({ severity: "error", path: [...place, ...path], ...fault, ...effect });
  }
  if (type === undefined) {
    for (const { path, message } of readWhole(v.object({ type: TYPE }), item).problems) {
      problems.push({ severity: "error", path: [...place, ...path], message, channel });
    }
    return undefined;
  }
  for (const key of missing) {
    if (read.problems.some(({ path }) => path[0] === key)) continue;
    const message = `is missing: ${type} needs it`;
    problems.push({ severity: "error", path: [...place, key], message, channel });
  }
  if (missing.length > 0) return undefined;
  const notification: Notification = { type, ...read.values };
  const { priorities }: ChannelKind = CHANNEL_KINDS[type];
  const { priority } = notification;
  if (priority !== undefined && priorities?.includes(priority) === false) {
    const message = `expected one of ${priorities.join(", ")}, found ${found(priority)}`;
    problems.push({
      severity: "error",
      path: [...place, "priority"],
      message,
      isIgnored: true,
    });
    delete notification.priority;
  }
  const warn = (key: string, message: string) =>
    problems.push({ severity: "warning", path: [...place, key], message });
  for (const key of Object.keys(read.accepted).filter((key) => isKeyOfOthers(key, type))) {
    warn(key, `has no effect with type: ${type}`);
  }
  if (type === "webhook" && notification["group-notifications"] && isPerEvent(notification)) {
    warn(
      "group-notifications",
      "one request is sent for each event: use $EVENTS (a JSON list) or $SUMMARY in body to send one for a group",
    );
  }
  return notification;
}
