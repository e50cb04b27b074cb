import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import type { LocationLines } from "../../../lib/statistics/graph.ts";
import { DASHES } from "../../../templates/graph/graph_svg.ts";
import { computeContrast } from "../../../lib/config/page/accent.ts";
import { measureText, THEMES } from "../../../templates/graph/style.ts";
import { drawGraph, graph } from "../../helpers/graphs.ts";
import { HOSTILE_TEXTS } from "../../helpers/hostile_page.ts";
import { PROJECT } from "../../helpers/program.ts";

const PLACES = ["Sydney", "São Paulo", "Singapore", "Virginia", "Stockholm", "Frankfurt am Main"];

/** Lines of some locations, with the points of a busy day. */
function linesOf(names: readonly string[], changes: Partial<LocationLines> = {}): LocationLines {
  const { points } = graph("busy", "day");
  const lines = names.map((name, index) => ({
    name,
    points: points.filter((_, at) => at % 5 === 0)
      .map(({ time, median, isJoined }) => ({ time, median: median * (3 - index / 3), isJoined })),
  }));
  return { lines, others: 0, earlier: [], ...changes };
}

interface Label {
  text: string;
  x: number;
  y: number;
  end: number;
}

/** The labels between heading and plot. */
function legendOf(svg: string): Label[] {
  const all = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="11"[^>]*>([^<]*)</g)];
  return all.map(([, x, y, text]) => {
    const plain = text!.replace(/&(?:lt|gt|quot|amp|#\w+);/g, "<");
    const end = Number(x) + measureText(plain, { size: 11, color: "" });
    return { text: text!, x: Number(x), y: Number(y), end };
  }).filter(({ y, x }) => y > 60 && y < 110 && x >= 20 && x !== 52);
}

Deno.test("a graph of locations equals its reviewed picture", async () => {
  // UPDATE_GRAPHS=1 writes the file anew: look at the picture then.
  const path = join(PROJECT, "tests/testdata/graphs/locations.svg");
  const svg = drawGraph(
    graph("maintenance", "day", { locations: linesOf(PLACES, { others: 2 }) }),
    "light",
  );
  if (Deno.env.has("UPDATE_GRAPHS")) await Deno.writeTextFile(path, svg);
  assertEquals(svg, await Deno.readTextFile(path));
});

Deno.test("a legend names the lines and the number of further locations, and no labels overlap", () => {
  const cases = [
    PLACES,
    PLACES.slice(0, 2),
    PLACES.map((name) => name.repeat(9)),
    ["i", "W".repeat(40), "東京", ...PLACES.slice(3)],
    HOSTILE_TEXTS.slice(0, 6),
    HOSTILE_TEXTS.slice(6, 12),
  ];
  for (const names of cases) {
    const svg = drawGraph(
      graph("busy", "day", { locations: linesOf(names, { others: 94 }) }),
      "dark",
    );
    const labels = legendOf(svg);
    assertEquals(labels.length, names.length + 1, names.join());
    assertEquals(labels.at(-1)!.text, "and 94 more");
    for (const [index, { x, y, end, text }] of labels.entries()) {
      const next = labels[index + 1];
      assert(end <= 585, `${text} ends at ${end}`);
      assert(next === undefined || next.y > y || next.x >= end + 13, `${text} touches the next`);
      assert(x >= 20);
    }
    assert(new Set(labels.map(({ y }) => y)).size <= 2);
    assert(!/NaN|undefined|Infinity/.test(svg));
  }
});

Deno.test("lines differ by color and by dashes, and the first is drawn over the others", () => {
  for (const name of ["light", "dark"] as const) {
    const svg = drawGraph(graph("empty", "day", { locations: linesOf(PLACES) }), name);
    const strokes = [
      ...svg.matchAll(
        /<path d="M[^"]+l[^"]+" stroke="(#\w+)" [^>]*?(?:stroke-dasharray="([^"]*)")?\/>/g,
      ),
    ];
    assertEquals(strokes.map(([, color]) => color), THEMES[name].lines.toReversed());
    assertEquals(strokes.map(([, , dash = ""]) => dash), [...DASHES].reverse());
    assertEquals(new Set(DASHES).size, THEMES[name].lines.length);
  }
});

Deno.test("the site's own line is drawn up to those of the locations only", () => {
  const { points } = graph("busy", "day");
  const [none, some] = [[], points.slice(0, 20)].map((earlier) =>
    drawGraph(graph("busy", "day", { locations: linesOf(PLACES, { earlier }) }), "light")
  ) as [string, string];
  const own = `stroke="${THEMES.light.muted}" stroke-width="1.75"`;
  assertEquals([none.includes(own), some.includes(own)], [false, true]);
  assertEquals([none.includes(">site<"), some.includes(">site<")], [false, true]);
  assertMatch(some, />p95</);
  assert(!none.includes(">median<"));
});

Deno.test("colors of lines contrast with the background", () => {
  for (const { lines, background } of Object.values(THEMES)) {
    for (const line of lines) {
      assert(computeContrast(line, background) >= 3, `${line} on ${background}`);
    }
  }
});
