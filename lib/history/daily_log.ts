import { parse } from "@std/csv/parse";
import { readable } from "./inert.ts";

/** The log that holds one row for each site and day of a year, rolled up from the checks. `day` is `YYYY-MM-DD`. */
export function dailyPath(day: string): string {
  return `history/daily/${day.slice(0, 4)}.csv`;
}

/**
 * The sites that a log of days has a row of, by day.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const days = rolledUp("date,slug,checks\n2026-11-21,shop,288\n");
 * assertEquals(days.get("2026-11-21"), new Set(["shop"]));
 * ```
 */
export function rolledUp(text: string): Map<string, Set<string>> {
  const days = new Map<string, Set<string>>();
  const [header = [], ...lines] = parse(text.slice(0, text.lastIndexOf("\n") + 1), {
    lazyQuotes: true,
  });
  const [date, slug] = [header.indexOf("date"), header.indexOf("slug")];
  for (const cells of lines) {
    const day = cells[date] ?? "";
    days.set(day, (days.get(day) ?? new Set()).add(readable(cells[slug] ?? "")));
  }
  return days;
}
