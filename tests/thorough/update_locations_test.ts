import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { LOCATION_REFS } from "../../lib/git/remote.ts";
import { locationRig, LOCATIONS } from "../helpers/location_rig.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, incidentsAt, tip } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

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
  // A ref that was made to point to something else holds no results.
  const blob = await git(site.remote, "rev-parse", "main:.monitorrc.yml");
  await git(site.remote, "update-ref", `${LOCATION_REFS}sao-paulo`, blob);
  const cut = await site.update("--results", "results");
  assertStringIncludes(cut, "São Paulo: it has sent nothing");
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
