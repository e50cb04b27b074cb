import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { elementsOf, wordsOf } from "../helpers/html.ts";
import { runTask } from "../helpers/program.ts";
import { configText } from "../helpers/repositories.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { NOWHERE } from "../helpers/site_rig.ts";
import { writeHistory } from "../helpers/written_history.ts";

/** A folder with checks every five minutes for some hours, without the last ones before two hours ago. */
async function checkedFolder(scratch: Scratch, hours: number, missing: number): Promise<string> {
  const folder = join(scratch.path, "status");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ Shop: NOWHERE }));
  const to = Temporal.Now.instant().subtract({ minutes: 2 });
  const end = to.subtract({ hours: 2 });
  const start = end.subtract({ hours: missing });
  const skips = (time: Temporal.Instant) =>
    Temporal.Instant.compare(start, time) < 0 && Temporal.Instant.compare(time, end) < 0;
  await writeHistory(folder, [{ slug: "shop", skips }], { from: to.subtract({ hours }), to });
  return folder;
}

async function readAbout(folder: string): Promise<string> {
  const { code, stderr } = await runTask("site", { folder });
  assertEquals(code, 0, stderr);
  const html = await Deno.readTextFile(join(folder, "site/status-page/export/about/index.html"));
  return wordsOf(elementsOf(html, "main")[0]!);
}

Deno.test("the doctor and the page show the same gaps between runs, from the repository's own history", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch, 50, 4);
  const { stdout } = await runTask("doctor", { folder });
  const text = stdout.replaceAll(/\s+/g, " ");
  assertMatch(text, /the last week had 55\d, usually 5 minutes apart \(median\), 9 of 10 at most/);
  assertMatch(text, /at worst 4 hours, 0\.18% of the gaps took more than 10 minutes/);
  assertStringIncludes(text, "driftAlarm: true reports long gaps");
  const about = await readAbout(folder);
  const [count] = /(?<=last week had )\d+/.exec(text)!;
  assertStringIncludes(
    about,
    `Checks ran ${count} times in the last 7 days. The median interval between runs was 5 min; 9 of 10 intervals were at most 5 min, and the longest was 4 hr.`,
  );
  assertStringIncludes(
    about,
    "<1% of the intervals were longer than 10 min, twice the planned interval",
  );
});

Deno.test("the doctor and the page say so if there are too few runs", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch, 3, 0);
  const { stdout } = await runTask("doctor", { folder });
  assertStringIncludes(stdout.replaceAll(/\s+/g, " "), "37, too few to say how regular they are");
  assertStringIncludes(
    await readAbout(folder),
    "Runs in the last 7 days: 37, too few to tell how regular they are.",
  );
});
