import { column } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import { pulsesOf } from "../../lib/statistics/pulse.ts";
import { windowBack } from "../../lib/history/windows.ts";
import { STATE_COLOURS } from "../terminal/state_colours.ts";
import { briefState, fullState, type PresentState, presentState } from "./site_state.ts";
import { sparkline } from "./sparkline.ts";
import {
  type Cell,
  STATUS_COLUMNS,
  type StatusColumn,
  type StatusColumnName,
} from "./status_columns.ts";
import { GAP, type StatusLayout, statusLayout } from "./status_layout.ts";
import { statusSummary } from "./status_summary.ts";

/** How all sites are, as a table that fits into a number of columns. */
export function statusTable(report: Report, columns: number): string {
  if (report.sites.length === 0) return statusSummary(report);
  const layout = statusLayout(report, columns);
  const lines = [...groups(report.sites)].flatMap(([group, sites]) => [
    ...group === undefined ? [] : ["", paint.cyan(column(group, columns).trimEnd())],
    ...sites.map((site) => siteLine(site, layout, report)),
  ]);
  const title = header(layout);
  return [...title === "" ? [] : [title], ...lines, "", statusSummary(report)].join("\n");
}

/** The sites by the heading they stand under, in the order of the configuration; first those without any. */
function groups(sites: readonly SiteReport[]): Map<string | undefined, SiteReport[]> {
  const found = Map.groupBy(sites, ({ site }) => site.group || undefined);
  const alone = found.get(undefined);
  return alone === undefined ? found : new Map([[undefined, alone], ...found]);
}

function header({ name, state, facts, pulses }: StatusLayout): string {
  const cells = [
    column("", name + "✔ ".length),
    column("", state),
    ...[...facts].map(([fact, width]) => aligned(STATUS_COLUMNS[fact].title, fact, width)),
    ...pulses === 0 ? [] : [column(pulses < 13 ? "last 24 h" : "last 24 hours", pulses)],
  ];
  return paint.dim(cells.join(GAP).trimEnd());
}

function siteLine(site: SiteReport, layout: StatusLayout, { time }: Report): string {
  const state = presentState(site, time);
  const words = layout.isFull ? fullState(state) : briefState(state);
  const cells: Cell[] = [
    { text: column(site.site.name, layout.name) },
    { text: column(words, layout.state), colour: COLOURS[state.word] },
    ...[...layout.facts].map(([fact, width]): Cell => {
      const { text, colour } = STATUS_COLUMNS[fact].cell(site);
      return { text: aligned(text, fact, width), colour };
    }),
  ];
  const window = windowBack("day", time.epochMilliseconds, 0);
  const pulses = pulsesOf(site.evidence, window, layout.pulses);
  const painted = cells.map(({ text, colour = String }) => colour(text)).join(GAP);
  return `${state.mark} ${[painted, sparkline(pulses)].join(GAP)}`.trimEnd();
}

/** What is to be noticed; the others stand back. */
const COLOURS: Readonly<Partial<Record<PresentState["word"], Cell["colour"]>>> = {
  down: STATE_COLOURS.down,
  degraded: STATE_COLOURS.degraded,
  maintenance: STATE_COLOURS.maintenance,
  paused: paint.dim,
  unknown: STATE_COLOURS.unknown,
  "no data": paint.dim,
};

function aligned(text: string, fact: StatusColumnName, width: number): string {
  const { isText }: StatusColumn = STATUS_COLUMNS[fact];
  return isText ? column(text, width) : text.padStart(width);
}
