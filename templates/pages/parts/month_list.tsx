import type { MonthsProps } from "./month_turn.tsx";

/** All months that have pages, by their years, each with the number of what is on it. */
export function MonthList({ language, months, at, linkTo }: MonthsProps) {
  if (months.length === 0) return null;
  const years = Map.groupBy(months, ({ month }) => month.slice(0, "YYYY".length));
  return (
    <section>
      <h2>{language.say("monthsAll")}</h2>
      {[...years].map(([year, own]) => (
        <section class="month-year">
          <h3>{year}</h3>
          <ul class="month-list">
            {own.map((one) => (
              <li>
                <a
                  href={linkTo(one.month)}
                  aria-current={at !== undefined && one === months[at] ? "true" : undefined}
                >
                  {language.month(one.month)}
                </a>{" "}
                <span class="muted">{language.number(one.count)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
