import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { commitFile, makeRepository, tip } from "../helpers/repositories.ts";
import {
  clone,
  cloned,
  CONFIG,
  contentsOf,
  makeFolders,
  readme,
  SHOP_CONFIG,
  upptimeFiles,
  UPTIME,
  WRITING,
} from "../helpers/repository_rig.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("the program's own version is used if GitHub shows no releases", async () => {
  await using scratch = await makeScratch();
  await using api = httpServer(() => new Response("{}", { status: 404 }));
  const { run } = await cloned(scratch);
  const env = { GITHUB_API_URL: api.url.replace(/\/$/, ""), HOST_PAT: "t0ken" };
  const { code, stdout, stderr } = await run([], env);
  assertEquals([code, stderr], [0, ""]);
  assertMatch(stdout, /^Workflows at monitor-action\/monitor-action@v1\.41\.0: 6 files written/m);
});

Deno.test("update-template writes files outside of a git repository", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const { code } = await runTask("update-template", { folder: scratch.path });
  assert((await scratch.read(UPTIME)).includes("name: Uptime CI"));
  assertEquals(code, 0);
});

Deno.test("the README of the monitored folder is filled, not the one in .github; graphs beside everything are linked", async () => {
  await using scratch = await makeScratch();
  const markers = "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n";
  const folder = await clone(scratch, { "README.md": markers });
  await Deno.mkdir(join(folder, ".github"));
  await commitFile(folder, ".monitorrc.yml", `graphs: { branch: same }\n${SHOP_CONFIG}`);
  await commitFile(folder, ".github/README.md", markers);
  await git(folder, "push", "--quiet");
  const { code, stdout, stderr } = await readme(folder);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "in README.md written");
  const text = await Deno.readTextFile(join(folder, "README.md"));
  assertStringIncludes(text, 'src="graphs/shop/response-time-sparkline.svg"');
  assertStringIncludes(text, "(history/shop.yml)");
  assertEquals(await Deno.readTextFile(join(folder, ".github", "README.md")), markers);
});

Deno.test("no secret is in a README, whatever it is in", async () => {
  await using scratch = await makeScratch();
  const secrets = { KEY: "s3cret-value", ADDRESS: "https://hidden.acme.example" };
  await scratch.write(
    ".monitorrc.yml",
    `i18n: { status: "State s3cret-value" }
sites:
  - { name: Hidden, url: $ADDRESS }
  - { name: Shop s3cret-value, slug: shop, group: s3cret-value, url: "https://example.com/?key=$KEY" }
`,
  );
  await scratch.write("README.md", "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");
  const ended = await readme(scratch.path, [], { SECRETS_CONTEXT: JSON.stringify(secrets) });
  assertEquals(ended.code, 0, ended.stderr);
  const text = await Deno.readTextFile(join(scratch.path, "README.md"));
  assertStringIncludes(text, "Shop \\*\\*\\*");
  for (const secret of Object.values(secrets)) assert(!text.includes(secret), text);
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

Deno.test("a README that is a symbolic link stays one", async () => {
  await using scratch = await makeScratch();
  const folder = await clone(scratch, { "acme.md": "# Acme\n" });
  await Deno.symlink("acme.md", join(folder, "README.md"));
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Link");
  const before = await tip(folder);
  const { code, stderr } = await readme(folder, ["--add-markers"]);
  assertEquals([code, await tip(folder)], [2, before]);
  assertStringIncludes(stderr, "README.md is not committed as a regular file");
});

Deno.test("init in a repository that was Upptime's names the import instead of the jobs", async () => {
  await using scratch = await makeScratch();
  const files = upptimeFiles("https://example.com");
  const folder = join(scratch.path, "status");
  await makeFolders(folder, files);
  await makeRepository(folder, files);
  const { code, stdout } = await runTask("init", { folder });
  assertEquals(code, 0);
  assertMatch(stdout, /^This is an Upptime repository, with the history of \d sites?;/);
  assert(stdout.includes("monitor import upptime"), stdout);
  await Deno.rename(join(folder, ".upptimerc.yml"), join(folder, ".monitorrc.yml"));
  const moved = await runTask("init", { folder });
  assertEquals(moved.code, 0);
  assert(moved.stdout.includes("monitor import upptime"), moved.stdout);
  assert(!moved.stdout.includes("does the rest"), moved.stdout);
});
