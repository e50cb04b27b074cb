import { assert, assertEquals } from "@std/assert";
import { STATES } from "../../../lib/state.ts";
import {
  PICTURE_COLOURS,
  PICTURE_TINTS,
  PICTURE_WORDS,
} from "../../../templates/pages/preview_svg.ts";
import { SCRIPT, STYLE } from "../../../templates/pages/assets.ts";
import { textsIn } from "../../helpers/texts_in.ts";

const TEMPLATES = (await textsIn("templates/pages", /\.tsx?$/)).join("\n");

/** Classes with a number or name in them that is computed. */
const COMPUTED = /^(?:w-(?:day|week|month|quarter|year|all)|from-[1-6])$/;

Deno.test("pictures have the colours of the style", () => {
  const colours = new Map(
    [...STYLE.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
      ([, name, light, dark]) => [name!, [light, dark]],
    ),
  );
  const { light, dark } = PICTURE_COLOURS;
  for (const state of STATES) {
    assertEquals(colours.get(state), [light[state], dark[state]]);
    assertEquals(colours.get(`${state}-soft`)?.[0], PICTURE_TINTS[state]);
  }
  for (const [name, colour] of Object.entries(PICTURE_WORDS)) {
    assertEquals(colours.get(name)?.[0], colour);
  }
});

Deno.test("every colour that is named is used, and every one that is used is named", () => {
  const named = new Set([...STYLE.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = [...STYLE.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  const ofStates = STATES.flatMap((state) => [`--${state}`, `--${state}-soft`]);
  assertEquals(new Set([...used, ...ofStates]), named);
});

Deno.test("every class of the style stands somewhere in the pages", () => {
  const selectors = STYLE.replaceAll(/\{[^{}]*\}/g, "{}");
  const classes = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!));
  assert(classes.size > 50);
  const words = new Set([...TEMPLATES.split(/[^\w-]+/), ...STATES]);
  assertEquals([...classes].filter((name) => !words.has(name) && !COMPUTED.test(name)), []);
});

Deno.test("style and script load nothing, and the script makes nothing of texts but texts", () => {
  assertEquals(STYLE.match(/url\(|@import|https?:/), null);
  assertEquals(SCRIPT.match(/https?:|innerHTML|outerHTML|insertAdjacent|document\.write/), null);
  assertEquals(SCRIPT.match(/\beval\b|\bFunction\(|\bimport\b|cookie/), null);
});
