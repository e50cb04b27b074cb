import type { Config } from "../config/config.ts";
import { allSecretNames } from "../config/secrets/secret_names.ts";
import { UPPTIME_SECRETS } from "../notify/upptime_channels.ts";
import { UPPTIME_SWITCHES } from "../notify/upptime_switches.ts";

/**
 * Names of the secrets that a configuration has handed to the program; `all` for whatever there is. With
 * `channels`, also those that make channels by their names alone, in this program or only in Upptime.
 */
export function handedSecrets(config: Config, channels?: "channels"): readonly string[] | "all" {
  const { secrets } = config;
  if (secrets !== "auto") return secrets === "all" ? secrets : [...new Set(secrets)];
  return [
    ...allSecretNames(config),
    ...config.sites.flatMap(({ possibleSecrets }) => possibleSecrets),
    ...channels === undefined ? [] : [...UPPTIME_SECRETS, ...UPPTIME_SWITCHES],
  ]
    .filter((name, index, all) => all.indexOf(name) === index);
}

/** Names of the secrets that a configuration mentions, and has not handed over. */
export function missedSecrets(config: Config): string[] {
  const handed = handedSecrets(config);
  return handed === "all" ? [] : allSecretNames(config).filter((name) => !handed.includes(name));
}
