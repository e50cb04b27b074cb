import { Buffer } from "node:buffer";
import type { Change } from "../../lib/history/store/store.ts";
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
  return {
    async write({ files, time, message, author }) {
      const seconds = Math.floor(time.epochMilliseconds / 1000);
      const parts = [
        `commit refs/heads/main\ncommitter ${author.name} <${author.email}> ${seconds} +0000\n`,
        data(message),
        ...[...files].map(([path, content]) =>
          content === null ? `D ${path}\n` : `M 100644 inline ${path}\n${data(content)}`
        ),
      ];
      await writer.write(encoder.encode(parts.join("")));
    },
    async end() {
      await writer.close();
      const { code } = await child.status;
      if (code !== 0) throw new Error(`Cannot write commits: git fast-import ended with ${code}`);
    },
  };
}

const encoder = new TextEncoder();

function data(text: string | Uint8Array): string {
  if (typeof text !== "string") throw new TypeError("Cannot write bytes into a stream of texts");
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
