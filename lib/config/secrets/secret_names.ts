import type { Config } from "../config.ts";
import { textsIn } from "../yaml/texts_in.ts";

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
  return sorted([...ofSites, ...secretNames([notifications, heartbeat])]);
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
