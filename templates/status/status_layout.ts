import { textWidth } from "../../lib/text/columns.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import { briefState, fullState, presentState } from "./site_state.ts";
import { isNeeded, STATUS_COLUMNS, type StatusColumnName } from "./status_columns.ts";

/** Columns of blanks between two facts. */
export const GAP = "  ";
/** The narrowest column of names, and the widest in which they are cut. */
const NAMES = { least: 12, most: 40 };

/** How wide what is shown of each site is, in columns of the terminal. */
export interface StatusLayout {
  name: number;
  /** Of the state with how long it has been so. */
  state: number;
  /** Whether that is said in full. */
  isFull: boolean;
  facts: ReadonlyMap<StatusColumnName, number>;
  /** Pieces of the last 24 hours that are drawn; 0 where there is no room. */
  pulses: number;
}

/** One thing more that would be shown; the first of them matter most. */
type Wish =
  | { fact: StatusColumnName; beside?: StatusColumnName }
  | { pulses: number }
  | { name: number }
  | { state: "full" };

const WISHES: readonly Wish[] = [
  { fact: "day" },
  { fact: "month" },
  { pulses: 12 },
  { fact: "known" },
  { fact: "budget" },
  { fact: "p95" },
  { name: 20 },
  { pulses: 24 },
  { fact: "week" },
  { fact: "p50" },
  { fact: "year" },
  { name: NAMES.most },
  // By itself it would be taken for an uptime.
  { fact: "target", beside: "month" },
  { state: "full" },
  { pulses: 48 },
];

/** What fits into a terminal of a width: the most important first, and more where there is room. */
export function statusLayout({ sites, time }: Report, columns: number): StatusLayout {
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(textWidth));
  const states = sites.map((site) => presentState(site, time));
  const longestName = Math.max(4, widest(sites.map(({ site }) => site.name)));
  let layout: StatusLayout = {
    name: Math.min(longestName, NAMES.least),
    state: widest(states.map(briefState)),
    isFull: false,
    facts: new Map(),
    pulses: 0,
  };
  const fulfilled = (wish: Wish): StatusLayout => {
    if ("pulses" in wish) return { ...layout, pulses: wish.pulses };
    if ("name" in wish) return { ...layout, name: Math.min(longestName, wish.name) };
    if ("state" in wish) return { ...layout, isFull: true, state: widest(states.map(fullState)) };
    const { title, cell } = STATUS_COLUMNS[wish.fact];
    const width = widest([title, ...sites.map((site) => cell(site).text)]);
    return { ...layout, facts: new Map([...layout.facts, [wish.fact, width]]) };
  };
  for (const wish of WISHES) {
    if ("fact" in wish && !isNeeded(wish.fact, sites)) continue;
    if ("fact" in wish && wish.beside !== undefined && !layout.facts.has(wish.beside)) continue;
    const better = fulfilled(wish);
    if (widthOf(better) <= columns) layout = better;
  }
  const name = Math.min(longestName, layout.name + columns - widthOf(layout));
  const names = Object.keys(STATUS_COLUMNS) as StatusColumnName[];
  return {
    ...layout,
    // A terminal that is too narrow for all of it still shows which site is how.
    name: Math.max(4, name),
    facts: new Map(names.flatMap((name) => {
      const width = layout.facts.get(name);
      return width === undefined ? [] : [[name, width]];
    })),
  };
}

function widthOf({ name, state, facts, pulses }: StatusLayout): number {
  const widths = [name, state, ...facts.values(), ...pulses === 0 ? [] : [pulses]];
  return "✔ ".length + widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}
