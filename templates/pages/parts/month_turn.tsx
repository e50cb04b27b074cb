import type { IncidentMonth } from "../../../lib/page/incidents/incident_months.ts";
import type { Language } from "../language.ts";

/** Months that have pages. */
export interface MonthsProps {
  language: Language;
  /** The newest first. */
  months: readonly IncidentMonth[];
  /** Which of them the page is about; absent where it is about none. */
  at?: number;
  /** The address of the page of one. */
  linkTo(month: string): string;
}

/** To the months beside the one that is shown. */
export function MonthTurn({ language, months, at = NaN, linkTo }: MonthsProps) {
  const [later, earlier] = [months[at - 1], months[at + 1]];
  if (later === undefined && earlier === undefined) return null;
  const to = (one: IncidentMonth | undefined, key: "monthEarlier" | "monthLater") =>
    one !== undefined && (
      <a href={linkTo(one.month)}>
        {language.say(key, { MONTH: language.month(one.month) })}
      </a>
    );
  return (
    <p class="turn">
      {to(earlier, "monthEarlier")}
      {to(later, "monthLater")}
    </p>
  );
}
