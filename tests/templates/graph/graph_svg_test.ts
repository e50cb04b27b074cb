import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { renderGraph } from "../../../templates/graph/graph_svg.ts";
import { THEMES } from "../../../templates/graph/style.ts";
import { FILE_WINDOW_NAMES } from "../../../lib/history/windows.ts";
import { MINUTE } from "../../../lib/time.ts";
import { graph, SKETCHES } from "../../helpers/graphs.ts";
import { PROJECT } from "../../helpers/program.ts";

const END = graph("empty", "day").statistics.window.to;

/** Points at these minutes before the end, with these medians; those marked by `+` are joined to the one before. */
function points(...texts: string[]) {
  return texts.map((text) => {
    const [, plus, minutes, median] = text.match(/^(\+?)(\d+):(\d+)$/)!;
    return { time: END - Number(minutes) * MINUTE, median: Number(median), isJoined: plus === "+" };
  });
}

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!);
}

for (const sketch of Object.keys(SKETCHES)) {
  Deno.test(`a graph of the history "${sketch}" looks as it was looked at`, async () => {
    // A day of each is kept; what differs between windows is their ticks, which have tests of their own.
    // UPDATE_GRAPHS=1 writes the files anew: look at the pictures then.
    const path = join(PROJECT, "tests/testdata/graphs", `${sketch}.svg`);
    const svg = renderGraph(graph(sketch, "day"), "light");
    if (Deno.env.has("UPDATE_GRAPHS")) await Deno.writeTextFile(path, svg);
    assertEquals(svg, await Deno.readTextFile(path));
  });
}

Deno.test("every graph says its window, its end and its zone", () => {
  for (const window of FILE_WINDOW_NAMES) {
    const found = texts(renderGraph(graph("busy", window, { timezone: "Europe/Berlin" }), "dark"));
    assert(found.some((text) => text.startsWith("Response time, ")));
    assert(found.includes("until 21 Nov 2026, 11:05 Europe/Berlin"));
  }
});

Deno.test("a caption has mean, p95 and uptime, and a dash where there is none", () => {
  assertEquals(texts(renderGraph(graph("busy", "day"), "light")).slice(-6), [
    "mean",
    "178 ms",
    "p95",
    "1,017 ms",
    "uptime",
    "98.41%",
  ]);
  assertEquals(
    texts(renderGraph(graph("empty", "day"), "light")).slice(-6).join(" "),
    [
      "mean – p95 – uptime –",
    ].join(),
  );
});

Deno.test("the axis of milliseconds starts at zero and ends in a round number", () => {
  const axis = (median: string) => {
    const svg = renderGraph(graph("empty", "day", { points: points(`60:${median}`) }), "light");
    return texts(svg).slice(0, texts(svg).findIndex((text) => /^m?s$/.test(text)) + 1).join(" ");
  };
  assertEquals(axis("3"), "0 1 2 3 4 ms");
  assertEquals(axis("0"), "0 1 2 3 4 ms");
  assertEquals(axis("142"), "0 50 100 150 ms");
  assertEquals(axis("45000"), "0 10,000 20,000 30,000 40,000 50,000 ms");
});

Deno.test("a line runs through joined points only, and a point by itself is a dot", () => {
  const shown = points("600:100", "+595:120", "300:100", "+295:110", "+290:90", "60:80");
  const svg = renderGraph(graph("empty", "day", { points: shown }), "light");
  const { line } = THEMES.light;
  const [path] = svg.match(
    new RegExp(`<path d="[^"]*" fill="none" stroke="${line}" stroke-width="1.75"`),
  )!;
  assertEquals(path.match(/M/g)!.length, 2);
  assertEquals(path.match(/L/g)!.length, 3);
  const [dot] = svg.match(
    new RegExp(`<path d="[^"]*" fill="none" stroke="${line}" stroke-width="6"`),
  )!;
  assertEquals(dot.match(/M/g)!.length, 1);
});

Deno.test("an outage of a second is two pixels wide, at either end of the window too", () => {
  const { window } = graph("empty", "year").statistics;
  for (const from of [window.from, window.to - 40 * 24 * 60 * MINUTE, window.to - 1000]) {
    const intervals = [{ from, to: from + 1000, state: "down" as const }];
    const svg = renderGraph(graph("empty", "year", { intervals }), "light");
    const [, left, right] = svg.match(
      new RegExp(`<path d="M(\\d+) 84H(\\d+)V316H\\1Z" fill="${THEMES.light.down}"/>`),
    )!;
    assertEquals(Number(right) - Number(left), 2);
    assert(Number(left) >= 60 && Number(right) <= 580);
  }
});

Deno.test("words stand for the colours that are there, and for no others", () => {
  const key = (sketch: string) =>
    texts(renderGraph(graph(sketch, "day"), "light"))
      .filter((text) => /^(median|down|degraded|maintenance)$/.test(text)).join(" ");
  assertEquals(key("maintenance"), "maintenance degraded down median");
  assertEquals(key("all-down"), "down");
  assertEquals(key("empty"), "");
});

Deno.test("a name is escaped, freed of control characters, and cut where it is too long", () => {
  const hostile = renderGraph(
    graph("empty", "day", { name: `<b>"A"&\u202eB\x1b\ud800\uffff` }),
    "light",
  );
  assertMatch(hostile, /&lt;b&gt;&quot;A&quot;&amp; B \ufffd\ufffd</);
  const long = renderGraph(graph("empty", "day", { name: "Wide ".repeat(60) }), "light");
  assertMatch(long, />(?:Wide )+Wi?d?e?…</);
});

Deno.test("what is not there leaves no trace in the text", () => {
  for (const sketch of Object.keys(SKETCHES)) {
    for (const window of FILE_WINDOW_NAMES) {
      assert(!/NaN|undefined|Infinity|null/.test(renderGraph(graph(sketch, window), "dark")));
    }
  }
});

for (const [name, theme] of Object.entries(THEMES)) {
  Deno.test(`text of the ${name} theme stands out from what is behind it (WCAG AA)`, () => {
    for (const colour of [theme.text, theme.muted]) {
      assert(contrast(colour, theme.background) >= 4.5, `${colour}`);
    }
    // What is drawn, as the same guidelines ask of graphics.
    assert(contrast(theme.line, theme.background) >= 3);
    for (const behind of [theme.down, theme.degraded]) assert(contrast(theme.line, behind) >= 2);
  });

  Deno.test(`states of the ${name} theme differ without colour`, () => {
    const greys = [theme.background, theme.degraded, theme.down].map(luminance);
    const ordered = name === "light" ? greys.toReversed() : greys;
    assertEquals(ordered, ordered.toSorted((a, b) => a - b));
    assert(contrast(theme.down, theme.background) >= 1.8);
  });
}

Deno.test("both themes have the same of everything but colours", () => {
  const shape = (theme: keyof typeof THEMES) =>
    renderGraph(graph("maintenance", "week"), theme).replaceAll(
      /#[0-9a-f]{6}|opacity="[\d.]+"/g,
      "",
    );
  assertEquals(shape("dark"), shape("light"));
});

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((share) => share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
}
