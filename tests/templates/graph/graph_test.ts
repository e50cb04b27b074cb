import fc from "../../helpers/property.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { ENGLISH_LANGUAGE } from "../../../lib/text/languages.ts";
import { timeAxis } from "../../../templates/graph/graph_svg.ts";
import { HATCHES } from "../../../templates/graph/plot.ts";
import { THEMES } from "../../../templates/graph/style.ts";
import { FILE_WINDOW_NAMES, type WindowName } from "../../../lib/history/windows.ts";
import { computeContrast } from "../../../lib/config/page/accent.ts";
import { HOUR, MINUTE } from "../../../lib/time.ts";
import { drawGraph, graph, SKETCHES } from "../../helpers/graphs.ts";
import { PROJECT } from "../../helpers/program.ts";
import { statistics } from "../../helpers/reports.ts";
import { COLORS, LABEL_COLORS, renderBadge } from "../../../templates/graph/badge.ts";
import { hostileText } from "../../helpers/hostile_text.ts";

const END = graph("empty", "day").statistics.window.to;

/** Points at these minutes before the end, with these medians; those marked by `+` are joined to the one before. */
function points(...texts: string[]) {
  return texts.map((text) => {
    const [, plus, minutes, median] = text.match(/^(\+?)(\d+):(\d+)$/)!;
    return {
      time: END - Number(minutes) * MINUTE,
      median: Number(median),
      checks: 1,
      isJoined: plus === "+",
    };
  });
}

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text!);
}

for (const sketch of Object.keys(SKETCHES)) {
  Deno.test(`a graph of the history "${sketch}" equals its reviewed picture`, async () => {
    // One day of each is kept; windows differ only in their ticks, which have tests of their own.
    // UPDATE_GRAPHS=1 writes the files anew: look at the pictures then.
    const path = join(PROJECT, "tests/testdata/graphs", `${sketch}.svg`);
    const svg = drawGraph(graph(sketch, "day"), "light");
    if (Deno.env.has("UPDATE_GRAPHS")) await Deno.writeTextFile(path, svg);
    assertEquals(svg, await Deno.readTextFile(path));
  });
}

Deno.test("every graph shows its window, its end and its zone", () => {
  for (const window of FILE_WINDOW_NAMES) {
    const found = texts(drawGraph(graph("busy", window, { timezone: "Europe/Berlin" }), "dark"));
    assert(found.some((text) => text.startsWith("Response time, ")));
    assert(found.includes("until 21 Nov 2026, 11:05 Europe/Berlin"));
  }
});

Deno.test("a caption shows mean, p95 and uptime, with a dash for each missing value", () => {
  assertEquals(texts(drawGraph(graph("busy", "day"), "light")).slice(-6), [
    "mean",
    "175 ms",
    "p95",
    "1,038 ms",
    "uptime",
    "98.41%",
  ]);
  assertEquals(
    texts(drawGraph(graph("empty", "day"), "light")).slice(-6).join(" "),
    ["mean – p95 – uptime –"].join(),
  );
});

Deno.test("the axis of milliseconds starts at zero and ends in a round number", () => {
  const axis = (median: string) => {
    const svg = drawGraph(graph("empty", "day", { points: points(`60:${median}`) }), "light");
    return texts(svg).slice(0, texts(svg).findIndex((text) => /^m?s$/.test(text)) + 1).join(" ");
  };
  assertEquals(axis("3"), "0 2 4 6 ms");
  assertEquals(axis("0"), "0 1 2 3 ms");
  assertEquals(axis("142"), "0 50 100 150 ms");
  assertEquals(axis("45000"), "0 20,000 40,000 60,000 ms");
});

Deno.test("an outlier doesn't flatten a graph: it has a mark at the top, which the key names", () => {
  const usual = Array.from({ length: 30 }, (_, index) => `${60 + 20 * index}:${100 + index}`);
  const svgOf = (...times: string[]) =>
    drawGraph(graph("empty", "day", { points: points(...times) }), "light");
  const outlier = svgOf(...usual, "30:9000");
  assertEquals(texts(outlier).slice(0, 5), ["0", "50", "100", "150", "ms"]);
  assert(texts(outlier).includes("above the scale"));
  assertEquals(outlier.match(/<path d="M[\d.]+ 0l4 7h-8z"/g)?.length, 1);
  const slow = svgOf(...usual, "30:500");
  assertEquals(texts(slow).slice(0, 5), ["0", "200", "400", "600", "ms"]);
  assert(!texts(slow).includes("above the scale"));
});

Deno.test("a line runs through joined points only, and a point by itself is a dot", () => {
  const shown = points("600:100", "+595:120", "300:100", "+295:110", "+290:90", "60:80");
  const svg = drawGraph(graph("empty", "day", { points: shown }), "light");
  const { line } = THEMES.light;
  const [path] = svg.match(
    new RegExp(`<path d="[^"]*" stroke="${line}" stroke-width="1.75"`),
  )!;
  assertEquals(path.match(/M/g)!.length, 2);
  assertEquals(path.match(/,/g)!.length, 3);
  const [dot] = svg.match(
    new RegExp(`<path d="[^"]*" stroke="${line}" stroke-width="6"`),
  )!;
  assertEquals(dot.match(/M/g)!.length, 1);
});

