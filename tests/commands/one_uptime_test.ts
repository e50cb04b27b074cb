import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = `graphs: { svg: true }
status-website: { name: Acme status }
sites:
  - { name: Shop, url: https://shop.example.com, maxResponseTime: 500 }
`;

Deno.test("an uptime has one value in badges, statistics, summary, graphs, README, page and status, however late each is made", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await scratch.write(
    "README.md",
    "<!-- monitor:summary:start -->\n<!-- monitor:summary:end -->\n",
  );
  // The last check is 25 minutes old and found an outage: each minute in which it counted on would change the day's uptime.
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(scratch.path, [{ slug: "shop", outages: [{ from: ago(125) }] }], {
    from: ago(10 * 1440),
    to: ago(25),
  });
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""], stdout);
    return stdout;
  };
  // 100 minutes and a second of a day, 1 - 6001 / 86400; of a week 1 - 6001 / 604800.
  const [day, week] = ["93.05%", "99.01%"];
  for (const task of ["site", "response-time", "graphs", "readme"]) {
    await run(task, ...task === "readme" ? ["--add-markers"] : []);
  }
  const read = (path: string) => scratch.read(path);
  const badge = async (window: string) =>
    JSON.parse(await read(`api/shop/uptime-${window}.json`)).message;
  assertEquals([await badge("day"), await badge("week")], [day, week]);
  const { windows } = JSON.parse(await read("api/shop/statistics.json"));
  assertEquals([windows.day.uptime, windows.day.down], [0.930544, 6001]);
  const [summary] = JSON.parse(await read("history/summary.json"));
  assertEquals([summary.uptimeDay, summary.uptimeWeek], [day, week]);
  assertStringIncludes(await read("graphs/shop/response-time-day.svg"), day);
  const readme = await read("README.md");
  assert(readme.includes(day) && readme.includes(week), readme);
  const page = await read("site/status-page/export/index.html");
  assert(page.includes(day) && page.includes(week));
  const { sites } = JSON.parse(await run("status", "--json"));
  assertEquals([sites[0].windows.day.uptime, sites[0].windows.day.down], [0.930544, 6001]);
  assertStringIncludes(await run("status"), day);
});
