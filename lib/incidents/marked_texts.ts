import { type GitHub, GitHubError } from "../github/github.ts";
import type { Clock } from "../io/clock.ts";
import { parseMoment } from "../config/keys/times.ts";
import { retry } from "../io/requests.ts";

const INCIDENT = "<!-- monitor-incident: ";
const COMMENT = "<!-- monitor-comment: ";
const ANNOUNCEMENT = /(?:^|\n)<!-- monitor-announcement: \w+ -->\s*$/;

/** Hidden in an issue of ours: the incident it is about, by its id after its folder. */
export function incidentMarker(name: string): string {
  return `${INCIDENT}${name} -->`;
}

/** Hidden in an issue of ours before that: the start of the incident, and the state it began with. */
export function startMarker(start: string, state: "down" | "degraded"): string {
  return `<!-- monitor-start: ${start} ${state} -->`;
}

const START = /<!-- monitor-start: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) (down|degraded) -->/;

/** Reads {@linkcode startMarker} in an issue; `undefined` if an older version opened it, or a person removed that. */
export function parseStart(
  body: string,
): { start: Temporal.Instant; state: "down" | "degraded" } | undefined {
  const [, time = "", state] = START.exec(body) ?? [];
  const start = parseMoment(time, "UTC");
  return start === undefined ? undefined : { start, state: state as "down" | "degraded" };
}

export function withMarker(text: string, marker: string): string {
  return `${text.trimEnd()}\n\n${marker}`;
}

/** Hidden in a comment of ours: what it was written for. */
function commentMarker(effect: string): string {
  return `${COMMENT}${effect} -->`;
}

/** Comment with which Upptime closes an issue. */
const UPPTIME_COMMENT =
  /^\*\*Resolved:\*\* .+ (?:is back up|performance has improved) in \[`[\da-f]{7}`\]\(\S+\) after .+\.\s*$/s;

/** Hidden at the end of what a person announces by the program, with a name of its own. */
export function announcementMarker(name: string): string {
  return `<!-- monitor-announcement: ${name} -->`;
}

/** True for texts of a person that the program has written, and for copies of them. */
export function isAnnouncement(body: string): boolean {
  return ANNOUNCEMENT.test(body);
}

/** True for texts of ours and of Upptime, and for copies of them. */
export function isMarked(body: string): boolean {
  return [INCIDENT, COMMENT].some((begin) => body.includes(begin)) || UPPTIME_COMMENT.test(body);
}

export async function addComment(
  { number, text, purpose, since }: {
    number: number;
    text: string;
    purpose: string;
    /** The earliest moment at which it may have been written. */
    since: Temporal.Instant;
  },
  { github, clock }: { github: GitHub; clock: Clock },
): Promise<void> {
  const marker = commentMarker(purpose);
  const find = async () => {
    const comments = await github.comments(number, since);
    const marked = comments.filter(({ body }) => body.includes(marker));
    if (marked.length === 0) return undefined;
    const account = await github.account();
    return marked.find(({ author }) => author === account);
  };
  if (await find() !== undefined) return;
  await makeOnce(find, () => github.comment(number, withMarker(text, marker)), clock);
}

/** Milliseconds before each further attempt, after which a result of the one before can be found. */
const DELAYS = [2_000, 4_000];

/**
 * Makes something that is missing. If an attempt ends without an answer, what it may have made is
 * looked for before the next.
 *
 * @throws {GitHubError} If every attempt failed.
 */
export async function makeOnce<Found, Made>(
  find: () => Promise<Found | undefined>,
  make: () => Promise<Made>,
  clock: Clock,
): Promise<Found | Made> {
  const findOrMake = async (attempt: number) =>
    (attempt > 1 ? await find() : undefined) ?? await make();
  return await retry(findOrMake, {
    delays: DELAYS,
    clock,
    delayAfter: (error, delay) =>
      error instanceof GitHubError && error.mayHaveSucceeded ? delay : undefined,
  });
}
