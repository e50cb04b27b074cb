import type { Statistics } from "../../../lib/statistics/statistics.ts";
import { WINDOW_NAMES, type WindowName } from "../../../lib/statistics/windows.ts";
import type { MessageKey } from "../../../lib/messages/messages.ts";
import type { Content } from "../html.ts";
import type { Language } from "../language.ts";

/** The words for each window. */
export const WINDOW_WORDS = {
  day: "duration24H",
  week: "duration7D",
  month: "duration30D",
  year: "duration1Y",
  all: "durationAll",
} as const satisfies Record<WindowName, MessageKey>;

/** Shown until somebody chooses another. */
const FIRST: WindowName = "month";

/** Choice of the window whose figures the page shows; without any script. */
export function WindowChoice({ language }: { language: Language }) {
  return (
    <fieldset class="windows">
      <legend>{language.say("window")}</legend>
      {WINDOW_NAMES.map((name) => (
        <label>
          <input type="radio" name="window" id={`w-${name}`} checked={name === FIRST} />
          <span>{language.say(WINDOW_WORDS[name])}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Something of every window, of which the chosen one is seen. */
export function PerWindow(
  { statistics, children }: {
    statistics: Readonly<Record<WindowName, Statistics>>;
    children(statistics: Statistics, name: WindowName): Content;
  },
) {
  return WINDOW_NAMES.map((name) => (
    <span class={`w w-${name}`}>{children(statistics[name], name)}</span>
  ));
}
