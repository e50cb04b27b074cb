import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { textWidth } from "../../lib/text/columns.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { namesIn } from "../helpers/names_in.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { thoroughly } from "../helpers/thorough.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = `slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "日本 | <b>", slug: ja, url: $ADDRESS, group: Far }
  - { name: New, url: https://new.example.com }
`;

/** Writes a history of two days up to now in which the shop is down since two hours, and returns now. */
async function writeTwoDays(folder: string): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(folder, [
    { slug: "shop", outages: [{ from: ago(125), error: "connection refused", issue: 12 }] },
    { slug: "ja" },
  ], { from: ago(2880), to: ago(5) });
  return now;
}

Deno.test("status shows how the sites are, one of them closely, and all of it as data", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await writeTwoDays(scratch.path);
  const { code, stdout, stderr } = await runTask("status", { folder: scratch.path });
  assertEquals([code, stderr], [0, ""]);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) assert(textWidth(line) <= 100, line);
  assertMatch(stdout, /^✘ Shop +down 2h \dm .* 91\.\d\d%.* over .*×{2}$/m);
  assertMatch(stdout, /^Far\n✔ 日本 \| <b> {2}up 2d .*100%/m);
  assertMatch(stdout, /^\? New +no data/m);
  assertMatch(lines.at(-1)!, /^1 of 3 sites is down, 1 has no data yet; last checked .*UTC\.$/);

  const one = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertEquals([one.code, one.stderr], [0, ""]);
  assertMatch(
    one.stdout,
    /^Shop {2}http {2}https:\/\/shop\.example\.com\n\n✘ down for 2 hours, \d minutes/,
  );
  assertMatch(one.stdout, /down {6}2h \dm so far +#12 connection refused\n$/);
  const hidden = await runTask("status", { folder: scratch.path, args: ["ja", "--json"] });
  const { sites } = JSON.parse(hidden.stdout);
  assertEquals([sites.length, sites[0].name, sites[0].address], [1, "日本 | <b>", null]);
  const shop =
    JSON.parse((await runTask("status", { folder: scratch.path, args: ["--json"] })).stdout)
      .sites[0];
  assertEquals([shop.state, shop.incident.issue, shop.windows.day.objective.met], [
    "down",
    12,
    false,
  ]);
  assertEquals(await namesIn(scratch.path), [".monitorrc.yml", "history"]);
});

Deno.test("status works before any data, and says what to do about a wrong name or configuration", async () => {
  await using scratch = await makeScratch();
  const run = (...args: string[]) => runTask("status", { folder: scratch.path, args });
  const none = await run();
  assertEquals([none.code, none.stdout], [2, ""]);
  assertMatch(none.stderr, /^error: Cannot find \.monitorrc\.yml in /);
  await scratch.write(".monitorrc.yml", CONFIG);
  const { code, stdout } = await run();
  assertEquals(code, 0);
  assertMatch(stdout, /\nNo data yet for 3 sites: the command update makes the first checks\.\n$/);
  assert(!/\d%/.test(stdout.replaceAll("99.9%", "")), stdout);
  const wrong = await run("shp");
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertMatch(
    wrong.stderr,
    /^error: Cannot find a site "shp": did you mean "Shop"\? the sites are /m,
  );
  const folder = folderWorkspace(scratch.path);
  await folder.write("history/incidents/2026-11-21-shop.yml", "slug: [\n");
  const torn = "history/incidents/2026-11-21-shop.yml can't be read";
  assertStringIncludes((await run()).stderr, `warning: ${torn}, so what it tells of is left out`);
  await scratch.write(".monitorrc.yml", "sites: []\n");
  assertStringIncludes((await run()).stdout, "There is nothing to monitor");
  await scratch.write(".monitorrc.yml", "sites: [\n");
  assertEquals((await run()).code, 2);
});

thoroughly(
  "status takes what is known from a clone of one commit, and without its remote",
  async () => {
    await using scratch = await makeScratch();
    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": CONFIG });
    const first = await cloneRemote(remote, join(scratch.path, "first"));
    await writeTwoDays(first);
    await git(first, "add", "--all");
    await git(first, "commit", "--quiet", "--message", "Keep");
    await git(first, "push", "--quiet", "origin", "main");
    const clone = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
    const refs = await git(clone, "for-each-ref");
    const online = await runTask("status", { folder: clone });
    assertEquals([online.code, online.stderr], [0, ""]);
    assertMatch(online.stdout, /^✘ Shop +down 2h/m);
    await Deno.rename(remote, `${remote}.gone`);
    const offline = await runTask("status", { folder: clone });
    assertEquals(offline.code, 0);
    assertMatch(offline.stderr, /^warning: .*; going on from what is known here\n$/);
    assertMatch(offline.stdout, /^✘ Shop +down 2h/m);
    assertEquals(await git(clone, "for-each-ref"), refs);
    assertEquals(await git(clone, "status", "--porcelain"), "");
  },
);

Deno.test("status and report show what the folder holds where no branch is checked out, and response-time refuses", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": CONFIG });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  await writeTwoDays(folder);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  await git(folder, "checkout", "--quiet", "--detach");
  for (const [task, shown] of [["status", "✘ Shop"], ["report", "# Uptime in"]] as const) {
    const ended = await runTask(task, { folder });
    assertEquals([ended.code, ended.stdout.includes(shown)], [0, true], ended.stderr);
    assertStringIncludes(ended.stderr, "no branch is checked out (HEAD is detached)");
  }
  const ended = await runTask("response-time", { folder });
  assertEquals([ended.code, await git(folder, "status", "--porcelain")], [1, ""]);
});
