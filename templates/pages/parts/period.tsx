import type { Language } from "../language.ts";
import { Time } from "./time.tsx";

/** From when to when something was, or since when it is; `isDated` where the day of its begin is said too. */
export function Period(
  { from, to, language, isDated = true }: {
    from: Temporal.Instant;
    to?: Temporal.Instant;
    language: Language;
    isDated?: boolean;
  },
) {
  const FROM = <Time at={from} language={language} of={isDated ? "moment" : "clock"} />;
  if (to === undefined) return language.tell("sinceTime", { TIME: FROM });
  const isSameDay = language.dateOf(from) === language.dateOf(to);
  const TO = <Time at={to} language={language} of={isSameDay ? "clock" : "moment"} />;
  return language.tell("fromTo", { FROM, TO });
}
