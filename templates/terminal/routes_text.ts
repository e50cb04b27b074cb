import { column } from "../../lib/text/columns.ts";
import type { Route } from "../../lib/notifications/routes.ts";
import { paint } from "../../lib/text/paint.ts";
import { escapeMarkdown, markdownTable } from "../markdown.ts";
import { nameWidth } from "./check_lines.ts";

/** Who would be told what, for the terminal. */
export function routesText(routes: readonly Route[]): string {
  const width = nameWidth(routes.map(({ channel }) => channel));
  const lines = routes.map((route) => {
    const { channel, note } = route;
    const more = note === undefined ? "" : paint.yellow(` (${note})`);
    return `  ${column(channel, width)}  ${eventsText(route)} of ${sitesText(route)}${more}`;
  });
  return ["Who is told:", ...lines].join("\n");
}

/** The same for the page of a job; empty where nobody is told. */
export function routesTable(routes: readonly Route[]): string {
  if (routes.length === 0) return "";
  const rows = routes.map((route) => {
    const more = route.note === undefined ? "" : ` (${route.note})`;
    return [route.channel, eventsText(route) + more, sitesText(route)].map(escapeMarkdown);
  });
  return markdownTable(["Channel", "Is told", "Of"], rows);
}

/** The same as data. */
export function routesJson(routes: readonly Route[]): unknown {
  return routes.map(({ channel, events, sites, note }) => ({
    channel,
    events,
    sites,
    note: note ?? null,
  }));
}

function eventsText({ events }: Route): string {
  return events.length === 0 ? "nothing" : events.join(", ");
}

function sitesText({ sites }: Route): string {
  return sites === "all" ? "all sites" : sites.join(", ");
}
