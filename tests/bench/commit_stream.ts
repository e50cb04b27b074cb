import type { Change } from "../../lib/store/store.ts";
import { git } from "../helpers/scratch.ts";

/** Commits that one process writes into a repository, one after the other. */
export interface CommitStream {
  write(change: Change): Promise<void>;
  /** Waits until everything is written. */
  end(): Promise<void>;
}

/** Makes a repository, and writes the commits of its branch. */
export async function openCommitStream(folder: string): Promise<CommitStream> {
  await git(folder, "init", "--quiet", ".");
  const child = new Deno.Command("git", {
    args: ["fast-import", "--quiet", "--date-format=raw"],
    cwd: folder,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    stdin: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  return {
    async write({ files, time, message, author }) {
      const seconds = Math.floor(time.epochMilliseconds / 1000);
      await writer.write(encoder.encode([
        `commit refs/heads/main\ncommitter ${author.name} <${author.email}> ${seconds} +0000\n`,
        data(message),
        ...[...files].map(([path, text]) =>
          text === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`
        ),
      ].join("")));
    },
    async end() {
      await writer.close();
      const { code } = await child.status;
      if (code !== 0) throw new Error(`Cannot write commits: git fast-import ended with ${code}`);
    },
  };
}

function data(text: string): string {
  return `data ${new TextEncoder().encode(text).length}\n${text}\n`;
}
