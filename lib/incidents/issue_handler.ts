import type { GitHub, Issue } from "../github/github.ts";
import type { Clock } from "../io/clock.ts";
import type { EffectHandler, Receipt } from "../outbox/effect.ts";
import { createGitHubHandler, unknownEffect } from "./github_effects.ts";
import { type IssueToOpen, parseIssueEffect } from "./issue_effect.ts";
import { addComment, incidentMarker, makeOnce, startMarker, withMarker } from "./marked_texts.ts";

/** Largest assumed difference between GitHub's clock and ours. */
const SKEW = { hours: 24 };

export function createIssueHandler(
  github: GitHub | undefined,
  { clock, issues }: {
    clock: Clock;
    issues?: Map<string, number>;
  },
): EffectHandler {
  return createGitHubHandler(github, async (github, effect, before) => {
    const data = parseIssueEffect(effect.data);
    if (data === undefined) throw unknownEffect();
    const { name, title, titles } = data;
    const [whenDown, whenDegraded] = titles;
    const state = title === whenDegraded && title !== whenDown ? "degraded" : "down";
    const marker = `${startMarker(data.start, state)}\n${incidentMarker(name)}`;
    const start = Temporal.Instant.from(data.start).subtract(SKEW);
    const onNumber = (number: number) => {
      if (effect.queue !== undefined) issues?.set(effect.queue, number);
    };
    const open = async (issue: IssueToOpen) => (
      { issue: await openIssue({ name, start, marker, title, issue, onNumber }, { github, clock }) }
    );
    if (data.action === "open") return await open(data.issue);
    const number = lastIssue(before) ?? data.number;
    const issue = number === undefined
      ? (await ownIssues(github, name, start)).at(0)
      : await findIssue(github, name, { number, titles });
    if (issue === undefined) {
      const isMissing = data.action === "reopen" || number === undefined;
      return isMissing && data.action !== "close" ? await open(data.issue) : { isGone: true };
    }
    const isClosing = data.action === "close";
    const change = {
      ...!isClosing && titles.includes(issue.title) && issue.title !== title ? { title } : {},
      ...data.action === "reopen" && !issue.isOpen ? { isOpen: true } : {},
    };
    if (Object.keys(change).length > 0) await github.changeIssue(issue.number, change);
    const since = effect.planned.subtract(SKEW);
    const comment = { number: issue.number, text: data.comment, purpose: effect.id, since };
    await addComment(comment, { github, clock });
    if (isClosing && issue.isOpen) await github.changeIssue(issue.number, { isOpen: false });
    return { issue: issue.number };
  });
}

/** The number of the issue that the earlier effects of the queue have opened or found last. */
function lastIssue(before: readonly Receipt[]): number | undefined {
  const numbers = before.map(({ issue }) => issue).filter((issue) => typeof issue === "number");
  return numbers.at(-1);
}

/** Opens the issue of an incident unless it is there, closes what is one too many, and returns its number. */
async function openIssue(
  { name, start, marker, title, issue: { body, labels, assignees, lock }, onNumber }: {
    name: string;
    /** Time from which it is looked for. */
    start: Temporal.Instant;
    marker: string;
    title: string;
    issue: IssueToOpen;
    /** Called with the number of the issue as soon as it is known. */
    onNumber(number: number): void;
  },
  { github, clock }: { github: GitHub; clock: Clock },
): Promise<number> {
  const find = async () => (await ownIssues(github, name, start)).at(0);
  const create = async () => {
    const text = withMarker(body, marker);
    const issue = { title, body: text, labels: labels.map((label) => label.name), assignees };
    return await makeOnce(find, () => github.createIssue(issue), clock);
  };
  // Requested in parallel: finding our own issues needs it.
  github.account().catch(() => {});
  const made = await find() ?? await create();
  // Another run may have opened one at the same moment.
  const [kept = made, ...others] = await ownIssues(github, name, start);
  onNumber(kept.number);
  if (lock) await github.lockIssue(kept.number);
  for (const { number, isOpen } of others) {
    if (!isOpen) continue;
    const text = `Duplicate of #${kept.number}`;
    const purpose = `${name}/duplicate-of-${kept.number}`;
    await addComment({ number, text, purpose, since: start }, { github, clock });
    await github.changeIssue(number, { isOpen: false, isDuplicate: true });
  }
  return kept.number;
}

/** Issues that our account opened for an incident: open before closed, then the lower number first. */
async function ownIssues(
  github: GitHub,
  name: string,
  start: Temporal.Instant,
): Promise<Issue[]> {
  const marker = incidentMarker(name);
  const issues = await github.issuesSince(start);
  const marked = issues.filter(({ body }) => body.includes(marker));
  if (marked.length === 0) return [];
  const account = await github.account();
  return marked.filter(({ author }) => author === account)
    .sort((one, other) => Number(other.isOpen) - Number(one.isOpen) || one.number - other.number);
}

async function findIssue(
  github: GitHub,
  name: string,
  { number, titles }: { number: number; titles: readonly string[] },
): Promise<Issue | undefined> {
  const issue = await github.issue(number);
  if (issue === undefined) return undefined;
  if (issue.body.includes(incidentMarker(name))) return issue;
  const isOurs = titles.includes(issue.title) && issue.author === await github.account();
  return isOurs ? issue : undefined;
}

/** Numbers of issues by incident, as far as they are known; those that a run opens can be waited for. */
export class IssueNumbers extends Map<string, number> {
  readonly #expected = new Map<string, PromiseWithResolvers<void>>();

  /** Makes {@linkcode IssueNumbers.settled} wait for these incidents, until `end` at most. */
  expect(incidents: Iterable<string>, end: Promise<unknown>): void {
    for (const incident of incidents) {
      if (this.has(incident) || this.#expected.has(incident)) continue;
      const expected = Promise.withResolvers<void>();
      this.#expected.set(incident, expected);
      end.then(() => expected.resolve(), () => expected.resolve());
    }
  }

  override set(incident: string, number: number): this {
    this.#expected.get(incident)?.resolve();
    return super.set(incident, number);
  }

  async settled(incident: string): Promise<void> {
    await this.#expected.get(incident)?.promise;
  }
}
