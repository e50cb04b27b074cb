/** An event of a calendar, with plain texts. */
export interface CalendarEvent {
  uid: string;
  start: Temporal.Instant;
  until: Temporal.Instant;
  title: string;
  text: string;
  /** Absent if its address is not known. */
  link?: string;
  isCanceled: boolean;
  created: Temporal.Instant;
  /** The number of its changes, and when it changed last. */
  sequence: number;
  modified: Temporal.Instant;
}

/**
 * Renders a calendar (RFC 5545). All times are in UTC, so that they are right on both sides of a change of clocks in any
 * time zone. Nothing in it depends on when it was rendered.
 */
export function renderCalendar(
  { title, lang, events }: { title: string; lang: string; events: readonly CalendarEvent[] },
): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Monitor Action//Status page//EN",
    "CALSCALE:GREGORIAN",
    `NAME;LANGUAGE=${lang}:${escapeText(title)}`,
    `X-WR-CALNAME:${escapeText(title)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events.flatMap(listLines),
    "END:VCALENDAR",
  ].map((line) => `${foldLine(line)}\r\n`).join("");
}

function listLines(event: CalendarEvent): string[] {
  const { uid, start, until, title, text, link, isCanceled, created } = event;
  const { sequence, modified } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(modified)}`,
    `CREATED:${formatUtc(created)}`,
    `LAST-MODIFIED:${formatUtc(modified)}`,
    `SEQUENCE:${sequence}`,
    `DTSTART:${formatUtc(start)}`,
    `DTEND:${formatUtc(until)}`,
    `SUMMARY:${escapeText(title)}`,
    ...text === "" ? [] : [`DESCRIPTION:${escapeText(text)}`],
    ...link === undefined ? [] : [`URL:${link}`],
    `STATUS:${isCanceled ? "CANCELLED" : "CONFIRMED"}`,
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** `20261121T100500Z` */
function formatUtc(time: Temporal.Instant): string {
  return time.toString({ smallestUnit: "second" }).replaceAll(/[-:]/g, "");
}

/**
 * Escapes a text as the value of a property.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(escapeText("a, b; c\\d\ne\r\0"), "a\\, b\\; c\\\\d\\ne");
 * ```
 */
export function escapeText(text: string): string {
  return text.toWellFormed().replaceAll(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n")
    .replaceAll(/\p{Cc}/gu, "");
}

/** Most bytes of a line, without its end. */
const MOST_BYTES = 75;

/**
 * Folds a line at 75 bytes, between characters.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(foldLine(`SUMMARY:${"ö".repeat(40)}`), `SUMMARY:${"ö".repeat(33)}\r\n ${"ö".repeat(7)}`);
 * ```
 */
export function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let folded = "";
  let length = 0;
  for (const character of line) {
    const bytes = encoder.encode(character).length;
    if (length + bytes > MOST_BYTES) {
      folded += "\r\n ";
      length = 1;
    }
    folded += character;
    length += bytes;
  }
  return folded;
}
