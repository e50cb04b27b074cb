import { type Overall, OVERALL_STATES } from "../../lib/page/overall.ts";
import type { Shown } from "../../lib/page/shown_of.ts";
import type { Language } from "../pages/language.ts";
import { STATE_SIGNS } from "../words.ts";

/** Outages of some sites and not of most. */
const PARTIAL: readonly Overall[] = ["minorOutage", "partialOutage"];

/** What a site is shown as, with its sign. */
export function shownWords(shown: Shown, language: Language): string {
  return signed(shown === "paused" ? "⏸️" : STATE_SIGNS[shown], language.say(shown));
}

/** How everything is, with its sign. */
export function overallWords(overall: Overall, language: Language): string {
  const sign = PARTIAL.includes(overall) ? "🟧" : STATE_SIGNS[OVERALL_STATES[overall]];
  return signed(sign, language.say(overall));
}

/** A text with a sign before it; one that the owner has put there stays. */
function signed(sign: string, text: string): string {
  return /^\p{RGI_Emoji}/v.test(text) ? text : `${sign} ${text}`;
}
