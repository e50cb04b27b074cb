import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { configText, makeRepository, status, tip } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

const WRITING = ["update", "response-time", "graphs", "site", "readme"];

const REFUSAL =
  /^error: Nothing was changed, because this folder holds what Upptime recorded of \d+ sites? and nothing of ours: "update --fresh" .*"import upptime"\n$/;

/** Files of a repository in which Upptime monitored a shop and a blog, of which only the shop is configured. */
function upptimeFiles(url: string): Record<string, string> {
  const record = (address: string, generator = true) =>
    `url: ${address}\nstatus: down\ncode: 0\nresponseTime: 81\nlastUpdated: 2023-08-08T23:03:29.660Z\n` +
    // Early versions wrote times that no parser of ISO 8601 reads.
    `startTime: ${
      generator ? "2022-04-11T07:37:56.000Z" : "Mon Apr 11 2022 07:37:56 GMT+0000 (UTC)"
    }\n` +
    (generator ? "generator: Upptime <https://github.com/upptime/upptime>\n" : "");
  const badge = `{"schemaVersion":1,"label":"response time","message":"81 ms","color":"green"}`;
  const entry = (slug: string) => ({
    name: slug,
    url,
    slug,
    status: "up",
    uptime: "99.12%",
    uptimeDay: "1.00%",
  });
  return {
    ".upptimerc.yml": configText({ Shop: url }),
    "README.md": "# Status\n\n<!--start: status pages-->\nold\n<!--end: status pages-->\n",
    "history/shop.yml": record(url),
    "history/blog.yml": record("https://blog.example", false),
    "history/summary.json": JSON.stringify([entry("shop"), entry("blog")], null, 2),
    "history/LICENSE": "theirs\n",
    "api/shop/uptime.json": badge,
    "api/blog/response-time.json": badge,
    "api/blog/uptime-day.json": badge,
    "graphs/blog/response-time.png": "a picture",
  };
}

async function contentsOf(folder: string): Promise<Map<string, string>> {
  const names = (await git(folder, "ls-files", "-z")).split("\0").filter((name) => name !== "");
  return new Map(
    await Promise.all(names.map(async (name): Promise<[string, string]> => [
      name,
      [...await Deno.readFile(join(folder, name))].join(),
    ])),
  );
}

async function makeFolders(folder: string, files: Record<string, string>): Promise<void> {
  for (const path of Object.keys(files)) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
  }
}

Deno.test("every command that writes stops in a repository that holds Upptime's history alone, and changes nothing", async () => {
  await using scratch = await makeScratch();
  let requests = 0;
  await using site = httpServer(() => new Response(`${++requests}`));
  const files = upptimeFiles(site.url);
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const before = [await tip(folder), await contentsOf(folder)];
  for (const command of [...WRITING, "update-template", "incidents"]) {
    const { code, stdout, stderr } = await runTask(command, { folder });
    assertEquals([command, code, stdout], [command, 2, ""]);
    assertMatch(stderr, REFUSAL);
  }
  assertEquals([await status(folder), await tip(folder), await contentsOf(folder)], [
    "",
    ...before,
  ]);
  assertEquals(requests, 0);
});

Deno.test("a fresh start keeps every file of Upptime but those of the configured sites' own records", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const files = upptimeFiles(site.url);
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const before = await contentsOf(folder);
  const first = await runTask("update", { folder, args: ["--fresh"] });
  assertEquals([first.code, first.stderr], [0, ""]);
  for (const command of WRITING.slice(1)) {
    assertEquals([command, (await runTask(command, { folder })).code], [command, 0]);
  }
  const after = await contentsOf(folder);
  const changed = [...before].filter(([path, text]) => after.get(path) !== text).map(([path]) =>
    path
  );
  assertEquals(changed.sort(), [
    "README.md",
    "api/shop/uptime.json",
    "history/shop.yml",
    "history/summary.json",
  ]);
  const record = await Deno.readTextFile(join(folder, "history/shop.yml"));
  assert(!record.includes("2022-04-11"), record);
  assert(!(await Deno.readTextFile(join(folder, "history/summary.json"))).includes("99.12%"));
  assertEquals(
    await Array.fromAsync(Deno.readDir(join(folder, "history/incidents"))).catch(() => []),
    [],
  );
});

Deno.test("init in a repository of Upptime names the fresh start instead of the jobs", async () => {
  await using scratch = await makeScratch();
  const files = upptimeFiles("https://example.com");
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const { code, stdout } = await runTask("init", { folder });
  assertEquals(code, 0);
  assert(stdout.includes("update --fresh"), stdout);
  assert(!stdout.includes("does the rest"), stdout);
});
