import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { type GitHubServer, githubServer } from "./github_server.ts";
import { elementsOf } from "./html.ts";
import { runTask } from "./program.ts";
import { configText, makeRepository } from "./repositories.ts";
import { makeScratch } from "./scratch.ts";

export const NOWHERE = "http://127.0.0.1:1";

export const REPOSITORY = "GET /repos/acme/status";

/** The addresses that a page's script reads, and that its policy allows. */
export async function asked(
  env: Readonly<Record<string, string>>,
  { live = "repository", below = "." }: { live?: string; below?: string } = {},
) {
  await using scratch = await makeScratch();
  const config = configText({ Shop: NOWHERE }, `pages: { live: ${live} }\n`);
  const repository = await makeRepository(join(scratch.path, "status"), {
    ".monitorrc.yml": config,
  });
  const folder = join(repository, below);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  const { code, stderr } = await runTask("site", { folder, env });
  assertEquals(code, 0, stderr);
  const page = await Deno.readTextFile(join(folder, "site/status-page/export/index.html"));
  const script = elementsOf(page, "script").find(({ attribs }) => "data-live" in attribs)!;
  const { summary } = JSON.parse(script.attribs["data-live"]!);
  const [, sources] = /connect-src ([^;"]*)/.exec(page) ?? [];
  return { summary, sources, stderr };
}

/** The same with a GitHub server, whose requests are validated by its description. */
export async function askedAt(prepare: (github: GitHubServer) => void) {
  await using github = await githubServer();
  prepare(github);
  const found = await asked(github.env);
  assertEquals(github.violations, []);
  return { ...found, requests: github.asked };
}
