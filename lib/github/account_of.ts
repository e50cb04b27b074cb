import type { Client } from "./octokit.ts";
import { answerOf } from "./answer_of.ts";
import { secondsToWait } from "./rate_limit.ts";

/** The account of the token that a job is given. */
const JOB = "github-actions[bot]";

/** Login of the account that the client's token belongs to. */
export async function accountOf(client: Client): Promise<string> {
  try {
    return (await client.rest.users.getAuthenticated()).data.login;
  } catch (error) {
    // Tokens of apps, a job's own among them, have no user.
    if (!isRefused(error)) throw error;
  }
  try {
    const { viewer } = await client.graphql<{ viewer: { login: string } }>("{ viewer { login } }");
    return viewer.login;
  } catch (error) {
    if (!isRefused(error) && !isUnknown(error)) throw error;
    return JOB;
  }
}

/** Whether GitHub will say the same next time: one that is only asked too much won't. */
function isRefused(error: unknown): boolean {
  const answer = answerOf(error);
  return answer?.status === 403 && secondsToWait(answer, 0) === undefined;
}

/** Whether there is no such question, as on servers that are only compatible, or no answer to it. */
function isUnknown(error: unknown): boolean {
  if (answerOf(error)?.status === 404) return true;
  const isAnswered = error instanceof Error && error.name === "GraphqlResponseError";
  return isAnswered && !/rate limit/i.test(error.message);
}
