import { assertEquals } from "@std/assert";
import { appendRows, type CheckRow, checksPath } from "../../../../lib/history/checks_log.ts";
import { readHistories } from "../../../../lib/history/read_histories.ts";
import { reportOf } from "../../../../lib/statistics/report/report_of.ts";
import { storeOf } from "../../../helpers/random_history.ts";
import { configOf } from "../../../helpers/sites.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

Deno.test("a report tells the means of the phases of the last 7 days, and of no others", async () => {
  const config = await configOf([
    { slug: "shop", url: "https://example.com" },
    { slug: "blog", url: "https://example.com" },
  ]);
  const row = (slug: string, hours: number, phases?: string): CheckRow => ({
    time: NOW.subtract({ hours }),
    run: hours.toString(16).padStart(8, "0"),
    slug,
    state: "up",
    code: 200,
    ms: 100,
    attempts: 1,
    phases,
  });
  const rows = [
    row("shop", 8 * 24, "900/900/900/900/900"),
    row("shop", 7 * 24, "2/10/20/30/40"),
    row("shop", 3),
    row("shop", 1, "4/20/30/50/41"),
    row("blog", 1),
  ];
  const files = new Map<string, string>();
  for (const one of rows) {
    const path = checksPath(one.time);
    files.set(path, appendRows(files.get(path), [one]));
  }
  const read = await readHistories(await (await storeOf(files)).read(), config.sites);
  const [shop, blog] = reportOf(config, read, NOW).sites;
  const means = { checks: 2, dns: 3, connect: 15, tls: 25, ttfb: 40, download: 40.5 };
  assertEquals([shop!.phases, blog!.phases], [means, undefined]);
});
