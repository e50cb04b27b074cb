import { formatTime } from "../../../lib/time.ts";
import { type Element, elementOf } from "../html.ts";
import type { Language } from "../language.ts";
import { rememberedMarkup } from "../remembered_markup.ts";

/** By their milliseconds since 1970: those of an incident stand on its page, on the one of its site and in lists. */
const TIMES = { moment: rememberedMarkup<Language>(), clock: rememberedMarkup<Language>() };

/** A moment, in the zone of the page; the script tells it in the visitor's. A clock leaves out the day that is told before it. */
export function Time(
  { at, language, of = "moment" }: {
    at: Temporal.Instant;
    language: Language;
    of?: "moment" | "clock";
  },
): Element {
  const markup = TIMES[of](
    language,
    at.epochMilliseconds,
    () => (
      <time class={of === "clock" ? "clock" : undefined} datetime={formatTime(at)}>
        {language[of](at)}
      </time>
    ),
  );
  return elementOf(markup);
}
