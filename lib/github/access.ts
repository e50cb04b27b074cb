import { answerOf } from "./answer_of.ts";
import type { Part } from "./part.ts";
import type { GitHub } from "./github.ts";
import { GitHubError } from "./github_error.ts";

/** GitHub's names for permissions to push; it reports each custom role as one of them. */
const WRITING: readonly string[] = ["admin", "maintain", "write"];

/** Requests about the permissions of people in the repository. */
export function accessOf(
  { ask, place, warn }: Part & { warn(text: string): void },
): Pick<GitHub, "mayWrite"> {
  let hasWarned = false;
  return {
    async mayWrite(login) {
      try {
        return await ask("see who may write", async ({ rest }) => {
          try {
            const wish = { ...place, username: login };
            const { data } = await rest.repos.getCollaboratorPermissionLevel(wish);
            return WRITING.includes(data.permission);
          } catch (error) {
            // An account that is gone, or no collaborator.
            if (answerOf(error)?.status !== 404) throw error;
            return false;
          }
        }, { needs: "metadata: read" });
      } catch (error) {
        if (!(error instanceof GitHubError) || error.kind === "passing") throw error;
        if (!hasWarned) {
          warn(`${error.message}; only comments of the owner and of invited collaborators count`);
        }
        hasWarned = true;
        return undefined;
      }
    },
  };
}
