import { answerOf } from "./answer_of.ts";
import { issueOf } from "./issue_of.ts";
import type { Client } from "./octokit.ts";
import type { Issue, NewIssue } from "./platform.ts";

/** As many as the platform takes. */
const MOST_ASSIGNEES = 10;

/** Opens an issue, and names whom it could not be assigned to. */
export async function createIssue(
  client: Client,
  place: { owner: string; repo: string },
  { title, body, labels, assignees }: NewIssue,
): Promise<{ issue: Issue; leftOut: string[] }> {
  let asked = assignees.slice(0, MOST_ASSIGNEES);
  while (true) {
    try {
      const { data } = await client.rest.issues.create({
        ...place,
        ...{ title, body, labels: [...labels], assignees: asked },
        request: { retries: 0 },
      });
      return {
        issue: issueOf(data),
        leftOut: assignees.filter((login) => !asked.includes(login)),
      };
    } catch (error) {
      const refused = refusedAssignees(error);
      if (refused === undefined || asked.length === 0) throw error;
      const rest = asked.filter((login) => !refused.includes(login.toLowerCase()));
      asked = rest.length < asked.length ? rest : [];
    }
  }
}

/** Whom an issue can't be assigned to, in lower case, as far as the platform says; `undefined` where that is not what is wrong. */
function refusedAssignees(error: unknown): string[] | undefined {
  const answer = answerOf(error);
  if (answer?.status !== 422) return undefined;
  const faults = answer.faults.filter(({ field }) => /^assignees?$/.test(field ?? ""));
  return faults.length === 0
    ? undefined
    : faults.flatMap(({ value }) => value ?? []).map((login) => String(login).toLowerCase());
}
