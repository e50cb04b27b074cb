import { git } from "./scratch.ts";

/** A commit of a repository of Upptime. */
export interface UpptimeCommitted {
  /** Time of the commit. */
  at: string;
  message?: string;
  /** Numbers of its parents among the commits, from 1; the commit before it if absent. */
  parents?: readonly number[];
  /** Contents by path; `null` removes a file. */
  files: Readonly<Record<string, string | null>>;
}

/** The text of a record as Upptime writes it. */
export function upptimeRecord(
  { url, status = "up", code = 200, ms = 100, at, start = "2025-01-01T00:00:00.000Z" }: {
    url: string;
    status?: "up" | "down" | "degraded";
    code?: number;
    ms?: number;
    /** Time of the check, as it is written. */
    at: string;
    start?: string;
  },
): string {
  return [
    `url: ${url}`,
    `status: ${status}`,
    `code: ${code}`,
    `responseTime: ${ms}`,
    `lastUpdated: ${at}`,
    `startTime: ${start}`,
    "generator: Upptime <https://github.com/upptime/upptime>",
    "",
  ].join("\n");
}

/** Makes a folder a repository with these commits on the branch `main`, which is checked out. */
export async function makeUpptimeRepository(
  folder: string,
  commits: readonly UpptimeCommitted[],
): Promise<void> {
  const encoder = new TextEncoder();
  const data = (text: string) => `data ${encoder.encode(text).length}\n${text}\n`;
  const stream = commits.flatMap(({ at, message = "Commit", parents = [], files }, index) => [
    `commit refs/heads/main\nmark :${index + 1}\ncommitter Upptime Bot <bot@example.com> ${
      Date.parse(at) / 1000 | 0
    } +0000\n`,
    data(message),
    ...parents.map((parent, index) => `${index === 0 ? "from" : "merge"} :${parent}\n`),
    ...Object.entries(files).map(([path, text]) =>
      text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`
    ),
  ]);
  await Deno.mkdir(folder, { recursive: true });
  await git(folder, "init", "--quiet", "--initial-branch", "main");
  await importStream(folder, new Blob(stream).stream());
  await git(folder, "reset", "--quiet", "--hard");
}

/** Reads a stream of `git fast-import` into a repository. */
export async function importStream(
  folder: string,
  stream: ReadableStream<Uint8Array>,
): Promise<void> {
  const child = new Deno.Command("git", {
    args: ["fast-import", "--quiet", "--force"],
    cwd: folder,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdin: "piped",
    stdout: "null",
  }).spawn();
  await stream.pipeTo(child.stdin);
  const { success } = await child.status;
  if (!success) throw new Error(`git fast-import in ${folder} failed`);
}
