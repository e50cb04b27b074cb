import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { computeContrast, GROUNDS } from "../../../lib/config/page/accent.ts";
import type { PageSettings } from "../../../lib/page/settings.ts";
import { STATES } from "../../../lib/state.ts";
import { PICTURE_COLORS } from "../../../templates/graph/colors.ts";
import { DASHES } from "../../../templates/graph/graph_svg.ts";
import { THEMES } from "../../../templates/graph/style.ts";
import { renderStyle, STYLE } from "../../../templates/pages/files.ts";
import scripts from "../../../templates/pages/scripts.json" with { type: "json" };
import { hashModules } from "../../../tools/scripts.ts";
import { pageSettings } from "../../helpers/page_views.ts";
import { PROJECT } from "../../helpers/program.ts";
import { textsIn } from "../../helpers/texts_in.ts";

const SCRIPTS = scripts.main + scripts.details + scripts.more;

const TEMPLATES = (await textsIn("templates/pages", /\.tsx?$/)).join("\n");

/** Classes with a number or name in them that is computed. */
const COMPUTED = /^(?:w-(?:day|week|month|quarter|year|all)|from-[1-6]|l[0-5]|h[0-4]|grid)$/;

Deno.test("scripts are minified after each change: `deno task scripts` does it", () => {
  assertEquals(scripts.modules, hashModules());
});

Deno.test("pictures use the colors of the style sheet", () => {
  for (const theme of ["light", "dark"] as const) {
    const { words, bars, tints, ...others } = PICTURE_COLORS[theme];
    const { bg: _, ...ofStyle } = colorsOf(theme);
    assertEquals({
      ...others,
      ...words,
      ...Object.fromEntries(STATES.map((state) => [`${state}-bar`, bars[state]])),
      ...Object.fromEntries(STATES.map((state) => [`${state}-soft`, tints[state]])),
    }, ofStyle);
  }
});

