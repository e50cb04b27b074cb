import { type Impact, toImpact } from "../../lib/history/manual_incident.ts";
import {
  computeStage,
  isCalledOff,
  type Stage,
  type StoredIncident,
} from "../../lib/history/stored_incidents.ts";
import type { Phase } from "../../lib/history/yaml_file.ts";
import type { MessageKey } from "../../lib/text/messages.ts";
import { IMPACT_STATES } from "../../lib/incidents/impact.ts";
import { IMPACT_SENTENCES } from "../../lib/page/overall.ts";
import { computeLength } from "../../lib/page/incidents.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import type { State } from "../../lib/state.ts";
import { describeSite, type View } from "./view.ts";

/** Describes an incident as every page shows it; `state` is that whose shape and color represent it. */
export function describeIncident(
  incident: StoredIncident,
  { report, language }: Pick<View, "report" | "language">,
): {
  title: string;
  direction?: "auto";
  kind: string;
  state: State;
  stage: Stage;
  standing: string;
  length: string;
} {
  const stage = computeStage(incident, report.time);
  const { kind } = incident;
  const knownUntil = "slug" in incident
    ? report.sites.find(({ site }) => site.slug === incident.slug)?.knownUntil
    : undefined;
  const isLost = stage === "open" && knownUntil !== undefined;
  const until = isLost ? Temporal.Instant.fromEpochMilliseconds(knownUntil) : report.time;
  const seconds = computeLength(incident, until);
  // The page's time is a second after the last check.
  const rounded = stage === "open" && seconds >= 60 ? seconds - seconds % 60 : seconds;
  const length = language.duration(rounded);
  return {
    title: formatTitle(incident, stage, { report, language }),
    direction: "slug" in incident ? undefined : "auto",
    kind: language.say(kind === "manual" ? IMPACT_WORDS[toImpact(incident)] : KINDS[kind].word),
    state: kind === "manual" ? IMPACT_STATES[toImpact(incident)] : KINDS[kind].state,
    stage,
    standing: language.say(stageKey(incident, stage)),
    length: stage === "open"
      ? language.say(isLost ? "atLeast" : "soFar", { TIME: length })
      : length,
  };
}

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

export const PHASE_WORDS = {
  investigating: "investigating",
  identified: "identified",
  monitoring: "monitoring",
  resolved: "resolved",
  "post-mortem": "postMortem",
} as const satisfies Record<Phase, MessageKey>;

function formatTitle(
  incident: StoredIncident,
  stage: Stage,
  { report, language }: Pick<View, "report" | "language">,
): string {
  if (incident.kind === "maintenance" || incident.kind === "manual") {
    const name = shorten(plainText(incident.name), LONGEST_NAME);
    return name || language.say(KINDS[incident.kind].word);
  }
  const isOver = stage === "over";
  if (incident.kind === "degraded" && incident.expiry !== undefined) {
    return `${describeSite(incident.slug, report)}: ${plainText(incident.expiry)}`;
  }
  const words = {
    down: isOver ? "wasDown" : "isDown",
    degraded: isOver ? "wasDegraded" : "isDegraded",
  } as const;
  return language.say(words[incident.kind], { NAME: describeSite(incident.slug, report) });
}

function stageKey(incident: StoredIncident, stage: Stage): MessageKey {
  if (isCalledOff(incident)) return "calledOff";
  if (stage === "open") return "incidentOngoing";
  if (stage === "ahead") return "incidentScheduled";
  return incident.kind === "maintenance" ? "incidentCompleted" : "incidentFixed";
}
