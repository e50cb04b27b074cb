import type { Config } from "../config/config.ts";
import { type GitHub, GitHubError } from "../github/github.ts";
import type { Incident } from "../history/incident.ts";
import type { Mute } from "../history/run_state_schema.ts";
import {
  applyResponses,
  findAcknowledgement,
  findFormer,
  isInTime,
} from "../incidents/acknowledgement/acknowledge.ts";
import { applyMutes, listMutedSites } from "../incidents/acknowledgement/mutes.ts";
import { isSuppressed } from "../incidents/plan_incident.ts";
import { planReaction } from "../incidents/github_effects.ts";
import {
  type IssueCommand,
  type ReadResponses,
  readResponses,
  type TrackedIncident,
} from "../incidents/acknowledgement/read_responses.ts";
import type { SiteEvent } from "../notifications/message.ts";
import type { Effect } from "../outbox/effect.ts";
import { formatTime, isBefore } from "../time.ts";
import { type Findings, replaceIncidents } from "./findings.ts";
import type { HistoryState } from "./history_state.ts";
import { ANSWER_TIME } from "./known_incidents.ts";

/**
 * Reads the responses of people to the open incidents, and their commands to those that ended less than an hour ago
 * or while their site was muted; a note says why if that failed.
 */
export async function readOpenResponses(
  github: GitHub | undefined,
  { incidents, ended, loadedState: { runState } }: Pick<
    HistoryState,
    "incidents" | "ended" | "loadedState"
  >,
  { assignees, sites }: Pick<Config, "assignees" | "sites">,
  now: Temporal.Instant,
): Promise<{ responses?: ReadResponses; notes: string[] }> {
  if (github === undefined) return { notes: [] };
  const changing = new Set(
    runState?.outbox.flatMap(({ queue, done }) => done === undefined ? queue ?? [] : []),
  );
  const mutes = runState?.mutes ?? {};
  const muted = listMutedSites(mutes, now);
  const tracked = [...incidents, ...ended].flatMap(([id, incident]): TrackedIncident[] => {
    const { slug, issue, shared = id, start, end, acknowledgements } = incident;
    if (issue === undefined) return [];
    if (end !== undefined) {
      // While a site is muted, the issue on which that was done is still read.
      const mutedAt = muted.has(slug) ? mutes[slug]!.at : now;
      if (isBefore(end.add({ milliseconds: ANSWER_TIME }), mutedAt)) return [];
      const over = { isOver: true, acknowledgements, assigned: [], isChanging: false };
      return [{ id, slug, issue, start: end, ...over }];
    }
    const site = sites.find((one) => one.slug === slug);
    const assigned = [...assignees, ...site?.assignees ?? []];
    const isChanging = changing.has(shared);
    return [{ id, slug, issue, start, isOver: false, acknowledgements, assigned, isChanging }];
  });
  try {
    const responses = await readResponses(github, tracked, runState?.responses);
    return { responses, notes: [] };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return { notes: [`${error.message}. Who has acknowledged is as last read`] };
  }
}

/** Effect of the responses of people on a run. */
export interface Responded {
  findings: Findings;
  /** True if an acknowledgement was added, or has ended. */
  hasChanged: boolean;
  mutes: Readonly<Record<string, Mute>>;
  /** Answers to commands. */
  effects: Effect[];
}

/** Applies the responses of people to all open incidents, after the results of the run. */
export function applyAllResponses(
  { incidents, ended, sites, loadedState }: Pick<
    HistoryState,
    "incidents" | "ended" | "sites" | "loadedState"
  >,
  findings: Findings,
  read: ReadResponses | undefined,
  { now, ackFor }: { now: Temporal.Instant; ackFor: number },
): Responded {
  const commands = read?.commands ?? [];
  const after = new Map(findings.incidents);
  const replaced = new Map<Incident, Incident>();
  const known = [...incidents, ...ended];
  for (const [id, before] of known) {
    const found = after.get(id) ?? before;
    // One that has ended is left as it is, unless this run reopens it.
    if (before.end !== undefined && found.end !== undefined) continue;
    const { responses = [], assignees } = read?.incidents.get(id) ?? {};
    const byComment = commands.flatMap((one) =>
      one.isAllowed && one.command.name === "ack" && isAbout(one, id, found)
        ? [{ way: "comment" as const, by: one.by, at: one.at, lasts: one.command.lasts }]
        : []
    );
    const acknowledgements = applyResponses({ before, after: found }, {
      ...{ responses: [...responses, ...byComment], assignees, now, ackFor },
    });
    if (JSON.stringify(acknowledgements) === JSON.stringify(found.acknowledgements)) continue;
    const changed = { ...found, acknowledgements };
    after.set(id, changed);
    for (const one of [before, found]) replaced.set(one, changed);
  }
  return {
    findings: replaceIncidents({ ...findings, incidents: after }, replaced),
    hasChanged: replaced.size > 0,
    mutes: applyMutes(loadedState.runState?.mutes ?? {}, commands, {
      all: sites.map(({ slug }) => slug),
      now,
    }),
    effects: planAnswers(commands, known.map(([id, one]) => [id, after.get(id) ?? one])),
  };
}

/** True if a command is about an incident: that of its issue, or each that was confirmed by then if it is for all. */
function isAbout(
  { incident, command, at }: IssueCommand,
  id: string,
  found: Incident,
): boolean {
  if (incident === id) return true;
  return command.name === "ack" && command.isForAll === true && !isSuppressed(found) &&
    !isBefore(at, found.confirmed);
}

/** Plans one answer to each comment; a command that is about several incidents is done if it is for one of them. */
function planAnswers(
  commands: readonly IssueCommand[],
  known: readonly [id: string, incident: Incident][],
): Effect[] {
  const answers = commands.map((command) => planAnswer(command, known));
  const byId = Map.groupBy(answers, ({ id }) => id);
  return [...byId.values()].map((own) =>
    own.find(({ data }) => data["answer"] === "+1") ?? own[0]!
  );
}

/** Plans the answer to a command; people without access get one answer for each issue. */
function planAnswer(
  written: IssueCommand,
  known: readonly [id: string, incident: Incident][],
): Effect {
  const { command, comment, issue, by, at, isAllowed } = written;
  if (!isAllowed) {
    const subject = `${issue}/${by.toLowerCase()}/refused`;
    return planReaction({ comment, issue, isDone: false, subject });
  }
  const isDone = command.name === "ack"
    ? known.some(([id, one]) => isAbout(written, id, one) && isInTime({ at }, one))
    : command.name !== "unclear";
  return planReaction({ comment, issue, isDone });
}

/** Describes who has acknowledged an incident, or had until it got worse or the time was over. */
export function toAcknowledged(
  incident: Incident | undefined,
  now: Temporal.Instant,
): Pick<SiteEvent, "acknowledged" | "formerly"> {
  if (incident === undefined) return {};
  const acknowledged = findAcknowledgement(incident, incident.end ?? now);
  const former = findFormer(incident, incident.end ?? now);
  const { start, reopened } = incident;
  const describe = ({ at, by }: { at: Temporal.Instant; by: string }) => {
    const from = reopened.findLast((one) => !isBefore(at, one)) ?? start;
    return {
      by,
      at: formatTime(at),
      after: Math.max(0, at.since(from).total("milliseconds")),
    };
  };
  return {
    acknowledged: acknowledged && describe(acknowledged),
    formerly: former && { ...describe(former.acknowledgement), why: former.why },
  };
}
