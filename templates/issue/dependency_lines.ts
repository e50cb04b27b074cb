import { fitParts } from "../../lib/notifications/fit_parts.ts";
import type { IncidentEvent } from "../../lib/incidents/event.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { inertMarkdown } from "../markdown.ts";

/** Longest name within a text, in characters. */
const LONGEST_NAME = 100;
/** Sites that are named. */
const MOST_NAMES = 50;

/** How an incident hangs together with what its site depends on, and with those that depend on it. */
export function dependencyLines(
  { affected = [], released }: Pick<IncidentEvent, "affected" | "released">,
): string[] {
  return [
    ...released === undefined ? [] : [releaseLine(released)],
    ...affected.length === 0 ? [] : [affectedLine(affected)],
  ];
}

function affectedLine(affected: readonly string[]): string {
  const { parts, more } = fitParts(affected, (some) => some.length <= MOST_NAMES);
  const list = [...parts.map(shown), ...more === undefined ? [] : [more]].join(", ");
  const why = affected.length === 1 ? "it depends on this" : "they depend on it";
  return `**Also failing**, because ${why}: ${list}.`;
}

function releaseLine({ name, isBack }: NonNullable<IncidentEvent["released"]>): string {
  const back = isBack ? ", which is up again" : "";
  return `Nobody was told of this until now: it was put down to ${shown(name)}${back}.`;
}

function shown(name: string): string {
  return inertMarkdown(shorten(plainText(name), LONGEST_NAME));
}
