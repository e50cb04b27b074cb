import { NoGitError } from "../../git/git.ts";
import { isIgnored, openRepository, type Repository } from "../../git/repository.ts";

/** Why there is no repository where git itself is missing. */
export const NO_GIT = "there is no git";

/**
 * The repository to commit to, or why there is none, in words.
 *
 * @throws {RepositoryError} Where there is one in a state in which nothing can be recorded.
 */
export async function findRepository(root: string): Promise<Repository | string> {
  try {
    const repository = await openRepository(root);
    if (repository !== undefined) return repository;
    const ignored = await isIgnored(root);
    return ignored ? "the repository ignores this folder" : "there is no git repository here";
  } catch (error) {
    if (!(error instanceof NoGitError)) throw error;
    return NO_GIT;
  }
}

/** The same where nobody asks for the reason. */
export async function repositoryAt(root: string): Promise<Repository | undefined> {
  const found = await findRepository(root);
  return typeof found === "string" ? undefined : found;
}
