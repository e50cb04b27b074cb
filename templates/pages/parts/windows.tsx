import type { Statistics } from "../../../lib/statistics/statistics.ts";
import { WINDOW_NAMES, type WindowName } from "../../../lib/history/windows.ts";
import type { MessageKey } from "../../../lib/text/messages/messages.ts";
import type { Content } from "../html.ts";
import type { Language } from "../language.ts";

/** The words for each window. */
export const WINDOW_WORDS = {
  day: "duration24H",
  week: "duration7D",
  month: "duration30D",
  quarter: "duration90D",
  year: "duration1Y",
  all: "durationAll",
} as const satisfies Record<WindowName, MessageKey>;

/** Shown until somebody chooses another. */
export const FIRST_WINDOW: WindowName = "quarter";

/** The windows of the overview: those that have bars too. */
export const BAR_WINDOWS = WINDOW_NAMES.filter((name) => name !== "all");

/** Choice of the window whose figures the page shows; without any script. */
export function WindowChoice(
  { language, of, names = WINDOW_NAMES }: {
    language: Language;
    /** The words in front of the choice. */
    of: MessageKey;
    names?: readonly WindowName[];
  },
) {
  return (
    <fieldset class="windows">
      <legend>{language.say(of)}</legend>
      {names.map((name) => (
        <label>
          <input type="radio" name="window" id={`w-${name}`} checked={name === FIRST_WINDOW} />
          <span>{language.say(WINDOW_WORDS[name])}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Something of every window, of which the chosen one is seen. */
export function PerWindow(
  { statistics, names = WINDOW_NAMES, children }: {
    statistics: Readonly<Record<WindowName, Statistics>>;
    names?: readonly WindowName[];
    children(statistics: Statistics, name: WindowName): Content;
  },
) {
  return names.map((name) => <span class={`w w-${name}`}>{children(statistics[name], name)}</span>);
}
