import { assert, assertEquals, assertMatch } from "@std/assert";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";
import { formatTime } from "../../lib/time.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = `status-website: { name: Acme status }
sites:
  - { name: Shop, url: https://shop.example.com }
`;

/** What each place that shows the site says of its state. */
async function shown(scratch: Scratch) {
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""], stdout);
    return stdout;
  };
  const [summary] = JSON.parse(await scratch.read("history/summary.json"));
  const badge = await scratch.read("api/shop/badge-status.svg");
  const { sites: [site] } = JSON.parse(await run("status", "--json"));
  await run("readme", "--add-markers");
  await run("site");
  const page = await scratch.read("site/status-page/export/index.html");
  const readme = await scratch.read("README.md");
  return {
    summary: summary.state,
    badge: /<title>status: ([^<]*)/.exec(badge)?.[1],
    status: site.state,
    lastChecked: site.lastChecked,
    readme: /🔧|🟩/u.exec(readme)?.[0],
    page: /data-slug="shop"[\s\S]*?class="state (\w+)"/.exec(page)?.[1],
    headline: /class="hero (\w+)"/.exec(page)?.[1],
    checkedOnPage: page.includes(`datetime="${site.lastChecked}"`),
  };
}

Deno.test("maintenance that somebody starts or ends is shown everywhere at once, and its checks count as checks", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await scratch.write("README.md", "# Acme\n");
  const now = Temporal.Now.instant().round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const to = now.subtract({ minutes: 20 });
  await writeHistory(scratch.path, [{ slug: "shop" }], { from: now.subtract({ hours: 30 }), to });
  const run = async (task: string, ...args: string[]) => {
    const { code, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""]);
  };
  await run("response-time");
  const inMaintenance = {
    summary: "maintenance",
    badge: "maintenance",
    status: "maintenance",
    page: "maintenance",
    headline: "maintenance",
    checkedOnPage: true,
  };
  const up = {
    summary: "up",
    badge: "up",
    status: "up",
    page: "up",
    headline: "up",
    checkedOnPage: true,
  };
  const { readme: before, ...first } = await shown(scratch);
  assertEquals(first, { ...up, lastChecked: formatTime(to) });

  await run("maintenance", "start", "shop", "--for", "1h");
  const { readme: during, ...started } = await shown(scratch);
  assertEquals(started, { ...inMaintenance, lastChecked: formatTime(to) });
  assertEquals([before, during], ["🟩", "🔧"]);

  // A run in the window writes a row and leaves the record alone.
  const time = Temporal.Now.instant().round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const path = checksPath(time);
  const log = await scratch.read(path).catch(() => undefined);
  const row = {
    time,
    run: "0badcafe",
    slug: "shop",
    state: "maintenance",
    code: 200,
    ms: 90,
    attempts: 1,
  } as const;
  await scratch.write(path, appendRows(log, [row]));
  const { readme: _, ...checked } = await shown(scratch);
  assertEquals(checked, { ...inMaintenance, lastChecked: formatTime(time) });
  const { stdout } = await runTask("status", { folder: scratch.path });
  assertMatch(stdout, new RegExp(`last checked ${time.toString().slice(11, 16)} UTC`));
  await run("response-time");
  const [{ lastUpdated }] = JSON.parse(await scratch.read("history/summary.json"));
  assertEquals(lastUpdated, formatTime(time));

  await run("maintenance", "stop");
  const { readme: after, ...ended } = await shown(scratch);
  assertEquals(ended, { ...up, lastChecked: formatTime(time) });
  assert(after === "🟩");
});