Deno.test("the lines of locations after the first, which has the accent, are those of graphs", () => {
  const colors = [...STYLE.matchAll(/\.l(\d) \{\s*stroke: light-dark\((#\w+), (#\w+)\)/g)];
  assertEquals(
    colors.map(([, index, light, dark]) => [Number(index), light, dark]),
    [
      ...THEMES.light.lines.map((light, index) => [index, light, THEMES.dark.lines[index]!]),
    ].slice(1),
  );
  const dashes = [...STYLE.matchAll(/\.l(\d) \{\s*stroke-dasharray: ([^;}]*)/g)];
  assertEquals(
    dashes.map(([, index]) => DASHES[Number(index)]),
    dashes.map(([, , dash]) => dash!.trim() as typeof DASHES[number]),
  );
  assertEquals(dashes.length, DASHES.length - 1);
});

/** Colors of the style sheet by name, in each theme. */
function colorsOf(theme: keyof typeof GROUNDS): Record<string, string> {
  const at = theme === "light" ? 1 : 2;
  const usual = [...STYLE.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)]
    .map((match) => [match[1]!, full(match[at + 1]!)]);
  const [, own = ""] = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*--[^}]*)\\}`).exec(STYLE) ??
    [];
  const changed = [...own.matchAll(/--([\w-]+): (#\w+)/g)]
    .map(([, name, color]) => [name!, full(color!)]);
  return Object.fromEntries([...usual, ...changed]);
}

function full(color: string): string {
  return color.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
}

for (const theme of ["light", "dark", "night", "ocean"] as const) {
  Deno.test(`the ${theme} theme has enough contrast (WCAG AA)`, () => {
    const colors = colorsOf(theme);
    const grounds = ["bg", "card", ...STATES.map((state) => `${state}-soft`)];
    const pairs: [name: string, ground: string, least: number][] = [
      ...["text", "muted"].flatMap((name) =>
        grounds.map((ground): typeof pairs[number] => [name, ground, 4.5])
      ),
      ...["bg", "card"].map((ground): typeof pairs[number] => ["accent", ground, 4.5]),
      ...STATES.flatMap((state): typeof pairs => [
        [state, "bg", 4.5],
        [state, "card", 4.5],
        [state, `${state}-soft`, 4.5],
        // "No data" is a stub beside its word, and must not stand out.
        [`${state}-bar`, "card", state === "unknown" ? 1.8 : 3],
      ]),
    ];
    const low = pairs.filter(([name, ground, least]) =>
      computeContrast(colors[name]!, colors[ground]!) < least
    );
    assertEquals(low, []);
    assertEquals({ bg: colors["bg"], card: colors["card"] }, GROUNDS[theme]);
  });
}

Deno.test("night and ocean change only the colors of page, cards and lines", () => {
  const dark = colorsOf("dark");
  for (const theme of ["night", "ocean"] as const) {
    const changed = Object.entries(colorsOf(theme)).filter(([name, color]) => dark[name] !== color);
    assertEquals(changed.map(([name]) => name), ["bg", "card", "line"]);
  }
});

Deno.test("an accent is readable on light and dark cards, and a font is loaded from the page", () => {
  const usual = renderStyle(pageSettings());
  const of = (settings: Partial<PageSettings>) =>
    renderStyle(pageSettings(settings)).slice(usual.length);
  assertStringIncludes(
    of({ accent: { light: "#8c7400" } }),
    "--accent: light-dark(#8c7400, #8ab1ff)",
  );
  assertStringIncludes(
    of({ accent: { light: "#111111", dark: "#eeeeee" } }),
    "--accent: light-dark(#111111, #eeeeee)",
  );
  const style = of({ font: `fonts/own "a").woff2` });
  assertStringIncludes(style, 'url("fonts/own%20%22a%22).woff2")');
  assertStringIncludes(style, "--font: owner, system-ui, sans-serif");
  assertStringIncludes(style, "font-weight: normal");
  assertStringIncludes(of({ font: "a.ttf", isVariableFont: true }), "font-weight: 100 900");
});

Deno.test("the public variables of the style sheet are documented, and no others", async () => {
  const docs = await Deno.readTextFile(join(PROJECT, "docs/status-page.md"));
  const [, own = ""] = /^:root \{([^}]*)\}/.exec(STYLE)!;
  const named = [...own.matchAll(/(--[\w-]+):/g)].map(([, name]) => name!);
  const table = docs.split("\n").filter((line) => line.startsWith("| `--"));
  const documented = table.flatMap((line) =>
    [...line.split("|")[1]!.matchAll(/`(--[\w-]+)`/g)].map(([, name]) => name!)
  );
  assertEquals(documented.toSorted(), named.toSorted());
});

Deno.test("every variable is used, and every used one is defined by the style sheet or the script", () => {
  const named = [...STYLE.matchAll(/(--[\w-]+):/g), ...SCRIPTS.matchAll(/"(--[\w-]+)"/g)];
  const used = [...STYLE.matchAll(/var\((--[\w-]+)[,)]/g)].map(([, name]) => name);
  const ofStates = STATES.flatMap((state) => [`--${state}`, `--${state}-bar`, `--${state}-soft`]);
  assertEquals(new Set(named.map(([, name]) => name)), new Set([...used, ...ofStates]));
});

Deno.test("every class of the style sheet is used by a page", () => {
  const selectors = STYLE.replaceAll(/\{[^{}]*\}/g, "{}");
  const classes = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
  assert(classes.size > 50);
  const words = new Set([...`${TEMPLATES}${SCRIPTS}`.split(/[^\w-]+/), ...STATES]);
  assertEquals([...classes].filter((name) => !words.has(name) && !COMPUTED.test(name)), []);
});

Deno.test("style and script load nothing, and the script inserts texts only as text", () => {
  assertEquals(STYLE.match(/url\(|@import|https?:/), null);
  assertEquals(SCRIPTS.match(/https?:|innerHTML|outerHTML|insertAdjacent|document\.write/), null);
  assertEquals(SCRIPTS.match(/\beval\b|\bFunction\(|\bimport\b|cookie/), null);
});