Deno.test("an outage of a second is two pixels wide, at either end of the window too", () => {
  const { window } = graph("empty", "year").statistics;
  for (const from of [window.from, window.to - 40 * 24 * 60 * MINUTE, window.to - 1000]) {
    const intervals = [{ from, to: from + 1000, state: "down" as const }];
    const svg = drawGraph(graph("empty", "year", { intervals }), "light");
    const [, left, right] = svg.match(
      new RegExp(`<path d="M(\\d+) 0H(\\d+)V232H\\1Z" fill="${THEMES.light.down}"/>`),
    )!;
    assertEquals(Number(right) - Number(left), 2);
    assert(Number(left) >= 0 && Number(right) <= 520);
  }
});

Deno.test("the legend names the colors in the graph, and no others", () => {
  const key = (sketch: string) =>
    texts(drawGraph(graph(sketch, "day"), "light"))
      .filter((text) => /^(median|down|degraded|maintenance)$/.test(text)).join(" ");
  assertEquals(key("maintenance"), "median down degraded maintenance");
  assertEquals(key("all-down"), "down");
  assertEquals(key("empty"), "");
});

Deno.test("a name in a graph is escaped, freed of control characters, and cut if it is too long", () => {
  const hostile = drawGraph(
    graph("empty", "day", { name: `<b>"A"&\u202eB\x1b\ud800\uffff` }),
    "light",
  );
  assertMatch(hostile, /&lt;b&gt;&quot;A&quot;&amp; B \ufffd\ufffd</);
  const long = drawGraph(graph("empty", "day", { name: "Wide ".repeat(60) }), "light");
  assertMatch(long, />(?:Wide )+Wi?d?e?…</);
});

Deno.test("no graph contains NaN, undefined, Infinity or null", () => {
  for (const sketch of Object.keys(SKETCHES)) {
    for (const window of FILE_WINDOW_NAMES) {
      assert(!/NaN|undefined|Infinity|null/.test(drawGraph(graph(sketch, window), "dark")));
    }
  }
});

for (const [name, theme] of Object.entries(THEMES)) {
  Deno.test(`text of the ${name} theme has enough contrast (WCAG AA)`, () => {
    for (const color of [theme.text, theme.muted]) {
      assert(computeContrast(color, theme.background) >= 4.5, `${color}`);
    }
    // Graphics, for which the same guidelines have another limit.
    assert(computeContrast(theme.line, theme.background) >= 3);
    for (const behind of [theme.down, theme.hatches.degraded]) {
      assert(computeContrast(theme.line, behind) >= 2);
    }
  });
}

Deno.test("an outage has a ground of its own, and other states differ by their hatches", () => {
  const svg = drawGraph(graph("maintenance", "week"), "light");
  const states = ["degraded", "maintenance"] as const;
  const hatches = states.map((state) =>
    new RegExp(`<pattern id="${state}"[^>]*><path d="([^"]*)" stroke="([^"]*)"`).exec(svg)!.slice(1)
  );
  assertEquals(hatches, states.map((state) => [HATCHES[state], THEMES.light.hatches[state]]));
  const fills = [THEMES.light.down, "url(#degraded)", "url(#maintenance)"];
  // In the plot, and in the key below it.
  assertEquals(fills.map((fill) => svg.split(`fill="${fill}"`).length - 1), [2, 2, 2]);
});

Deno.test("both themes differ only in colors", () => {
  const shape = (theme: keyof typeof THEMES) =>
    drawGraph(graph("maintenance", "week"), theme).replaceAll(
      /#[0-9a-f]{6}|opacity="[\d.]+"/g,
      "",
    );
  assertEquals(shape("dark"), shape("light"));
});

function labels(window: WindowName, timezone = "UTC"): string {
  return timeAxis(graph("busy", window, { timezone }), ENGLISH_LANGUAGE).ticks.map(({ label }) =>
    label
  ).join(" ");
}

function labelsOf(from: string, hours: number, timezone: string): string {
  const start = Temporal.Instant.from(from).epochMilliseconds;
  const window = { from: start, to: start + hours * HOUR };
  const shown = graph("empty", "all", { timezone, statistics: statistics("all", { window }) });
  return timeAxis(shown, ENGLISH_LANGUAGE).ticks.map(({ label }) => label).join(" ");
}

Deno.test("the time axis of a day has ticks at full hours, and the date at midnight", () => {
  assertEquals(labels("day"), "12:00 15:00 18:00 21:00 Sat 21 03:00 06:00 09:00");
});

Deno.test("a week is labeled by days, a month by Sundays, a year by months, with the year at January", () => {
  assertEquals(labels("week"), "Sun 15 Mon 16 Tue 17 Wed 18 Thu 19 Fri 20 Sat 21");
  assertEquals(labels("month"), "25 Oct 1 Nov 8 Nov 15 Nov");
  assertEquals(labels("year"), "Dec 2026 Feb Mar Apr May Jun Jul Aug Sep Oct Nov");
});

