import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { incidentPath } from "../../lib/history/incident.ts";
import { keptFiles } from "../helpers/kept_files.ts";
import { runTask } from "../helpers/program.ts";
import { configText } from "../helpers/repositories.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { NOWHERE } from "../helpers/site_rig.ts";
import { writeHistory } from "../helpers/written_history.ts";

const TO = Temporal.Now.instant().round({ smallestUnit: "minute", roundingMode: "floor" });
const FROM = TO.subtract({ hours: 5 });
const minutesAgo = (minutes: number) => TO.subtract({ minutes }).toString();

const MAINTENANCE = `maintenance:
  - { name: Backup, cron: "0 3 * * *", duration: 1h, sites: [Shop] }
  - { name: Move, start: "${TO.add({ hours: 50 })}", duration: 1h, sites: [Shop] }
`;

/** A folder without git in which a shop was down half an hour ago. */
async function makeFolder(scratch: Scratch, name: string, top = MAINTENANCE): Promise<string> {
  const folder = join(scratch.path, name);
  await Deno.mkdir(folder);
  await configure(folder, top);
  const outages = [{ from: TO.subtract({ minutes: 50 }), to: TO.subtract({ minutes: 30 }) }];
  await writeHistory(folder, [{ slug: "shop", outages }, { slug: "forum" }], {
    from: FROM,
    to: TO,
  });
  return folder;
}

async function configure(folder: string, top: string): Promise<void> {
  const page = "status-website: { cname: status.example, name: Acme }\n";
  const text = configText({ Shop: NOWHERE, Forum: NOWHERE }, page + top);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), text);
}

async function writeNotice(
  folder: string,
  updates: Readonly<Record<string, string>>,
): Promise<void> {
  const path = join(folder, incidentPath("notice"));
  const lines = Object.entries(updates).map(([at, text]) => `  - { at: '${at}', text: ${text} }\n`);
  await Deno.mkdir(dirname(path), { recursive: true });
  const kind = `kind: manual\nname: Slow\nissue: 7\nsites: [shop]\nstart: ${minutesAgo(60)}\n`;
  await Deno.writeTextFile(path, `${kind}updates:\n${lines.join("")}`);
}

async function build(folder: string): Promise<(path: string) => string> {
  const { code, stderr } = await runTask("site", { folder });
  assertEquals(code, 0, stderr);
  const files = await keptFiles(join(folder, "site/status-page/export"));
  return (path) => files.get(path)?.text ?? "";
}

function listItems(rss: string): string[] {
  return [...rss.matchAll(/<item>.*?<\/item>/gs)].map(([item]) => item);
}

Deno.test("two builds from the same data have the same feeds, also on another machine", async () => {
  await using scratch = await makeScratch();
  const [one, other] = [await makeFolder(scratch, "one"), join(scratch.path, "other")];
  await Deno.mkdir(other);
  for (const [path, { text }] of await keptFiles(one)) {
    await Deno.mkdir(dirname(join(other, path)), { recursive: true });
    await Deno.writeTextFile(join(other, path), text);
  }
  const pick = async (folder: string) => {
    await build(folder);
    const files = await keptFiles(join(folder, "site/status-page/export"));
    const own = [...files].filter(([path]) =>
      /(?:feed|rss)\.|feed-state|\.ics$|^api\/v2\//.test(path)
    );
    return Object.fromEntries(own.map(([path, { text }]) => [path, text]));
  };
  const first = await pick(one);
  assert(Object.keys(first).length > 20);
  assertEquals(await pick(one), first);
  assertEquals(await pick(other), first);
});

Deno.test("an item of RSS stays as it was published; a comment that is read late is dated after it", async () => {
  await using scratch = await makeScratch();
  const folder = await makeFolder(scratch, "status");
  await writeNotice(folder, { [minutesAgo(55)]: "A cable" });
  const before = listItems((await build(folder))("rss.xml"));
  assertEquals(before.map((item) => /<title>(.*?)</.exec(item)?.[1]), [
    "Move: Scheduled",
    "Shop is operational",
    "Shop is down",
    "Slow: Update",
    "Slow",
  ]);
  await writeNotice(folder, { [minutesAgo(55)]: "A fuse", [minutesAgo(54)]: "Read late" });
  const read = await build(folder);
  const [late, ...others] = listItems(read("rss.xml"));
  assertEquals(others, before);
  assertStringIncludes(late!, "Read late");
  const dates = [late!, before[0]!].map((item) => Date.parse(/<pubDate>(.*?)</.exec(item)![1]!));
  assert(dates[0]! > dates[1]!);
  assertStringIncludes(read("feed.xml"), "A fuse");
});

Deno.test("maintenance that the configuration drops before its start is canceled in the calendar, and its own file goes", async () => {
  await using scratch = await makeScratch();
  const folder = await makeFolder(scratch, "status");
  const before = await build(folder);
  const events = (calendar: string) => calendar.split("BEGIN:VEVENT").slice(1);
  const listed = events(before("maintenance.ics"));
  // 90 days of the backup, and the move.
  assert(listed.length >= 90, `${listed.length}`);
  const [move] = listed.filter((event) => event.includes("SUMMARY:Move"));
  assertStringIncludes(move!, "STATUS:CONFIRMED");
  const uid = /UID:.*?(?=\r\nDTSTAMP)/s.exec(move!)![0];
  assert(!before("feed.xml").includes("Backup"));
  const [day] = TO.add({ hours: 50 }).toString().split("T");
  assertStringIncludes(before(`maintenance/${day}-maintenance-move.ics`), "SUMMARY:Move");

  await configure(folder, MAINTENANCE.replace(/.*Move.*\n/, ""));
  const after = await build(folder);
  const gone = events(after("maintenance.ics")).filter((event) => event.includes("CANCELLED"));
  assertEquals(gone.length, 1);
  assertStringIncludes(gone[0]!, `${uid}\r\n`);
  assertStringIncludes(gone[0]!, "SEQUENCE:1\r\n");
  assert(!gone[0]!.includes("Move"));
  assertEquals(after(`maintenance/${day}-maintenance-move.ics`), "");
});
