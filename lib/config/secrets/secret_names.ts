import type { Config } from "../config.ts";
import { GROUP_PLACEHOLDER_NAMES, PLACEHOLDER_NAMES } from "../channels/kinds.ts";
import { textsIn } from "../document.ts";

const REFERENCE = /\$([A-Z_][A-Z0-9_]*)(?![A-Za-z0-9_])/g;

/** Names of the secrets that the texts of a value refer to, sorted. */
export function secretNames(value: unknown): string[] {
  const names = textsIn(value).flatMap(([, text]) =>
    [...text.matchAll(REFERENCE)].map(([, name]) => name!)
  );
  return sorted(names);
}

/** Names of all secrets that a configuration refers to, sorted. */
export function allSecretNames(
  { sites, notifications, "heartbeat-url": heartbeat }: Config,
): string[] {
  const ofSites = sites.flatMap(({ secrets }) => secrets);
  const ofChannels = notifications.flatMap(secretNamesOf);
  return sorted([...ofSites, ...ofChannels, ...secretNames(heartbeat)]);
}

/** Names of the secrets that a channel refers to; what is put in for the event is none. */
export function secretNamesOf(notification: unknown): string[] {
  const placeholders: readonly string[] = [...PLACEHOLDER_NAMES, ...GROUP_PLACEHOLDER_NAMES];
  return secretNames(notification).filter((name) => !placeholders.includes(name));
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
