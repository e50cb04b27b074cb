import { type Answer, answerOf, type Fault } from "./answer_of.ts";
import { issueOf } from "./issue_of.ts";
import type { Client } from "./octokit.ts";
import type { Issue, NewIssue } from "./github.ts";

/** As many as GitHub takes. */
const MOST_ASSIGNEES = 10;

/** What an issue can do without. */
type Extras = Pick<NewIssue, "labels" | "assignees">;

/** How GitHub says that it does not take one of them. */
const IS_ABOUT: Readonly<Record<keyof Extras, (fault: Fault) => boolean>> = {
  labels: ({ resource, field }) => resource === "Label" || field === "labels",
  assignees: ({ field }) => /^assignees?$/.test(field ?? ""),
};

/** Opens an issue, without the labels and people that GitHub does not take, and tells those. */
export async function createIssue(
  client: Client,
  place: { owner: string; repo: string },
  { title, body, labels, assignees }: NewIssue,
): Promise<{ issue: Issue; leftOut: Extras }> {
  let asked: Extras = { labels, assignees: assignees.slice(0, MOST_ASSIGNEES) };
  while (true) {
    try {
      const { data } = await client.rest.issues.create({
        ...place,
        ...{ title, body, labels: [...asked.labels], assignees: [...asked.assignees] },
        request: { retries: 0 },
      });
      const leftOut = {
        labels: labels.filter((name) => !asked.labels.includes(name)),
        assignees: assignees.filter((login) => !asked.assignees.includes(login)),
      };
      return { issue: issueOf(data), leftOut };
    } catch (error) {
      const answer = answerOf(error);
      const rest = {
        labels: taken("labels", asked.labels, answer),
        assignees: taken("assignees", asked.assignees, answer),
      };
      const isLess = rest.labels.length < asked.labels.length ||
        rest.assignees.length < asked.assignees.length;
      if (!isLess) throw error;
      asked = rest;
    }
  }
}

/** Those that an answer does not refuse; none where it does not say which. */
function taken(
  kind: keyof Extras,
  asked: readonly string[],
  answer: Answer | undefined,
): readonly string[] {
  const faults = answer?.status === 422 ? answer.faults.filter(IS_ABOUT[kind]) : [];
  if (faults.length === 0) return asked;
  const refused = faults.flatMap(({ value }) => value ?? []).map((one) =>
    String(one).toLowerCase()
  );
  const rest = asked.filter((one) => !refused.includes(one.toLowerCase()));
  return rest.length < asked.length ? rest : [];
}
