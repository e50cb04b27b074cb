import { flapsText } from "../evaluation/flapping.ts";
import { describeDuration } from "../time.ts";
import { cutText } from "./fit_text.ts";
import type { SiteEvent } from "./message.ts";

export function eventHeadline(event: SiteEvent): string {
  const { name, kind, title = "", reminder, was, gone, lasted = 0, expiry, flapping, knew } = event;
  if (kind === "notice") return title;
  if (kind === "test") return `This is a test of the monitor of ${name}`;
  if (expiry !== undefined && !gone) {
    return kind === "up" && was === undefined
      ? `${name} is as it should be again`
      : `${name}: ${expiry}`;
  }
  if (was !== undefined) {
    const state = flapping !== undefined
      ? "was flapping"
      : was === "down"
      ? "was down"
      : "had degraded performance";
    return `${name} ${state} for ${lasted < 1000 ? "a moment" : describeDuration(lasted)}`;
  }
  if (gone) return `${name} is no longer monitored`;
  if (kind === "up") return `${name} is up again${knew === "flapping" ? " and stable" : ""}`;
  if (flapping !== undefined) {
    return `${name} is flapping (${flapsText(flapping)}), silent until it stays up`;
  }
  const still = reminder ? "still " : "";
  return kind === "down" ? `${name} is ${still}down` : `${name} ${still}has degraded performance`;
}

/** The last event of each site, and every notice. */
function latestEvents<T extends Pick<SiteEvent, "kind" | "slug" | "id">>(
  events: readonly T[],
): T[] {
  const byKey = new Map(
    events.map((event) => [event.kind === "notice" ? event.id : event.slug, event]),
  );
  return [...byKey.values()];
}

/** States in a joint headline, the most urgent first. */
const STATES = [
  "down",
  "flapping",
  "still down",
  "degraded",
  "still degraded",
  "down for a while",
  "degraded for a while",
  "up again",
  "no longer monitored",
  "notice",
  "tested",
] as const;

function describeState(
  { kind, reminder, was, gone, flapping }: Pick<
    SiteEvent,
    "kind" | "reminder" | "was" | "gone" | "flapping"
  >,
): typeof STATES[number] {
  if (kind === "test") return "tested";
  if (kind === "notice") return "notice";
  if (kind !== "up" && flapping !== undefined) return "flapping";
  if (kind !== "up") return reminder ? `still ${kind}` : kind;
  if (was !== undefined) return `${was} for a while`;
  return gone ? "no longer monitored" : "up again";
}

/** Sites that a headline names at most, "and N more" counting as one of them. */
const MOST_NAMES = 3;
/** Longest name in such a headline, in UTF-16 units. */
const LONGEST_NAME = 40;

/**
 * Makes one headline of the latest event of each site: it names up to three sites, the most urgent first,
 * and counts the others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const event = { id: "a", since: "2026-11-21T10:05:03Z", code: 0, error: "", attempts: 3, incident: "a" };
 * const of = (kind: "down" | "up", ...names: string[]) => names.map((name) => ({ ...event, kind, name, slug: name }));
 * assertEquals(renderHeadline(of("down", "Shop", "API", "A", "B")), "Shop, API and 2 more are down");
 * assertEquals(renderHeadline([...of("up", "Blog"), ...of("down", "Shop", "API")]), "Shop and API are down, Blog is up again");
 * assertEquals(renderHeadline([...of("up", "A", "B"), ...of("down", "Shop", "API")]), "Shop and API are down, 2 are up again");
 * ```
 */
export function renderHeadline(events: readonly SiteEvent[]): string {
  const latest = latestEvents(events);
  if (latest.length === 1) return eventHeadline(latest[0]!);
  const byState = Map.groupBy(latest, describeState);
  let left = MOST_NAMES;
  return STATES.flatMap((state) => {
    const names = byState.get(state)?.map(({ name }) => cutText(name, LONGEST_NAME)) ?? [];
    const count = names.length;
    if (count === 0) return [];
    if (state === "notice") return [count === 1 ? "1 notice" : `${count} notices`];
    const [one, many] = state.endsWith("for a while") ? ["was", "were"] : ["is", "are"];
    const predicate = `${count === 1 ? one : many} ${state}`;
    if (left < MOST_NAMES && count > left) return [`${count} ${predicate}`];
    left -= Math.min(count, MOST_NAMES);
    return [`${nameList(names)} ${predicate}`];
  }).join(", ");
}

/** `Shop`, `Shop and API`, `Shop, API and Blog`, `Shop, API and 10 more`. */
function nameList(names: readonly string[]): string {
  const shown = names.slice(0, names.length > MOST_NAMES ? MOST_NAMES - 1 : -1);
  const last = names.length > MOST_NAMES ? `${names.length - shown.length} more` : names.at(-1)!;
  return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}
