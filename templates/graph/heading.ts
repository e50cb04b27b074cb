import { plainText } from "../../lib/text/plain_text.ts";
import type { Graph } from "../../lib/statistics/graph.ts";
import { WINDOWS } from "../../lib/history/windows.ts";
import { MARGIN, PLOT } from "./frame.ts";
import { stateFill } from "./state_spans.ts";
import { DRAWN_STATES } from "./stretches.ts";
import { round } from "./round.ts";
import { svgText, widthOf } from "./svg_text.ts";
import type { Theme } from "./themes.ts";

/** Base lines of the title and of what stands below it. */
const TITLE = 35;
const BELOW = 56;
/** Pixels of a sample of colour, up to its word, and between two entries. */
const SAMPLE = { width: 10, height: 9, gap: 4 };
const BETWEEN = 9;

/** Title, window, and the words for the colours that are there. */
export function drawHeading(graph: Graph, theme: Theme): string {
  const title = { size: 18, weight: "semibold", colour: theme.text } as const;
  return [
    svgText(plainText(graph.name), title, { x: MARGIN, y: TITLE, width: PLOT.right - MARGIN }),
    svgText(`Response time, ${WINDOWS[graph.window].words}`, { size: 13, colour: theme.muted }, {
      x: MARGIN,
      y: BELOW,
    }),
    drawKey(graph, theme),
  ].join("");
}

/** A sample of each colour with its word, to the right. */
function drawKey(graph: Graph, theme: Theme): string {
  const style = { size: 11, colour: theme.muted };
  let right: number = PLOT.right;
  return entriesOf(graph, theme).toReversed().map(({ word, sample }) => {
    const left = round(right - widthOf(word, style));
    const start = Math.round(left - SAMPLE.gap - SAMPLE.width);
    right = start - BETWEEN;
    return sample(start) + svgText(word, style, { x: left, y: BELOW });
  }).join("");
}

/** A word of the key, and what draws its sample from a pixel on. */
interface Entry {
  word: string;
  sample(left: number): string;
}

function entriesOf({ points, spans }: Graph, theme: Theme): Entry[] {
  const box = (fill: string) => (left: number) =>
    `<rect x="${left}" y="${
      BELOW - SAMPLE.height
    }" width="${SAMPLE.width}" height="${SAMPLE.height}" ${fill}/>`;
  const line = (left: number) =>
    `<path d="M${left} ${BELOW - 4}h${SAMPLE.width}" stroke="${theme.line}" stroke-width="2"/>`;
  const { fill, opacity } = theme.band;
  return [
    ...points.length > 0 ? [{ word: "median", sample: line }] : [],
    ...points.some(({ p95 }) => p95 !== undefined)
      ? [{ word: "p95", sample: box(`fill="${fill}" fill-opacity="${opacity}"`) }]
      : [],
    ...DRAWN_STATES.filter((drawn) => spans.some(({ state }) => state === drawn)).toReversed()
      .map((state) => ({
        word: state === "unknown" ? "no data" : state,
        sample: box(`fill="${stateFill(state, theme)}"`),
      })),
  ];
}
