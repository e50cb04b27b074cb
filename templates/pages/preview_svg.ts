import { computeOverall, listWatchedStates, OVERALL_STATES } from "../../lib/page/overall.ts";
import { selectCounted } from "../../lib/statistics/report/report.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { type State, STATES } from "../../lib/state.ts";
import { ENGLISH } from "../../lib/text/english.ts";
import {
  FONT_FAMILY,
  isCovered,
  measureText,
  round,
  svgText,
  type TextStyle,
} from "../graph/style.ts";
import { mix, PICTURE_COLORS } from "../graph/colors.ts";
import { describeOverall } from "./describe_overall.tsx";
import { createLanguage, type Language } from "./language.ts";
import type { View } from "./view.ts";
import { SHAPES } from "./parts.tsx";

/** Width and height of the preview, as link previews recommend. */
export const PREVIEW_SIZE = [1200, 630] as const;

const [WIDTH, HEIGHT] = PREVIEW_SIZE;
const MARGIN = 72;
const INNER = WIDTH - 2 * MARGIN;
const { card: PAPER, text: TEXT, muted: MUTED, words: WORDS, bars: BARS, tints: TINTS } =
  PICTURE_COLORS.light;

const CARD = { y: 176, height: 236, padding: 48 };
const SHAPE = 104;
/** Sizes of the sentence; the largest that fits is used. */
const SENTENCE_SIZES = [60, 52, 46, 40];
/** Sizes of the line below it with their numbers of lines; the first with room is used, and the last is cut. */
const LINE_SIZES = [[32, 2], [28, 3], [24, 4]] as const;

/**
 * Renders the preview: the headline with its line, and the numbers of sites. It is in English if the font lacks
 * characters of the page's language, and names no sites whose characters it lacks.
 */
export function renderPreview(view: View): string {
  const { report, settings, language: own, checks } = view;
  const states = listWatchedStates(selectCounted(report.sites), report.impacts);
  const overall = computeOverall(report);
  const upToIn = (language: Language) =>
    checks === undefined
      ? language.say("noChecks")
      : language.say("checksUpTo", { TIME: language.moment(checks) });
  const words = [overall, ...STATES].map((key) => own.say(key)).join("") + upToIn(own);
  const language = isCovered(words) ? own : createLanguage(ENGLISH, "en", settings.timezone);
  const { sentence, line } = describeOverall({ ...view, language });
  const parts = [
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${PAPER}"/>`,
    `<rect width="${WIDTH}" height="14" fill="${BARS[OVERALL_STATES[overall]]}"/>`,
    svgText(plainText(settings.name), { size: 44, weight: "semibold", color: TEXT }, {
      ...{ x: MARGIN, y: 122, width: INNER },
    }),
    card(OVERALL_STATES[overall], sentence, isCovered(line) ? line : ""),
    counts(states, (state, count) => `${language.number(count)} ${language.say(state)}`),
    svgText(upToIn(language), { size: 28, color: MUTED }, { x: MARGIN, y: 572, width: INNER }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" ` +
    `viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="${FONT_FAMILY}">${parts.join("")}</svg>\n`;
}

function card(state: State, sentence: string, line: string): string {
  const { y, height, padding } = CARD;
  const middle = y + height / 2;
  const x = MARGIN + padding + SHAPE + 40;
  const width = WIDTH - MARGIN - padding - x;
  const styles = SENTENCE_SIZES.map((size): TextStyle => ({
    ...{ size, weight: "semibold", color: TEXT },
  }));
  const style = styles.find((one) => measureText(sentence, one) <= width) ?? styles.at(-1)!;
  const { size, lines } = fitLines(line, width);
  // Capitals are about 0.72 of the size high.
  const capitals = 0.72 * style.size;
  const below = lines.length * size * LINE_HEIGHT;
  const gap = below === 0 ? 0 : GAP;
  const base = middle + (capitals - gap - below) / 2;
  return [
    `<rect x="${MARGIN}" y="${y}" width="${INNER}" height="${height}" rx="28" ` +
    `fill="${TINTS[state]}" stroke="${mix(BARS[state], PAPER, 0.28)}" stroke-width="2"/>`,
    shape(state, {
      ...{ x: MARGIN + padding, y: middle - SHAPE / 2, size: SHAPE },
      color: state === "unknown" ? WORDS.unknown : BARS[state],
    }),
    svgText(sentence, style, { x, y: base, width }),
    ...lines.map((text, index) =>
      svgText(text, { size, color: TEXT }, {
        ...{ x, y: base + gap + size * (1 + index * LINE_HEIGHT), width },
      })
    ),
  ].join("");
}

/** Height of a line of text by its size, and pixels between sentence and line. */
const LINE_HEIGHT = 1.3;
const GAP = 26;

/** Wraps a text in the largest size in which it fits. */
function fitLines(text: string, width: number): { size: number; lines: readonly string[] } {
  const all = LINE_SIZES.map(([size, most]) => ({
    size,
    most,
    lines: wrapText(text, size, width),
  }));
  const { size, most, lines } = all.find(({ lines, most }) => lines.length <= most) ?? all.at(-1)!;
  return {
    size,
    lines: [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")].filter(Boolean),
  };
}

/** Splits a text into lines of a width in pixels; a longer word has a line of its own. */
function wrapText(text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && measureText(longer, { size, color: TEXT }) <= width) {
      lines.splice(-1, 1, longer);
    } else lines.push(word);
  }
  return lines;
}

/** The worst first, for cropped previews. */
const COUNTED = ["down", "degraded", "maintenance", "unknown", "up"] as const satisfies State[];

/** Sizes of the counts with their numbers of lines; the first with room is used. */
const COUNT_SIZES = [[32, 1], [26, 1], [26, 2], [20, 2], [15, 2], [15, 9]] as const;

function counts(states: readonly State[], words: (state: State, count: number) => string): string {
  const counted = COUNTED.flatMap((state) => {
    const count = states.filter((one) => one === state).length;
    return count === 0 ? [] : [{ state, text: words(state, count) }];
  });
  const placed = COUNT_SIZES.map(([size, lines]) => ({ lines, all: place(counted, size) }))
    .find(({ lines, all }) => all.every(({ line }) => line < lines))!.all;
  return placed.map(({ state, text, style, x, line }) => {
    const y = 488 + line * style.size * 1.25;
    return shape(state, { x, y: y - style.size * 0.88, size: style.size, color: WORDS[state] }) +
      svgText(text, style, { x: x + style.size * 1.5, y, width: WIDTH - MARGIN - x });
  }).join("");
}

function place(counted: readonly { state: State; text: string }[], size: number) {
  const style: TextStyle = { size, color: TEXT };
  let [x, line] = [MARGIN, 0];
  return counted.map(({ state, text }) => {
    const width = size * 1.5 + measureText(text, style);
    if (x > MARGIN && x + width > WIDTH - MARGIN) [x, line] = [MARGIN, line + 1];
    const place = { state, text, style, x, line };
    x += width + size * 1.75;
    return place;
  });
}

function shape(
  state: State,
  { x, y, size, color }: { x: number; y: number; size: number; color: string },
): string {
  const place = `translate(${round(x)} ${round(y)}) scale(${size / 16})`;
  return `<path transform="${place}" fill="${color}" fill-rule="evenodd" d="${SHAPES[state]}"/>`;
}
