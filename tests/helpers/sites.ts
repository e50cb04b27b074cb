import { assertEquals } from "@std/assert";
import { machineClock } from "./calendar.ts";
import type { Observation, ProbeContext } from "../../lib/checks/observation.ts";
import { probe } from "../../lib/checks/mod.ts";
import type { Config, Site } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";

/** Keys of a site or of the top level, as a configuration has them. */
export type Keys = Readonly<Record<string, unknown>>;

/** Context of a probe; the rest has defaults. */
export interface ObserveOptions extends Partial<Omit<ProbeContext, "secrets">> {
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

/** Probes a site with these keys once. */
export async function observe(
  keys: Keys,
  { secrets = {}, ...context }: ObserveOptions = {},
): Promise<Observation> {
  const { target, keepBody } = await siteOf(keys);
  return await probe(target, {
    signal: new AbortController().signal,
    // As TLS libraries have it, which accept or refuse certificates.
    now: machineClock.now(),
    root: "/",
    userAgent: "monitor-action",
    quotesAnswers: keepBody,
    ...context,
    secrets: new Secrets(secrets),
  });
}

/** Status code and failure reason of one attempt. */
export async function observeBriefly(
  keys: Keys,
  options?: ObserveOptions,
): Promise<[code: number, reason?: string]> {
  const { code, failure } = await observe(keys, options);
  return failure === undefined ? [code] : [code, failure.reason];
}
