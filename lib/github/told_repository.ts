import { notOfApi } from "./answer_of.ts";
import type { Client } from "./octokit.ts";

/** The whole answer of GitHub about a repository. */
type ToldRepository = Awaited<ReturnType<Client["rest"]["repos"]["get"]>>;

/**
 * What GitHub tells of a repository.
 *
 * @throws {Error} Where it refuses that, or the answer is about no repository: whether one is private must
 * not be concluded from what something else on the way has said.
 */
export async function toldRepository(
  { rest }: Client,
  place: { owner: string; repo: string },
): Promise<ToldRepository> {
  const response = await rest.repos.get(place);
  const { full_name, private: isPrivate } = response.data ?? {};
  if (typeof full_name !== "string" || typeof isPrivate !== "boolean") throw notOfApi(response);
  return response;
}
