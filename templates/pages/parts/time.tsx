import { formatTime } from "../../../lib/time.ts";
import type { Language } from "../language.ts";

/** A moment, in the zone of the page; the script tells it in the visitor's. */
export function Time(
  { at, language, of = "moment" }: {
    at: Temporal.Instant;
    language: Language;
    of?: "moment" | "clock";
  },
) {
  return <time datetime={formatTime(at)}>{language[of](at)}</time>;
}
