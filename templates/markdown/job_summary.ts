import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import { sayError } from "../../lib/evaluation/location_words.ts";
import { renderLine } from "../../lib/notifications/event_words.ts";
import { joinTexts, readSeen } from "../../lib/notifications/recorded_words.ts";
import type { State } from "../../lib/state.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import {
  formatMinuteFrom,
  NOTHING,
  sayConfirmationTime,
  sayMilliseconds,
  STATE_SIGNS,
} from "../words.ts";
import { escapeMarkdown, markdownTable, notesList } from "./markdown.ts";

/** Texts of each state: of one site, of a number of sites, and of all. */
const STATES: Readonly<Record<State, { one: MessageKey; some: MessageKey; all: MessageKey }>> = {
  up: { one: "wordUp", some: "countUp", all: "allUp" },
  degraded: { one: "wordDegraded", some: "countDegraded", all: "allDegradedNow" },
  down: { one: "wordDown", some: "countDown", all: "allDown" },
  maintenance: {
    one: "wordMaintenance",
    some: "countInMaintenance",
    all: "allInMaintenance",
  },
  unknown: { one: "conditionUnknown", some: "countUnknown", all: "allUnknown" },
};

/** Renders the summary of a run of `update`; the notes are those of its log. */
export function jobSummary(
  outcomes: readonly Outcome[],
  notes: readonly string[],
  language: Language,
): string {
  const { say } = language;
  const title = outcomes.length === 0
    ? say("nothingChecked")
    : say("checkedSites", { COUNT: outcomes.length, STATES: sayStates(outcomes, language) });
  const rows = outcomes.map((outcome) => [
    escapeMarkdown(outcome.result.site.name),
    `${STATE_SIGNS[outcome.result.state]} ${escapeMarkdown(sayCondition(outcome, language))}`,
    outcome.result.code === 0 ? NOTHING : String(outcome.result.code),
    outcome.result.responseTime === undefined
      ? NOTHING
      : sayMilliseconds(outcome.result.responseTime, language),
  ]);
  const header = ["summarySite", "summaryCondition", "factCode", "responseTime"] as const;
  const table = rows.length === 0
    ? ""
    : `\n${markdownTable(header.map((key) => say(key)), rows, [2, 3])}`;
  return `### ${title}\n${table}${notesList(notes)}`;
}

/** Counts the states, the usual first: `2 up, 1 down`, or `all up`. */
function sayStates(outcomes: readonly Outcome[], language: Language): string {
  const counts = Object.entries(STATES).flatMap(([state, texts]) => {
    const count = outcomes.filter(({ result }) => result.state === state).length;
    return count === 0 ? [] : [{ ...texts, count }];
  });
  const [{ all }] = counts as [typeof counts[number]];
  if (counts.length === 1 && outcomes.length > 1) return language.say(all);
  const texts = counts.map(({ some, count }) => language.say(some, { COUNT: count }));
  return joinTexts("commaBetween", texts, language);
}

/** Says the same as `formatCondition`, in a language. */
function sayCondition({ result, since, open }: Outcome, language: Language): string {
  const { say } = language;
  const { state, error = "", confirmed, flapping, until } = result;
  const word = say(STATES[state].one);
  const seen = readSeen(error, language);
  // Brackets at its end would be within brackets, as others would.
  const brief = error.replace(/ \(([^()]*)\)$/, ", $1");
  const isLong = seen !== undefined || /[()]/.test(brief);
  const words = {
    error: error === "" ? "" : isLong ? sayError(error, language) : language.isolate(brief),
    seen,
    time: "",
    context: "",
  };
  const said = state === "down" || state === "degraded" ? state : undefined;
  const condition = renderLine(word, words, { isEnclosed: !isLong, said, language });
  const comma = (...texts: string[]) => joinTexts("commaBetween", texts, language);
  if (until !== undefined) {
    const TIME = formatMinuteFrom(until, confirmed);
    return isLong
      ? comma(condition, say("untilTime", { TIME }))
      : say("conditionUntil", { TEXT: condition, TIME });
  }
  return comma(
    since === undefined || state === "unknown"
      ? condition
      : sayStart(condition, formatMinuteFrom(since, confirmed), { isLong, language }),
    state === "down" && open !== undefined
      ? sayConfirmation(open, since ?? open.confirmed, language)
      : "",
    flapping ? say("conditionFlapping") : "",
  );
}

function sayStart(
  condition: string,
  TIME: string,
  { isLong, language }: { isLong: boolean; language: Language },
): string {
  const { say } = language;
  return isLong
    ? joinTexts("commaBetween", [condition, say("sinceTime", { TIME })], language)
    : say("conditionSince", { TEXT: condition, TIME });
}

function sayConfirmation(
  open: NonNullable<Outcome["open"]>,
  since: Temporal.Instant,
  language: Language,
): string {
  const time = sayConfirmationTime(open, since, language);
  return time === undefined
    ? ""
    : language.say("confirmedBy", { COUNT: open.attempts, TIME: time });
}
