import { plainText } from "../../text/plain_text.ts";
import { cutText, cutToMeasure, fitParts, joinFitting } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import { type EventText, listCommonLinks, sayFact } from "../message_text.ts";
import { findSeparator } from "../recorded_words.ts";
import type { Language } from "../../text/language.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_REASON = 600;
const LONGEST_FACT = 300;
const LONGEST_SUMMARY = 200;

/**
 * Renders a message without markup, to stand below its headline: one event with its facts, or a line for each
 * of several. `measure` counts the length that the vendor limits; by default UTF-16 units.
 */
export function renderPlainText(
  outgoing: Outgoing,
  { longest, measure = ({ length }) => length }: {
    longest: number;
    measure?(text: string): number;
  },
): string {
  const { language, text: { headline, lines, only } } = outgoing;
  const template = outgoing.templateTexts({ escape: plainText, separator: "\n\n", longest });
  const text = template ??
    (outgoing.isShort
      ? shortText(lines, language)
      : only
      ? eventText(only, language)
      : summaryText(lines, { longest, measure, language }));
  return cutToMeasure(text === "" ? headline : text, longest, measure);
}

function eventText({ event, dated: { reason, facts } }: EventText, language: Language): string {
  return [
    cutText(reason, LONGEST_REASON),
    ...isOfSite(event)
      ? facts.map((fact) =>
        sayFact({ ...fact, value: cutText(fact.value, LONGEST_FACT) }, language)
      )
      : [],
  ].filter((line) => line !== "").join("\n");
}

/** Renders one line for below the headline. */
function shortText(events: readonly EventText[], language: Language): string {
  if (events.length === 1) return cutText(events[0]!.sentence, LONGEST_SUMMARY);
  const summaries = events.map(({ summary }) => summary);
  const line = joinFitting(summaries, {
    separator: findSeparator("semicolonBetween", language),
    longest: LONGEST_SUMMARY,
    language,
  });
  return cutText(line, LONGEST_SUMMARY);
}

function summaryText(
  events: readonly EventText[],
  { longest, measure, language }: {
    longest: number;
    measure(text: string): number;
    language: Language;
  },
): string {
  const lines = events.map(({ sign, summary }) => cutText(`${sign} ${summary}`, LONGEST_SUMMARY));
  const join = (some: readonly string[], more?: string) => [...some, more ?? []].flat().join("\n");
  const { parts, more } = fitParts(
    lines,
    (some, rest) => measure(join(some, rest)) <= longest,
    language,
  );
  return join(parts, more);
}

/** The kind of event as which a message is announced: what needs nobody is as quiet as a recovery. */
export function findTone({ text: { events } }: Outgoing): SiteEvent["kind"] {
  const { kind, over, news } = events[0]!.event;
  return over || news === "acknowledged" || news === "muted" ? "up" : kind;
}

/** Links to show below a message, the most useful first: of its event, or about all if it has several. */
export function listMessageLinks(
  { text: { events }, message, view }: Outgoing,
): EventText["links"] {
  return events.length === 1 ? events[0]!.links : listCommonLinks(message.events, view);
}
