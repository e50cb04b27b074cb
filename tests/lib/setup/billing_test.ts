import { assertEquals } from "@std/assert";
import { computeBilling } from "../../../lib/setup/billing.ts";
import { cadence } from "../../../lib/config/schedule.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";

Deno.test("a schedule is described in words, with its runs in 30 days", () => {
  const cases: [schedule: string, words: string, runs: number, shortest: number][] = [
    ["*/5 * * * *", "every 5 minutes", 8640, 5],
    ["* * * * *", "every minute", 43200, 1],
    ["0 * * * *", "every hour", 720, 60],
    ["15 */6 * * *", "every 6 hours", 120, 360],
    ["0 23 * * *", "daily at 23:00 UTC", 30, 1440],
    ["0,30 8-17 * * MON-FRI", "429 times a month", 429, 30],
    ["0 0 1 * *", "once a month", 1, 1440],
    ["0 0 1 * MON", "5 times a month", 5, 1440],
    ["7/20 * * * *", "every 20 minutes", 2160, 20],
    ["0 0 31 2 *", "never", 0, 1440],
  ];
  for (const [schedule, words, runs, shortest] of cases) {
    assertEquals(cadence(schedule), { words, runs, shortest }, schedule);
  }
});

async function billed(keys: Keys) {
  return computeBilling(await configOf([{ url: "https://example.com" }], keys));
}

Deno.test("the minutes of all scheduled workflows are added up", async () => {
  const { minutes, workflows, selfHosted } = await billed({});
  assertEquals([minutes, selfHosted], [8760, false]);
  assertEquals(workflows.map(({ name, runs }) => [name, runs]), [
    ["Uptime CI", 8640],
    ["Response Time CI", 30],
    ["Graphs CI", 30],
    ["Static Site CI", 30],
    ["Summary CI", 30],
  ]);
});

Deno.test("the proposed schedule is the most frequent one that is free", async () => {
  assertEquals((await billed({})).cheaper, "*/30 * * * *");
  const busy = { graphs: "0 * * * *", summary: "0 * * * *" };
  assertEquals((await billed({ workflowSchedule: busy })).cheaper, undefined);
  assertEquals((await billed({ workflowSchedule: { graphs: "0 * * * *" } })).cheaper, "0 * * * *");
  assertEquals((await billed({ workflowSchedule: { uptime: "0 * * * *" } })).cheaper, undefined);
});

Deno.test("self-hosted runners are not billed", async () => {
  for (const runner of ["self-hosted", ["self-hosted", "linux"], "[self-hosted, linux]"]) {
    assertEquals((await billed({ runner })).selfHosted, true);
  }
  const { minutes, selfHosted, cheaper } = await billed({ runner: { uptime: "self-hosted" } });
  assertEquals([minutes, selfHosted, cheaper], [120, false, undefined]);
});