Deno.test("days start at local midnight, or at the first local time of a day without midnight", () => {
  const { ticks } = timeAxis(graph("busy", "day", { timezone: "Asia/Kolkata" }), ENGLISH_LANGUAGE);
  const midnight = ticks.find(({ label }) => label === "Sat 21")!;
  assertEquals(midnight.time, Date.parse("2026-11-20T18:30:00Z"));
  assertEquals(labelsOf("2026-04-23T12:00:00Z", 24, "Africa/Cairo").includes("Fri 24"), true);
});

Deno.test("skipped hours have no tick, and repeated hours have one", () => {
  const spring = labelsOf("2026-03-28T23:00:00Z", 8, "Europe/Berlin");
  assertEquals(spring, "Sun 29 01:00 03:00 04:00 05:00 06:00 07:00 08:00 09:00");
  const autumn = labelsOf("2026-10-24T22:00:00Z", 8, "Europe/Berlin");
  assertEquals(autumn, "Sun 25 01:00 02:00 03:00 04:00 05:00 06:00 07:00");
});

Deno.test("labels of any time span don't overlap, from an instant to a century", () => {
  for (let hours = 0; hours < 900_000; hours = Math.ceil(hours * 1.7 + 0.3)) {
    for (const zone of ["UTC", "America/St_Johns", "Pacific/Apia"]) {
      const found = labelsOf("1970-02-03T04:05:06Z", hours, zone).split(" ").length;
      assertEquals(found >= 2 && found <= 48, true, `${hours} ${zone}: ${found}`);
    }
  }
});

const ELEMENT =
  /<(\/?)([a-z]+)((?: [a-z-]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|#39);[^"<>&]*)*")*)(\/?)>/gi;

/** The words of a picture, and nothing else may be in it. */
function wordsOf(svg: string): string {
  const open: string[] = [];
  const rest = svg.replace(ELEMENT, (_, closes, name, attributes, empty) => {
    if (closes) assertEquals(open.pop(), name);
    else if (!empty) open.push(name);
    assert(["svg", "title", "path", "g", "text"].includes(name), name);
    assert(!/ (?:on\w+|href|style|id)=/.test(attributes), attributes);
    return closes ? "\n" : "";
  });
  assertEquals(open, []);
  assert(!/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(rest), rest);
  return rest;
}

Deno.test("a badge shows label and message, and contains both for screen readers", () => {
  const svg = renderBadge({ label: "uptime 7d", message: "99.98%", color: "brightgreen" });
  assertEquals(wordsOf(svg).split("\n").filter((line) => line !== ""), [
    "uptime 7d: 99.98%",
    "uptime 7d",
    "99.98%",
  ]);
  assert(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg" '));
  assert(svg.includes('role="img" aria-label="uptime 7d: 99.98%"'));
});

Deno.test("texts of a badge have enough contrast on their colors", () => {
  const full = (color: string) => color.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  for (const [ground, text] of [...Object.values(COLORS), LABEL_COLORS]) {
    assert(computeContrast(full(text), ground) >= 4.5, `${text} on ${ground}`);
  }
});

Deno.test("each text of a badge has the width reserved for it", () => {
  for (const message of ["up", "100%", "12345 ms", "maintenance", "日本語", ""]) {
    const svg = renderBadge({ label: "status", message, color: "red" });
    const numbers = (name: string) =>
      [...svg.matchAll(new RegExp(` ${name}="(\\d+)"`, "g"))].map(([, number]) => Number(number));
    const [width] = numbers("width");
    const [label, own] = numbers("textLength");
    assertEquals(numbers("x"), [6, label! + 18]);
    assertEquals(width, label! + own! + 24);
  }
});

Deno.test("a badge of a right-to-left language has its label on the right, and joined letters stay joined", () => {
  const svg = renderBadge({ label: "الحالة", message: "100%", color: "green" }, true);
  const texts = [...svg.matchAll(/<text x="(\d+)"[^>]* textLength="(\d+)"([^>]*)>/g)];
  const [label, message] = texts.map(([, x, length]) => [Number(x), Number(length)]);
  assertEquals(message![0], 6 + message![1]!);
  assertEquals(label![0], message![0]! + 12 + label![1]!);
  assertEquals(texts.map(([, , , more]) => more!.trim()), ['lengthAdjust="spacingAndGlyphs"', ""]);
  assert(svg.includes('direction="rtl"'));
});

Deno.test("a badge is a valid picture whatever its texts contain", () => {
  const svg = renderBadge({ label: "</svg>", message: `"'><script>&\n`, color: "green" });
  assert(wordsOf(svg).includes("&lt;/svg&gt;"));
  fc.assert(
    fc.property(hostileText(), hostileText(), (label, message) => {
      const drawn = renderBadge({ label, message, color: "green" });
      wordsOf(drawn);
      // deno-lint-ignore no-control-regex
      assert(!/[\u0000-\u0009\u000b-\u001f\ufffe\uffff]|\n./.test(drawn));
    }),
  );
});
