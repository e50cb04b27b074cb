import type { Client } from "./octokit.ts";
import { answerOf } from "./answer_of.ts";

/** The account of the token that a job is given. */
const JOB = "github-actions[bot]";

/** Login of the account that the client's token belongs to. */
export async function accountOf(client: Client): Promise<string> {
  try {
    return (await client.rest.users.getAuthenticated()).data.login;
  } catch (error) {
    // Tokens of apps, a job's own among them, have no user.
    if (answerOf(error)?.status !== 403) throw error;
  }
  try {
    const { viewer } = await client.graphql<{ viewer: { login: string } }>("{ viewer { login } }");
    return viewer.login;
  } catch (error) {
    const status = answerOf(error)?.status;
    const isRefused = status === undefined ? isGraphqlError(error) : status < 500;
    if (!isRefused) throw error;
    return JOB;
  }
}

function isGraphqlError(error: unknown): boolean {
  return error instanceof Error && error.name === "GraphqlResponseError";
}
