import type { Config } from "../../config/config.ts";
import { allSecretNames } from "../../config/secrets/secret_names.ts";
import { UPPTIME_SECRETS } from "../../config/upptime/channels.ts";
import { UPPTIME_SWITCHES } from "../../config/upptime/unsupported_services.ts";

/**
 * Names of the secrets that Uptime CI hands to the program, the only command that sends any: with `auto`
 * those that the configuration names, and those that make channels by their names alone, in this program
 * or only in Upptime; `all` for all of the repository.
 */
export function handedSecrets(config: Config): readonly string[] | "all" {
  const { secrets } = config;
  if (secrets === "all") return secrets;
  const names = secrets !== "auto" ? secrets : [
    ...allSecretNames(config),
    ...config.sites.flatMap(({ possibleSecrets }) => possibleSecrets),
    ...UPPTIME_SECRETS,
    ...UPPTIME_SWITCHES,
  ];
  return [...new Set(names)];
}

/** Names of the secrets that a configuration mentions, and has not handed over. */
export function missedSecrets(config: Config): string[] {
  const handed = handedSecrets(config);
  return handed === "all" ? [] : allSecretNames(config).filter((name) => !handed.includes(name));
}
