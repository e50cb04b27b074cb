import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { incidentPath, INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import { type GitHubServer, githubServer } from "./github_server.ts";
import { elementsOf } from "./html.ts";
import { runTask } from "./program.ts";
import { commitFile, configText, makeRepository } from "./repositories.ts";
import { makeScratch } from "./scratch.ts";

export const NOWHERE = "http://127.0.0.1:1";

export const REPOSITORY = "GET /repos/acme/status";

/** The addresses that a page's script reads, that its policy allows, and of the history of an incident's record. */
export async function asked(
  env: Readonly<Record<string, string>>,
  { live = "repository", below = "." }: { live?: string; below?: string } = {},
) {
  await using scratch = await makeScratch();
  const config = configText({ Shop: NOWHERE }, `pages: { live: ${live} }\n`);
  const repository = await makeRepository(join(scratch.path, "status"), {
    ".monitorrc.yml": config,
  });
  const [start, end] = ["2026-11-20T10:00:00Z", "2026-11-20T10:05:00Z"];
  await Deno.mkdir(join(repository, INCIDENTS_FOLDER), { recursive: true });
  await commitFile(
    repository,
    incidentPath("a"),
    `slug: shop\nkind: down\nstart: ${start}\nconfirmed: ${start}\nend: ${end}\n`,
  );
  const folder = join(repository, below);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  const { code, stderr } = await runTask("site", { folder, env });
  assertEquals(code, 0, stderr);
  const page = await Deno.readTextFile(join(folder, "site/status-page/export/index.html"));
  const script = elementsOf(page, "script").find(({ attribs }) => "data-live" in attribs)!;
  const { summary } = JSON.parse(script.attribs["data-live"]!);
  const [, sources] = /connect-src ([^;"]*)/.exec(page) ?? [];
  const incident = join(folder, "site/status-page/export/incident/a/index.html");
  const record = /[^"]*\/commits\/[^"]*/.exec(await Deno.readTextFile(incident).catch(() => ""));
  return { summary, sources, stderr, record: record?.[0] };
}

/** The same with a GitHub server, whose requests are validated by its description. */
export async function askedAt(prepare: (github: GitHubServer) => void) {
  await using github = await githubServer();
  prepare(github);
  const found = await asked(github.env);
  assertEquals(github.violations, []);
  return { ...found, requests: github.asked };
}
