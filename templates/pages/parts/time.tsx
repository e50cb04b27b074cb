import { formatTime } from "../../../lib/time.ts";
import type { Language } from "../language.ts";

/** A moment, in the zone of the page; the script tells it in the visitor's. A clock leaves out the day that is told before it. */
export function Time(
  { at, language, of = "moment" }: {
    at: Temporal.Instant;
    language: Language;
    of?: "moment" | "clock";
  },
) {
  const isClock = of === "clock";
  return (
    <time class={isClock ? "clock" : undefined} datetime={formatTime(at)}>{language[of](at)}</time>
  );
}
