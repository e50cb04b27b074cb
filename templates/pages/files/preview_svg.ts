import { foreignCharacters } from "../../../lib/font/foreign_characters.ts";
import { OVERALL_STATES } from "../../../lib/page/overall.ts";
import { overallAt } from "../../../lib/page/overall_at.ts";
import { watchedStates } from "../../../lib/page/watched_states.ts";
import { plainText } from "../../../lib/plain_text.ts";
import { type State, STATES } from "../../../lib/state.ts";
import { ENGLISH } from "../../../lib/messages/messages.ts";
import { FAMILY, WEIGHTS } from "../../graph/fonts.ts";
import { round } from "../../graph/round.ts";
import { svgText, type TextStyle, widthOf } from "../../graph/svg_text.ts";
import { type Language, languageOf } from "../language.ts";
import type { View } from "../page.ts";
import { PREVIEW_SIZE } from "./preview_size.ts";
import { SHAPES } from "../parts/shape.tsx";
import { PICTURE_COLOURS, PICTURE_TINTS, PICTURE_WORDS } from "../picture_colours.ts";

const [WIDTH, HEIGHT] = PREVIEW_SIZE;
const MARGIN = 72;
const INNER = WIDTH - 2 * MARGIN;
const { text: TEXT, muted: MUTED } = PICTURE_WORDS;
const PAPER = "#ffffff";
const COLOURS = PICTURE_COLOURS.light;

/** The card with the sentence. */
const CARD = { y: 176, height: 236, padding: 48 };
const SHAPE = 104;
/** Sizes of the sentence, of which the largest is taken that fits. */
const SENTENCE_SIZES = [68, 60, 52, 46, 40];

/** How everything is at a glance, for where a link to the page is shown; in English where our font lacks the words. */
export function previewSvg({ report, settings, language: own, checks }: View): string {
  const states = watchedStates(report.sites);
  const overall = overallAt(report);
  const upToIn = (language: Language) =>
    checks === undefined
      ? language.say("noChecks")
      : language.say("checksUpTo", { TIME: language.moment(checks) });
  const words = [overall, ...STATES].map((key) => own.say(key)).join("") + upToIn(own);
  // With fonts of the system the picture would differ, or signs would be left out.
  const isWritten = foreignCharacters(words, WEIGHTS.regular.font).length === 0;
  const language = isWritten ? own : languageOf(ENGLISH, "en", settings.timezone);
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAPER}"/>`,
    `<rect width="${WIDTH}" height="14" fill="${COLOURS[OVERALL_STATES[overall]]}"/>`,
    svgText(plainText(settings.name), { size: 44, weight: "semibold", colour: TEXT }, {
      ...{ x: MARGIN, y: 122, width: INNER },
    }),
    card(OVERALL_STATES[overall], language.say(overall)),
    counts(states, (state, count) => `${language.number(count)} ${language.say(state)}`),
    svgText(upToIn(language), { size: 28, colour: MUTED }, { x: MARGIN, y: 572, width: INNER }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ` +
    `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FAMILY}">${parts.join("")}</svg>\n`;
}

function card(state: State, sentence: string): string {
  const { y, height, padding } = CARD;
  const middle = y + height / 2;
  const x = MARGIN + padding + SHAPE + 40;
  const width = WIDTH - MARGIN - padding - x;
  const styles = SENTENCE_SIZES.map((size): TextStyle => ({
    ...{ size, weight: "semibold", colour: TEXT },
  }));
  const style = styles.find((one) => widthOf(sentence, one) <= width) ?? styles.at(-1)!;
  return [
    `<rect x="${MARGIN}" y="${y}" width="${INNER}" height="${height}" rx="28" fill="${
      PICTURE_TINTS[state]
    }"/>`,
    shape(state, { x: MARGIN + padding, y: middle - SHAPE / 2, size: SHAPE }),
    // Capitals are about 0.72 of the size high.
    svgText(sentence, style, { x, y: middle + style.size * 0.36, width }),
  ].join("");
}

/** How many sites are in each state, on one line as far as that goes. */
function counts(states: readonly State[], words: (state: State, count: number) => string): string {
  const style: TextStyle = { size: 32, colour: TEXT };
  const y = 488;
  let x = MARGIN;
  const parts: string[] = [];
  for (const state of STATES) {
    const count = states.filter((one) => one === state).length;
    if (count === 0) continue;
    const text = words(state, count);
    const width = 48 + widthOf(text, style);
    if (x + width > WIDTH - MARGIN) break;
    parts.push(
      shape(state, { x, y: y - 28, size: 32 }),
      svgText(text, style, { x: x + 48, y }),
    );
    x += width + 56;
  }
  return parts.join("");
}

function shape(state: State, { x, y, size }: { x: number; y: number; size: number }): string {
  const place = `translate(${round(x)} ${round(y)}) scale(${size / 16})`;
  return `<path transform="${place}" fill="${COLOURS[state]}" fill-rule="evenodd" d="${
    SHAPES[state]
  }"/>`;
}
