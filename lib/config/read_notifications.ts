import * as v from "valibot";
import { CHANNELS } from "../channels/mod.ts";
import { CHANNEL_ALIASES, spell } from "./keys/aliases.ts";
import { isMap } from "./yaml/maps.ts";
import { NOTIFICATION, NOTIFICATION_KEYS } from "./keys/notification_keys.ts";
import type { Problem } from "./problem.ts";
import { type PlacedChannel, unusedKeys } from "./repeated_channel.ts";
import { survey } from "./keys/survey.ts";
import { found, keyProblem } from "./keys/values.ts";

/** A channel, as configured. */
export type Notification = v.InferOutput<typeof NOTIFICATION>;

/** The channels of a list that can be used, and what is wrong with the others. */
export interface ReadNotifications {
  notifications: Notification[];
  problems: Problem[];
}

function isMissing(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Channels of chat services whose address other programs call `url`. */
const CHATS = ["slack", "discord", "teams"];

/** Reads a list of channels: one in error is left out and reported, like a site. */
export function readNotifications(value: unknown, path: Problem["path"]): ReadNotifications {
  const result: ReadNotifications = { notifications: [], problems: [] };
  if (value === undefined) return result;
  const fault = (at: Problem["path"], message: string) =>
    result.problems.push({ severity: "error", path: at, message });
  if (!Array.isArray(value)) {
    fault(path, `expected a list of notifications, found ${found(value)}`);
    return result;
  }
  const placed: PlacedChannel[] = [];
  for (const [index, item] of value.entries()) {
    const place = [...path, index];
    if (!isMap(item)) {
      fault(place, `expected a map with type, found ${found(item)}`);
      continue;
    }
    const type = typeof item["type"] === "string"
      ? CHANNEL_ALIASES[item["type"]] ?? item["type"]
      : item["type"];
    const { map, written } = spell(
      type === undefined ? item : { ...item, type },
      CHATS.includes(String(type)) ? { url: "webhook-url" } : {},
    );
    result.problems.push(...survey(map, NOTIFICATION_KEYS, place).unknown);
    const { success, output, issues = [] } = v.safeParse(NOTIFICATION, map);
    const missing = success
      ? CHANNELS[output.type].needs.filter((key) => isMissing(output[key]))
      : [];
    if (success && missing.length === 0) {
      for (const { key, first } of unusedKeys(placed, output)) {
        const message =
          `is not used: ${first} leads to the same place, and only the on: of both counts`;
        result.problems.push({ severity: "warning", path: [...place, written(key)], message });
      }
      placed.push({ notification: output, path: place });
    }
    for (const key of missing) {
      fault([...place, written(key)], `is missing: ${String(type)} needs it`);
    }
    for (const issue of issues) {
      const { path: [key, ...rest], message } = keyProblem(issue);
      fault([...place, ...(key === undefined ? [] : [written(key)]), ...rest], message);
    }
  }
  return { ...result, notifications: placed.map(({ notification }) => notification) };
}
