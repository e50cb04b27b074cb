import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { namesIn } from "../helpers/names_in.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, pathsAt, status, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";

const WINDOWS = ["-day", "-month", "-week", "-year", ""];

function graphsOf(slug: string, ends: readonly string[]): string[] {
  return WINDOWS.flatMap((window) =>
    ends.map((end) => `graphs/${slug}/response-time${window}${end}`)
  )
    .sort();
}

Deno.test("five graphs of each site are drawn for light and dark pages before any check, and published as one commit", async () => {
  await using scratch = await makeScratch();
  const config = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:1" });
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  const before = await tip(remote, "main");
  const ended = await runTask("graphs", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  assertStringIncludes(
    ended.stdout,
    "Drew 20 graphs: 20 changed. Published: monitor-graphs at origin.",
  );
  const all = [
    ...graphsOf("forum", [".png", "-dark.png"]),
    ...graphsOf("shop", [".png", "-dark.png"]),
  ];
  assertEquals(await pathsAt(remote, "monitor-graphs"), all);
  assertEquals(await git(remote, "rev-list", "--count", "monitor-graphs"), "1");
  assertEquals([await tip(remote, "main"), await status(folder)], [before, ""]);
  const [first] = graphsOf("shop", [".png"]);
  const bytes = await Deno.readFile(join(folder, first!));
  assertEquals([...bytes.subarray(16, 24)], [0, 0, 2, 88, 0, 0, 1, 144]);
});

Deno.test("graphs stand beside everything else with branch: same, as SVG too, and in one theme where asked for", async () => {
  await using scratch = await makeScratch();
  const config = configText(
    { Shop: "http://127.0.0.1:1" },
    "graphs: { branch: same, svg: true, dark: false }\n",
  );
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const to = Temporal.Now.instant();
  await writeHistory(folder, [{ slug: "shop" }], { from: to.subtract({ hours: 3 }), to });
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  await git(folder, "push", "--quiet");
  const ended = await runTask("graphs", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  const committed = (await pathsAt(remote, "main")).filter((path) => path.startsWith("graphs/"));
  assertEquals(committed, graphsOf("shop", [".png", ".svg"]));
  assertEquals(await status(folder), "");
  const svg = await Deno.readTextFile(join(folder, "graphs/shop/response-time-day.svg"));
  assertStringIncludes(svg, "Shop");
});

Deno.test("without git the pictures are the result; a dry run draws and writes none", async () => {
  await using scratch = await makeScratch();
  await Deno.writeTextFile(
    join(scratch.path, ".monitorrc.yml"),
    configText({ Shop: "http://127.0.0.1:1" }),
  );
  const folder = scratch.path;
  const planned = await runTask("graphs", { folder, args: ["--dry-run"] });
  assertEquals([planned.code, await namesIn(folder)], [0, [".monitorrc.yml"]], planned.stderr);
  assertStringIncludes(planned.stdout, "graphs/shop/response-time-day-dark.png (");
  const ended = await runTask("graphs", { folder });
  assertEquals([ended.code, await namesIn(join(folder, "graphs"))], [0, ["shop"]], ended.stderr);
  assertEquals((await namesIn(join(folder, "graphs", "shop"))).length, 10);
});
