import { PHASE_KEYS } from "../../lib/incidents/phase_words.ts";
import { type Impact, toImpact } from "../../lib/history/manual_incident.ts";
import {
  computeStage,
  isCalledOff,
  isOfSite,
  type Stage,
  type StoredIncident,
} from "../../lib/history/stored_incidents.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { IMPACT_STATES } from "../../lib/incidents/impact.ts";
import { IMPACT_SENTENCES } from "../../lib/page/overall.ts";
import { type IncidentCard, listCardSlugs, sortUpdates } from "../../lib/page/incident_cards.ts";
import { computeLength, findPause, findShownEnd } from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import type { State } from "../../lib/state.ts";
import type { Language } from "./language.ts";
import { describeSite, type View } from "./view.ts";

type Words = Pick<View, "report" | "language">;

/** An incident as every page shows it. */
export interface IncidentWords {
  title: string;
  direction?: "auto";
  kind: string;
  /** The state whose shape and color represent it. */
  state: State;
  stage: Stage;
  /** `Ongoing`, `Resolved` */
  standing: string;
  /** `5 min`, `5 min so far` */
  length: string;
  /** `Down for 5 min` */
  lasting: string;
  /** The same below the title, without what that says: `For 5 min` */
  sentence: string;
  /** While it is ongoing, its length and the texts with a placeholder for that: `Down for $TIME` */
  ongoing?: Readonly<Record<"length" | "lasting" | "sentence", string>> & { seconds: number };
  /** State of the services of an open card of several, which its title counts. */
  counted?: keyof typeof OPEN_COUNTS;
}

export function describeIncident(incident: StoredIncident, view: Words): IncidentWords {
  const { report, language } = view;
  const pause = findPause(incident, report);
  const stage = pause === undefined ? computeStage(incident, report.time) : "over";
  const { kind } = incident;
  const knownUntil = stage === "open" && "slug" in incident
    ? report.sites.find(({ site }) => site.slug === incident.slug)?.knownUntil
    : undefined;
  const isLost = knownUntil !== undefined;
  const until = isLost ? Temporal.Instant.fromEpochMilliseconds(knownUntil) : report.time;
  const seconds = computeLength(incident, pause ?? until);
  // The page's time is a second after the last check.
  const rounded = stage === "open" && seconds >= 60 ? seconds - seconds % 60 : seconds;
  const length = language.duration(rounded);
  const state = kind === "manual" ? IMPACT_STATES[toImpact(incident)] : KINDS[kind].state;
  const word = language.say(
    kind === "manual" ? IMPACT_WORDS[toImpact(incident)] : KINDS[kind].word,
  );
  const isNamed = isOfSite(incident) && incident.expiry === undefined;
  const isOngoing = stage === "open" && !isLost;
  const describeTime = (TIME: string) => {
    const lasting = kind === "manual" && state !== "unknown"
      ? language.say("lastsFor", { KIND: word, TIME })
      : language.say(LASTING[kind], { TIME });
    return {
      length: isOngoing ? language.say("soFar", { TIME }) : TIME,
      lasting,
      sentence: isNamed ? language.say("lasts", { TIME }) : lasting,
    };
  };
  return {
    title: formatTitle(incident, stage, view),
    direction: "slug" in incident ? undefined : "auto",
    kind: word,
    state,
    stage,
    standing: language.say(pause === undefined ? stageKey(incident, stage) : "underMaintenance"),
    ...describeTime(isLost ? language.say("atLeast", { TIME: length }) : length),
    ...isOngoing ? { ongoing: { seconds, ...describeTime("$TIME") } } : {},
  };
}

/** Describes the incidents of a card as one that has lasted as long as the longest of them. */
export function describeCard(card: IncidentCard, view: Words): IncidentWords {
  const [longest] = card.incidents
    .map(([, incident]) => ({ incident, length: computeLength(incident, view.report.time) }))
    .sort((one, other) => other.length - one.length);
  const words = describeIncident(longest!.incident, view);
  if (card.alike === undefined) return words;
  const kinds = new Set(card.incidents.map(([, { kind }]) => kind));
  const kind = (kinds.size > 1 ? "mixed" : longest!.incident.kind) as keyof typeof OPEN_COUNTS;
  const isOpen = card.incidents.some(([, one]) => findShownEnd(one, view.report) === undefined);
  const counts = isOpen ? OPEN_COUNTS : PAST_COUNTS;
  return {
    ...words,
    state: kind === "degraded" ? "degraded" : "down",
    title: view.language.say(counts[kind], { COUNT: listCardSlugs(card).length }),
    counted: isOpen ? kind : undefined,
  };
}

export const OPEN_COUNTS = {
  down: "servicesDown",
  degraded: "servicesDegraded",
  mixed: "servicesAffected",
} as const satisfies Record<string, MessageKey>;

const PAST_COUNTS = {
  down: "servicesWereDown",
  degraded: "servicesWereDegraded",
  mixed: "servicesWereAffected",
} as const satisfies Record<keyof typeof OPEN_COUNTS, MessageKey>;

/** The phase that people set last; else that they wrote nothing yet, or how the incident stands. */
export function describePhase(
  incidents: IncidentCard["incidents"],
  { standing, stage, state }: IncidentWords,
  { say }: Language,
): { phase: string; state?: State } {
  if (stage !== "open") return { phase: standing };
  const updates = sortUpdates(incidents);
  const phase = updates.find((one) => one.phase !== undefined)?.phase;
  if (phase !== undefined) return { phase: say(PHASE_KEYS[phase]), state };
  const isUnsaid = updates.length === 0 && state !== "maintenance";
  return { phase: isUnsaid ? say("noUpdate") : standing };
}

const LASTING = {
  down: "downFor",
  degraded: "degradedFor",
  maintenance: "maintenanceFor",
  manual: "openFor",
} as const satisfies Record<StoredIncident["kind"], MessageKey>;

const KINDS: Readonly<
  Record<StoredIncident["kind"], { word: MessageKey; state: State }>
> = {
  down: { word: "kindDown", state: "down" },
  degraded: { word: "kindDegraded", state: "degraded" },
  maintenance: { word: "kindMaintenance", state: "maintenance" },
  manual: { word: "kindManual", state: "degraded" },
};

const IMPACT_WORDS: Readonly<Record<Impact, MessageKey>> = {
  ...IMPACT_SENTENCES,
  none: "kindManual",
};

/** Most characters of a title written by people. */
export const LONGEST_NAME = 200;

function formatTitle(incident: StoredIncident, stage: Stage, { report, language }: Words): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = shorten(plainText(incident.name), LONGEST_NAME);
    return name || language.say(KINDS[incident.kind].word);
  }
  const isOver = stage === "over";
  const NAME = language.isolate(describeSite(incident.slug, report));
  if (incident.kind === "degraded" && incident.expiry !== undefined) {
    const VALUE = language.isolate(plainText(incident.expiry));
    return language.say("labeled", { NAME, VALUE });
  }
  const words = {
    down: isOver ? "wasDown" : "isDown",
    degraded: isOver ? "wasDegraded" : "isDegraded",
  } as const;
  return language.say(words[incident.kind], { NAME });
}

function stageKey(incident: StoredIncident, stage: Stage): MessageKey {
  if (isCalledOff(incident)) return "calledOff";
  const isMaintenance = incident.kind === "maintenance";
  if (stage === "open") return isMaintenance ? "maintenanceNow" : "incidentOngoing";
  if (stage === "ahead") return "incidentScheduled";
  return isMaintenance ? "incidentCompleted" : "incidentFixed";
}
