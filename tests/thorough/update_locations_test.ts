import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseResults } from "../../lib/history/location_results.ts";
import { LOCATION_REFS } from "../../lib/git/remote.ts";
import { joinFirst } from "../../lib/text/words.ts";
import { locationRig, LOCATIONS } from "../helpers/location_rig.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  EVERY_RUN,
  incidentsAt,
  remoteAndClone,
  rowsAt,
  tip,
} from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("results of jobs and of a self-hosted location become one decision, one incident, and each row once", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch);
  await it.probe("virginia", 200, "results");
  await it.probe("Frankfurt", 503, "results/results-mine.json");
  const sent = await it.probe("sao-paulo", 503);
  assertStringIncludes(sent, `Sent the results of 1 site to ${LOCATION_REFS}sao-paulo at origin`);
  const said = await it.update("--results", "results");
  const error = "down in Frankfurt and São Paulo (up in Virginia)";
  assertStringIncludes(said, error);
  assertEquals(await it.rows(), [
    ["", "down"],
    ["Virginia", "up"],
    ["Frankfurt", "down"],
    ["São Paulo", "down"],
  ]);
  const [incident] = await incidentsAt(it.folder);
  assertStringIncludes(incident!.error, error);

  // The next run of the workflow has results of its own, and the same ones of São Paulo.
  await Deno.remove(join(it.folder, "results"), { recursive: true });
  await it.probe("virginia", 503, "results");
  await it.probe("frankfurt", 503, "results");
  await it.update("--results", "results");
  assertEquals((await it.rows()).slice(4), [
    ["", "down"],
    ["Virginia", "down"],
    ["Frankfurt", "down"],
  ]);
  assertEquals((await incidentsAt(it.folder)).length, 1);
});

Deno.test("a location that sends nothing is named once, and never makes a site down", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch);
  await it.probe("virginia", 200, "results");
  await it.probe("frankfurt", 503, "results");
  const degraded = await it.update("--results", "results");
  assertStringIncludes(
    degraded,
    "down in Frankfurt (up in Virginia; no result from São Paulo)",
  );
  assertStringIncludes(degraded, "São Paulo: it has sent nothing (Shop)");
  // Nor does one whose ref was made to point to something else.
  const blob = await git(it.remote, "rev-parse", "main:.monitorrc.yml");
  await git(it.remote, "update-ref", `${LOCATION_REFS}sao-paulo`, blob);
  assertStringIncludes(await it.update("--results", "results"), "São Paulo: it has sent nothing");
  const virginia = join(it.folder, "results", "results-virginia-1-of-1.json");
  const lacking = (await Deno.readTextFile(virginia))
    .replace('"state":"up"', '"state":"unknown","error":"the secret KEY is missing"');
  await Deno.writeTextFile(virginia, lacking);
  const unknown = await runTask("update", { folder: it.folder, args: ["--results", "results"] });
  assertEquals(unknown.code, 2); // Nothing is monitored.
  assertStringIncludes(
    unknown.stdout + unknown.stderr,
    "only 1 of 3 locations has a result, 2 are needed",
  );
  assertStringIncludes(
    unknown.stdout + unknown.stderr,
    "Virginia: the secret KEY is missing (Shop)",
  );
  await Deno.writeTextFile(join(it.folder, "results", "results-virginia-1-of-1.json"), "{");
  const broken = await runTask("update", { folder: it.folder, args: ["--results", "results"] });
  assertStringIncludes(broken.stdout + broken.stderr, "results-virginia-1-of-1.json can't be read");
});

Deno.test("the only hosted location is that of update itself, and a location's ref has one commit", async () => {
  await using scratch = await makeScratch();
  const top = LOCATIONS.replace(/.*Frankfurt.*\n/, "");
  await using it = await locationRig(scratch, { top, site: ", quorum: 1" });
  await it.probe("sao-paulo", 200);
  await it.probe("sao-paulo", 503);
  assertEquals(await git(it.remote, "rev-list", "--count", `${LOCATION_REFS}sao-paulo`), "1");
  assertStringIncludes(await it.update("--dry-run"), "down in Virginia and São Paulo");
  assertEquals(await git(it.folder, "for-each-ref", "refs/monitor"), "");
  const { stdout } = await runTask("update", { folder: it.folder, args: ["--json"] });
  const { sites: [shop] } = JSON.parse(stdout);
  assertStringIncludes(shop.error, "down in Virginia and São Paulo");
  assertEquals(
    shop.locations.map(({ name, state, code }: Record<string, unknown>) => [name, state, code]),
    [["Virginia", "down", 503], ["São Paulo", "down", 503]],
  );
  // A clone that lacks history can send as well.
  const shallow = await cloneRemote(it.remote, join(scratch.path, "shallow"), "--depth=1");
  const before = await tip(it.remote, `${LOCATION_REFS}sao-paulo`);
  const { code } = await runTask("probe", { folder: shallow, args: ["--location", "sao-paulo"] });
  assertEquals(code, 0);
  assert(before !== await tip(it.remote, `${LOCATION_REFS}sao-paulo`));
});

