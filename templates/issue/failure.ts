import type { Phases } from "../../lib/checks/observation.ts";
import { readPlaces, readVotes, sayError, sayPlaces } from "../../lib/evaluation/location_words.ts";
import type { IncidentEvent } from "../../lib/incidents/incident_event.ts";
import type { Language } from "../../lib/text/language.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { escapeMentions } from "../markdown/markdown.ts";

/** A failure as an issue shows it. */
export interface Failure {
  condition: "down" | "degraded";
  since: Temporal.Instant;
  /** HTTP status; 0 without an answer. */
  code: number;
  error: string;
  attempts: number;
  confirmed: Temporal.Instant;
  phases?: Phases;
  responseTime?: number;
  /** Start of the answer's body, if it may be kept. */
  body?: string;
}

/** Takes the failure from the run's result, else from the incident; of an incident that is over, the worst. */
export function describeFailure({ incident, condition: now, result, at }: IncidentEvent): Failure {
  const worst = incident.kind === "degraded" ? "degraded" : "down";
  const isOver = now === undefined || now === "up";
  const condition = isOver ? worst : now;
  const since = isOver ? incident.start : at;
  if (result !== undefined && result.state === condition) {
    const { confirmedBy, attempts, error = "" } = result;
    return { ...result, condition, since, error, attempts: confirmedBy ?? attempts };
  }
  const kept = condition === worst ? {} : { code: 0, error: "" };
  return { ...incident, condition, since, ...kept };
}

/** Sentences about a failure: alone, with its error, with the locations that see it, and with both. */
type Sentences = readonly [MessageKey, MessageKey, MessageKey, MessageKey];
type ByCondition = Readonly<Record<Failure["condition"], Sentences>>;

/** The first sentence of an issue. */
export const SINCE: ByCondition = {
  down: ["issueDown", "issueDownError", "issueDownIn", "issueDownInError"],
  degraded: ["issueDegraded", "issueDegradedError", "issueDegradedIn", "issueDegradedInError"],
};

/** A comment on a failure that got worse or better. */
export const NOW: ByCondition = {
  down: ["commentNowDown", "commentNowDownError", "commentNowDownIn", "commentNowDownInError"],
  degraded: [
    ...["commentNowDegraded", "commentNowDegradedError"] as const,
    ...["commentNowDegradedIn", "commentNowDegradedInError"] as const,
  ],
};

export const AGAIN: ByCondition = {
  down: [
    ...["commentDownAgain", "commentDownAgainError"] as const,
    ...["commentDownAgainIn", "commentDownAgainInError"] as const,
  ],
  degraded: [
    ...["commentDegradedAgain", "commentDegradedAgainError"] as const,
    ...["commentDegradedAgainIn", "commentDegradedAgainInError"] as const,
  ],
};

/** Says what is wrong with a site since when, and why. */
export function sayFailure(
  [alone, withError, withPlaces, withBoth]: Sentences,
  NAME: string,
  { condition, since, error }: Failure,
  language: Language,
): string {
  const { say, isolate, utcMinute } = language;
  const common = { NAME, TIME: utcMinute(since) };
  const votes = readVotes(error);
  const places = votes?.state === condition ? readPlaces(votes.places) : undefined;
  const sentence = () => {
    if (places !== undefined) {
      const PLACES = sayPlaces(places, language, escapeMentions);
      if (votes!.reason === "") return say(withPlaces, { ...common, PLACES });
      const ERROR = isolate(escapeMentions(votes!.reason));
      return say(withBoth, { ...common, PLACES, ERROR });
    }
    if (error === "") return say(alone, common);
    return say(withError, { ...common, ERROR: sayError(error, language, escapeMentions) });
  };
  return language.startLine(endSentence(sentence(), language));
}

export function sayReason(
  { since, error }: Pick<Failure, "since" | "error">,
  language: Language,
): string {
  const TIME = language.utcMinute(since);
  const text = error === ""
    ? language.say("commentReason", { TIME })
    : language.say("commentReasonError", {
      TIME,
      ERROR: sayError(error, language, escapeMentions),
    });
  return endSentence(text, language);
}

/** Ends a sentence with a full stop, unless an error at its end has one. */
function endSentence(TEXT: string, { say }: Language): string {
  return /[.!?…]\u2069?$/.test(TEXT) ? TEXT : say("sentence", { TEXT });
}
