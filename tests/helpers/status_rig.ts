import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { githubServer } from "./github_server.ts";
import { runTask } from "./program.ts";
import { cloneRemote, configText } from "./repositories.ts";
import { makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import { writeHistory } from "./written_history.ts";

export const CONFIG = `slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "日本 | <b>", slug: ja, url: $ADDRESS, group: Far }
  - { name: New, url: https://new.example.com }
`;

/** Writes a history of two days up to now in which the shop is down since two hours, and returns now. */
export async function writeTwoDays(folder: string): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(folder, [
    { slug: "shop", outages: [{ from: ago(125), error: "connection refused", issue: 12 }] },
    { slug: "ja" },
  ], { from: ago(2880), to: ago(5) });
  return now;
}

/** A clone whose one site, Shop, is down: its issue is number 1. */
export async function outage(scratch: Scratch) {
  let code = 200;
  const site = httpServer(() => new Response(null, { status: code }));
  const github = await githubServer();
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url }),
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const { env } = github;
  for (const answer of [200, 503]) {
    code = answer;
    assertEquals((await runTask("update", { folder, env })).code, 0);
  }
  return {
    ...{ github, remote, folder, env },
    incidents: (args: string[] = [], given: Record<string, string> = env) =>
      runTask("incidents", { folder, args, env: given }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}