Deno.test("an outage stays open if its site gains or loses locations", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch, { top: "" });
  it.see(503);
  const file = join(it.folder, ".monitorrc.yml");
  const alone = await Deno.readTextFile(file);
  await it.update();
  const two = LOCATIONS.replace(/.*Frankfurt.*\n/, "");
  await Deno.writeTextFile(file, two + alone);
  await it.probe("sao-paulo", 503);
  assertStringIncludes(await it.update(), "down in Virginia and São Paulo");
  await Deno.writeTextFile(file, alone);
  await it.update();
  assertEquals(await it.rows(), [
    ["", "down"],
    ["", "down"],
    ["Virginia", "down"],
    ["São Paulo", "down"],
    ["", "down"],
  ]);
  const [incident, ...others] = await incidentsAt(it.folder);
  assertEquals([incident!.reasons, incident!.end, others], [[], undefined, []]);
});

Deno.test("watch checks as a location, and combines what others have sent", async () => {
  await using scratch = await makeScratch();
  await using it = await locationRig(scratch);
  await it.probe("sao-paulo", 503);
  const folder = it.folder;
  const watch = (location: string) =>
    runTask("watch", { folder, args: ["--once", "--location", location] });
  const { stdout, stderr } = await watch("Frankfurt");
  assertStringIncludes(
    stdout + stderr,
    "down in Frankfurt and São Paulo (no result from Virginia)",
  );
  const refused = await watch("Rome");
  assertEquals(refused.code, 2);
  assertStringIncludes(refused.stderr, 'Cannot find a location "Rome"');
});

Deno.test("sites without locations are divided into shards, and a missing shard leaves its sites unknown", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  const names = ["Shop", "Blog", "Docs", "Mail", "News", "Wiki"];
  const sites = names.map((name) => `  - { name: ${name}, url: "${server.url}" }\n`).join("");
  const { folder } = await remoteAndClone(
    scratch,
    `canaries: []\n${EVERY_RUN}shards: 2\nsites:\n${sites}`,
  );
  const probe = async (shard: string) => {
    const args = ["--shard", shard, "--results", "results"];
    assertEquals((await runTask("probe", { folder, args })).code, 0);
    const name = `results-all-${shard.replace("/", "-of-")}.json`;
    return parseResults(await Deno.readTextFile(join(folder, "results", name)))!.results
      .map(({ slug }) => slug);
  };
  const parts = [await probe("1/2"), await probe("2/2")];
  assertEquals(parts.flat().sort(), names.map((name) => name.toLowerCase()).sort());
  const update = () => runTask("update", { folder, args: ["--results", "results"] });
  assertEquals((await update()).code, 0);
  assertEquals((await rowsAt(folder)).map(({ state }) => state), names.map(() => "up"));
  await Deno.remove(join(folder, "results", "results-all-2-of-2.json"));
  const { stdout, stderr } = await update();
  const lost = names.filter((name) => parts[1]!.includes(name.toLowerCase()));
  assertStringIncludes(
    stdout + stderr,
    `shard 2 of 2 left no results (${joinFirst(lost, 3)})`,
  );
  const unknown = (await rowsAt(folder)).slice(names.length)
    .filter(({ state }) => state === "unknown").map(({ slug }) => slug);
  assertEquals(unknown.sort(), parts[1]!.sort());
});

Deno.test("update reads results by any name, in a folder or a single file, and names those that it can't use", async () => {
  await using scratch = await makeScratch();
  await using site = await locationRig(scratch, { site: ", quorum: 1" });
  await site.probe("Virginia", 200, "results/one.json");
  await site.probe("Frankfurt", 200, "results/two.json");
  await scratch.write("clone/results/package.json", "{}");
  const both = await site.update("--results", "results");
  assertStringIncludes(both, "Shop up");
  assert(!both.includes("can't be read") && !both.includes("attempts"), both);
  const args = ["--location", "Virginia", "--results", "results/one.json", "--json"];
  const { stdout } = await runTask("probe", { folder: site.folder, args });
  const written = await Deno.readTextFile(join(site.folder, "results", "one.json"));
  assertEquals(JSON.parse(stdout), JSON.parse(written));
  const one = await site.update("--results", "results/two.json");
  assertStringIncludes(one, "Virginia: its job left no results");
  assert(!one.includes("Frankfurt"), one);
  const path = join(site.folder, "results", "two.json");
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replace('"frankfurt"', '"rome"'));
  assertStringIncludes(
    await site.update("--results", "results"),
    `The results in ${path} are of rome, which is no configured location, and are not used`,
  );
  await Deno.rename(path, join(site.folder, "results", "results-two.json"));
  await Deno.writeTextFile(join(site.folder, "results", "results-two.json"), text.slice(0, 100));
  const cut = await site.update("--results", "results");
  assertStringIncludes(
    cut,
    `The results in ${
      join(site.folder, "results", "results-two.json")
    } can't be read and are not used`,
  );
});

Deno.test("probe refuses what it can't do, with the cure", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    `${LOCATIONS}  - { name: Oslo, globalping: Oslo }\nsites: [{ name: A, url: "http://127.0.0.1:1" }]\n`,
  );
  const says = async (...args: string[]) => {
    const { code, stderr } = await runTask("probe", { folder: scratch.path, args });
    assertEquals(code === 0, false);
    return stderr.trim();
  };
  assertStringIncludes(
    await says("--location", "Frankfrt"),
    'Cannot find a location "Frankfrt": did you mean "Frankfurt"?',
  );
  assertStringIncludes(await says("--location", "Oslo"), "it has no runner");
  assertStringIncludes(await says(), "no --location is given");
  assertStringIncludes(await says("--shard", "3/2", "--results", "x"), "such as 2/10");
});
