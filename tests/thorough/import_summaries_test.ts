import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { parseDays } from "../../lib/history/daily_log.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { makeUpptimeRepository, upptimeRecord } from "../helpers/upptime_repository.ts";

const SHOP = "https://shop.example.com";

/** Upptime's summary with the minutes of downtime of some days. */
function summary(dailyMinutesDown: Readonly<Record<string, number>>): string {
  const percents = ["uptime", "uptimeDay", "uptimeWeek", "uptimeMonth", "uptimeYear"];
  const times = ["time", "timeDay", "timeWeek", "timeMonth", "timeYear"];
  return JSON.stringify([{
    ...{ name: "Shop", url: SHOP, icon: "", slug: "shop", status: "up" },
    ...Object.fromEntries(percents.map((key) => [key, "99.90%"])),
    ...Object.fromEntries(times.map((key) => [key, 100])),
    dailyMinutesDown,
  }]);
}

Deno.test("without issues, outages with lost checks come from Upptime's summaries, but issues left open don't", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const folder = join(scratch.path, "status");
  const at = (day: number) => new Date(Date.UTC(2026, 2, day, 10)).toISOString();
  await makeUpptimeRepository(folder, [
    {
      at: at(1),
      files: { ".upptimerc.yml": `sites:\n  - name: Shop\n    url: ${SHOP}\n` },
    },
    ...Array.from({ length: 60 }, (_, index) => ({
      at: at(index + 1),
      files: {
        "history/shop.yml": upptimeRecord({
          ...{ url: SHOP, at: at(index + 1) },
          ...index === 3 ? { status: "down" as const, code: 0, ms: 0 } : {},
        }),
      },
    })),
    // An older summary contains days that the newest one lacks; the newest of all counts.
    {
      at: at(30),
      files: { "history/summary.json": summary({ "2026-03-08": 20, "2026-03-12": 5 }) },
    },
    { at: at(59), files: { "history/summary.json": summary({ "2026-03-12": 37 }) } },
    {
      at: at(60),
      files: {
        "history/summary.json": summary({
          ...{ "2026-03-12": 37, "2026-03-04": 50 },
          ...{ "2026-03-16": 900, "2026-03-17": 1440, "2026-03-18": 3 },
        }),
      },
    },
  ]);
  const args = ["upptime", "--json"];
  const env = { ...github.env, GITHUB_REPOSITORY: "acme/status" };
  const readDown = async () => {
    const days = parseDays([await Deno.readTextFile(join(folder, "history/daily/2026.csv"))]);
    return days.get("shop")!.flatMap(({ from, downTime }) =>
      downTime === 0 ? [] : [[new Date(from).getUTCDate(), downTime / 60]]
    );
  };
  const { stdout } = await runTask("import", { folder, args });
  assertEquals(JSON.parse(stdout).unseenDowntime, 2);
  assertEquals(await readDown(), [[4, 840], [5, 600], [8, 20], [12, 37]]);
  const again = await runTask("import", { folder, args });
  assertEquals(JSON.parse(again.stdout).written, []);
  const online = await runTask("import", { folder, args, env });
  assertEquals(JSON.parse(online.stdout).unseenDowntime, 0);
  assertEquals(await readDown(), [[4, 840], [5, 600]]);
});
