import type { Config } from "./config.ts";
import { type JobRepository, pageOfRemote } from "./home_page.ts";

/**
 * The repository that issues are opened in, as `owner/name`: the job's, else the configured one, else
 * that of the git remote where it is a repository of GitHub.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const server = "https://github.com";
 * assertEquals(ownRepository({}, { server }, "git@github.com:acme/status.git"), "acme/status");
 * assertEquals(ownRepository({}, { server }, "git@example.com:acme/status.git"), undefined);
 * ```
 */
export function ownRepository(
  { owner, repo }: Pick<Config, "owner" | "repo">,
  { repository, server }: JobRepository,
  remote: string | undefined,
): string | undefined {
  if (repository !== undefined) return repository;
  if (owner !== undefined && repo !== undefined) return `${owner}/${repo}`;
  const page = URL.parse(remote === undefined ? "" : pageOfRemote(remote) ?? "");
  if (page === null || page.hostname !== URL.parse(server)?.hostname) return undefined;
  return /^\/([^/]+\/[^/]+)$/.exec(page.pathname)?.[1];
}
