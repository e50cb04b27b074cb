import { Asker, type GitHubOptions } from "./asker.ts";
import { USUAL_PACE } from "./pace.ts";
import { PAGE } from "./tagged_reads.ts";

/**
 * Tags of the newest hundred releases of a repository, without drafts and those that are not for everyone
 * yet. A run can do without them: they are waited for some seconds only.
 *
 * @throws {GitHubError}
 */
export function releaseTags(options: GitHubOptions): Promise<string[]> {
  const { repository, pace = USUAL_PACE } = options;
  const [owner = "", repo = ""] = repository.split("/");
  const asker = new Asker({ ...options, pace: { ...pace, budget: pace.aside } });
  return asker.ask(
    { what: "read the releases of the action", repository, needs: "contents: read" },
    async ({ rest }) => {
      const { data } = await rest.repos.listReleases({ owner, repo, per_page: PAGE });
      return data.filter(({ draft, prerelease }) => !draft && !prerelease)
        .map(({ tag_name }) => tag_name);
    },
  );
}
