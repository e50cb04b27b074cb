import { type Incident, UNCHANGED } from "../history/incident.ts";
import { cutToLabel, STATUS_LABEL } from "../incidents/issue_labels.ts";
import { MINUTE } from "../time.ts";
import type { CollectedSite, FoundIncident } from "./collect_histories.ts";
import type { ReadIssues, UpptimeIssue } from "./read_issues.ts";

/** Numbers of issues by what became of them. */
export interface JoinedIssues {
  /** Those that belong to an incident of the checks. */
  joined: number[];
  /** Those of which no check tells; they are incidents of their own. */
  alone: number[];
  /** Those that belong to an incident with another issue. */
  further: number[];
  /** Those that belong to no site. */
  left: number[];
  /** Those that are still open although their incident has ended. */
  open: number[];
}

/** Milliseconds by which an issue may be older than the check that it belongs to, and younger than its end. */
const SLACK = 10 * MINUTE;

/**
 * Joins issues with incidents: by the commit that the issue links to, else by its label and time. An issue without an
 * incident becomes one, so that its address and its time stay: Upptime lost some checks when it could not push.
 * The incidents of `sites` are changed.
 */
export function joinIssues(
  { issues, updates }: Pick<ReadIssues, "issues" | "updates">,
  sites: readonly CollectedSite[],
): JoinedIssues {
  const joined: JoinedIssues = { joined: [], alone: [], further: [], left: [], open: [] };
  const timeline = (number: number) => [...updates.get(number) ?? []];
  const byCommit = new Map<string, FoundIncident>();
  const siteOfCommit = new Map<string, CollectedSite>();
  for (const site of sites) {
    for (const { commit } of site.checks) siteOfCommit.set(toShort(commit), site);
    for (const found of site.incidents) {
      for (const commit of found.commits) byCommit.set(toShort(commit), found);
    }
  }
  const join = (found: FoundIncident, { number }: UpptimeIssue) => {
    const { issue, furtherIssues = [] } = found.incident;
    found.incident = issue === undefined
      ? { ...found.incident, issue: number, updates: timeline(number) }
      : { ...found.incident, furtherIssues: [...furtherIssues, number] };
    joined[issue === undefined ? "joined" : "further"].push(number);
  };
  const rest: UpptimeIssue[] = [];
  for (const issue of issues) {
    const found = byCommit.get(toShort(issue.commit ?? ""));
    if (found === undefined) rest.push(issue);
    else join(found, issue);
  }
  for (const issue of rest) {
    const site = siteOfCommit.get(toShort(issue.commit ?? "")) ?? findSite(issue, sites);
    const near = site?.incidents.filter(({ incident }) => isNear(incident, issue)) ?? [];
    const free = near.find(({ incident }) => incident.issue === undefined);
    const found = free ?? near[0];
    if (site === undefined) joined.left.push(issue.number);
    else if (found !== undefined) join(found, issue);
    else {
      const incident = { ...toIncident(issue, site.site.slug), updates: timeline(issue.number) };
      site.incidents.push({ incident, commits: [] });
      joined.alone.push(issue.number);
    }
  }
  const byStart = (one: FoundIncident, other: FoundIncident) =>
    Temporal.Instant.compare(one.incident.start, other.incident.start);
  for (const site of sites) site.incidents.sort(byStart);
  const ended = new Set(
    sites.flatMap(({ incidents }) => incidents)
      .flatMap(({ incident: { end, issue, furtherIssues = [] } }) =>
        end === undefined ? [] : [issue, ...furtherIssues]
      ),
  );
  joined.open = issues.filter(({ number, closed }) => closed === undefined && ended.has(number))
    .map(({ number }) => number);
  return joined;
}

/** Upptime writes this much of a commit's name. */
function toShort(commit: string): string {
  return commit.slice(0, 7);
}

/**
 * The site of an issue by its labels, or else by its title. Every issue has the label `status`, which is also the
 * slug of some sites.
 */
function findSite(
  { labels, title }: UpptimeIssue,
  sites: readonly CollectedSite[],
): CollectedSite | undefined {
  const named = labels.filter((label) => label !== STATUS_LABEL);
  const wanted = new Set(named.length === 0 ? labels : named);
  const label = (file: string) => cutToLabel(file).toLowerCase();
  const [, name] = /^\S+ (.+) (?:is down|has degraded performance)$/.exec(title) ?? [];
  return sites.find(({ site }) => wanted.has(label(site.files[0]!))) ??
    sites.find(({ site }) => site.files.some((file) => wanted.has(label(file)))) ??
    sites.find(({ site }) => site.name.trim() === name?.trim());
}

function isNear({ start, end }: Incident, { created }: UpptimeIssue): boolean {
  return created >= start.epochMilliseconds - SLACK &&
    created <= (end?.epochMilliseconds ?? Infinity) + SLACK;
}

function toIncident({ number, title, created, closed }: UpptimeIssue, slug: string): Incident {
  const start = Temporal.Instant.fromEpochMilliseconds(created);
  return {
    ...UNCHANGED,
    slug,
    kind: /degraded/i.test(title) ? "degraded" : "down",
    start,
    confirmed: start,
    // One that nobody closed tells nothing of how long it lasted.
    end: Temporal.Instant.fromEpochMilliseconds(closed ?? created),
    code: 0,
    error: "",
    attempts: 1,
    issue: number,
  };
}
