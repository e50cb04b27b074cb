import type { Site } from "../../lib/config/config.ts";
import { parseConfig } from "../../lib/config/parse.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { Condition, State } from "../../lib/state.ts";
import type { SiteState } from "../../lib/evaluation/results.ts";

/** A moment that tests agree on. */
export const NOW = Temporal.Instant.from("2026-11-21T10:05:03.120Z");

/** A site of a name, checked over HTTP. */
export async function siteNamed(
  name: string,
  slug = "site",
  keys: Readonly<Record<string, unknown>> = {},
): Promise<Site> {
  const text = JSON.stringify({ sites: [{ name, slug, url: "https://example.com/", ...keys }] });
  return (await parseConfig(text)).config!.sites[0]!;
}

/** The outcome of a run for a site that was checked once. */
export function resultOf<S extends State>(
  site: Site,
  state: S,
  more: Partial<Omit<SiteState, "state">> = {},
): Omit<SiteState, "state"> & { state: S } {
  const good = state === "up" || state === "degraded";
  return {
    site,
    state,
    code: good ? 200 : 0,
    responseTime: good ? 123.4 : undefined,
    attempts: 1,
    error: state === "up" ? undefined : "connection refused (203.0.113.7:443)",
    began: NOW,
    confirmed: NOW,
    ...more,
  };
}

/** A result with the change it means. */
export function outcomeOf(result: SiteState, from: Condition | undefined): Outcome {
  const { state } = result;
  const isNews = state !== "unknown" && state !== "maintenance" && state !== from;
  const change = !isNews ? undefined : { from, to: state, at: NOW };
  return { result, change, since: NOW };
}
