import type { Config } from "./config.ts";

interface JobRepository {
  /** `owner/name`. */
  repository?: string;
  server: string;
}

/** Address of the repository: as configured, else of the job, else of the git remote. */
export function homePage(
  { owner, repo }: Pick<Config, "owner" | "repo">,
  { repository, server }: JobRepository,
  remote: string | undefined,
): string | undefined {
  const [jobOwner, jobRepo] = repository?.split("/") ?? [];
  const [ofOwner, ofRepo] = [owner ?? jobOwner, repo ?? jobRepo];
  if (ofOwner !== undefined && ofRepo !== undefined) return `${server}/${ofOwner}/${ofRepo}`;
  return remote === undefined ? undefined : pageOfRemote(remote);
}

/**
 * The web address of a remote, without credentials; `undefined` if it has none, such as a folder.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(pageOfRemote("git@github.com:acme/status.git"), "https://github.com/acme/status");
 * assertEquals(pageOfRemote("https://me:token@git.example.com/acme/status"), "https://git.example.com/acme/status");
 * assertEquals(pageOfRemote("/srv/git/status.git"), undefined);
 * ```
 */
export function pageOfRemote(remote: string): string | undefined {
  const address =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/]*@)?([\w.-]+\.\w+)(?::\d+)?[:/]\/*([\w./-]+)$/
      .exec(remote.trim());
  if (address === null) return undefined;
  const [, host, path] = address;
  return `https://${host}/${path!.replace(/\/+$/, "").replace(/\.git$/, "")}`;
}

/** The repository of issues, as `owner/name`: the job's, else the configured one, else the remote's on GitHub. */
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
