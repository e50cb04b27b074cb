import { parse } from "@std/csv/parse";
import { DAY_COLUMNS } from "./day_columns.ts";
import { DayLine } from "./day_line.ts";
import { dateOf } from "../../time.ts";
import { readable } from "../inert.ts";
import { COMMA, isCell, LINE_END, nextSign, textOf } from "./log_bytes.ts";
import { SiteDays } from "./site_days.ts";

const DATE = DAY_COLUMNS.indexOf("date");
const SLUG = DAY_COLUMNS.indexOf("slug");
const DATE_LENGTH = "YYYY-MM-DD".length;
const NUL = 0;

const encoder = new TextEncoder();

/** Adds the days of a log, given as UTF-8, to those of logs before, by site. */
export function addDays(sites: Map<string, SiteDays>, log: Uint8Array): void {
  const whole = log.subarray(0, log.lastIndexOf(LINE_END) + 1);
  const header = `${DAY_COLUMNS.join(",")}\n`;
  const isOurs = textOf(whole, 0, header.length) === header;
  const plain = isOurs ? addPlainDays(sites, whole, header.length) : 0;
  if (plain === whole.length) return;
  const line = new DayLine(whole, COMMA);
  addLines(sites, line, plain);
  if (line.hasQuotes) addLines(sites, new DayLine(encoder.encode(unquoted(whole)), NUL), 0);
}

/** Adds the days of lines that are as we write them, up to the first that is not, and returns where that begins. */
function addPlainDays(sites: Map<string, SiteDays>, log: Uint8Array, start: number): number {
  // The sites of a day have the order of the day before.
  const places: { cell: Uint8Array; days: SiteDays }[] = [];
  let next = 0;
  let from = NaN;
  let date = new Uint8Array();
  for (let at = start; at < log.length;) {
    const slug = at + DATE_LENGTH + 1;
    if (!isCell(log, at, slug - 1, date)) {
      from = beginOf(textOf(log, at, slug - 1));
      if (Number.isNaN(from)) return at;
      date = log.slice(at, slug - 1);
      next = 0;
    }
    if (log[slug - 1] !== COMMA) return at;
    let place = places[next];
    if (place === undefined || !isCellAt(log, slug, place.cell)) {
      const end = nextSign(log, slug);
      if (end === slug || log[end] !== COMMA) return at;
      const cell = log.slice(slug, end);
      place = { cell, days: daysOf(sites, textOf(log, slug, end)) };
      places[next] = place;
    }
    next++;
    const end = place.days.addPlain(from, log, slug + place.cell.length + 1);
    if (end === -1) return at;
    at = end + 1;
  }
  return log.length;
}

function isCellAt(log: Uint8Array, from: number, cell: Uint8Array): boolean {
  const to = from + cell.length;
  return log[to] === COMMA && isCell(log, from, to, cell);
}

/**
 * Adds the days of lines from a place on, up to one with quotes: what comes then may be part of its cells.
 * A header counts from its line on; a log that has lost it has our columns.
 */
function addLines(sites: Map<string, SiteDays>, line: DayLine, start: number): void {
  line.places = placesIn([...DAY_COLUMNS]);
  if (!line.next()) return;
  const first = line.cells();
  if (isHeader(first)) line.places = placesIn(first);
  else line.goTo(0);
  if (start > 0) line.goTo(start);
  while (line.next() && !line.hasQuotes) {
    const from = beginOf(line.text(DATE));
    const slug = line.text(SLUG);
    if (!Number.isNaN(from) && slug !== "") daysOf(sites, readable(slug)).add(from, line, SLUG + 1);
    else if (Number.isNaN(from) && isHeader(line.cells())) line.places = placesIn(line.cells());
  }
}

/** True if a line names the columns without which no day can be read. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.replace(/^\ufeff/, ""));
  return names.includes("date") && names.includes("slug");
}

function placesIn(header: readonly string[]): number[] {
  const names = header.map((cell) => cell.replace(/^\ufeff/, ""));
  return DAY_COLUMNS.map((name) => names.indexOf(name));
}

/** Begin of the day of a date (`YYYY-MM-DD`), in milliseconds since 1970; `NaN` where there is no such day. */
function beginOf(date: string): number {
  const from = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : NaN;
  return Number.isNaN(from) || dateOf(from) !== date ? NaN : from;
}

function daysOf(sites: Map<string, SiteDays>, slug: string): SiteDays {
  const days = sites.get(slug) ?? new SiteDays();
  sites.set(slug, days);
  return days;
}

/** The cells of a log with quotes, apart from each other by what is in none of them. */
function unquoted(log: Uint8Array): string {
  const rows = parse(new TextDecoder().decode(log), { lazyQuotes: true });
  return rows.map((cells) => `${cells.join("\0")}\n`).join("");
}
