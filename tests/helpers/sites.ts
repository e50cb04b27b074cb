import { assertEquals } from "@std/assert";
import type { Observation, ProbeContext } from "../../lib/checks/observation.ts";
import { probe } from "../../lib/checks/mod.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";

/** Keys of a site or of the top level, as a configuration has them. */
export type Keys = Readonly<Record<string, unknown>>;

/** What a probe is made with, where a test cares. */
export interface LookOptions extends Partial<Omit<ProbeContext, "secrets">> {
  secrets?: Readonly<Record<string, string>>;
}

/** A configuration as the program reads it, from its text; there must be no error in it. */
export async function configOf(sites: readonly Keys[], top: Keys = {}): Promise<Config> {
  const named = sites.map((site, index) => ({ name: `Site ${index + 1}`, ...site }));
  const { config, problems } = await parseConfig(JSON.stringify({ ...top, sites: named }));
  assertEquals(problems.filter(({ severity }) => severity === "error"), []);
  return config!;
}

/** The one site of a configuration. */
export async function siteOf(keys: Keys): Promise<Site> {
  return (await configOf([keys])).sites[0]!;
}

/** Looks once at a site with the keys given. */
export async function look(
  keys: Keys,
  { secrets = {}, ...context }: LookOptions = {},
): Promise<Observation> {
  const { target } = await siteOf(keys);
  return await probe(target, {
    signal: new AbortController().signal,
    now: Temporal.Now.instant(),
    root: "/",
    userAgent: "monitor-action",
    ...context,
    secrets: new Secrets(secrets),
  });
}

/** Status code and reason of a look: what most tests are about. The reason is absent where all is well. */
export async function lookBriefly(
  keys: Keys,
  options?: LookOptions,
): Promise<[code: number, reason?: string]> {
  const { code, failure } = await look(keys, options);
  return failure === undefined ? [code] : [code, failure.reason];
}
