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

async function billed(keys: Keys, plan = {}) {
  return computeBilling(await configOf([{ url: "https://example.com" }], keys), plan);
}

Deno.test("the minutes of all scheduled workflows are added up", async () => {
  assertEquals((await billed({})).minutes, 8640 + 4 * 30);
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
    assertEquals(await billed({ runner }), { minutes: 0 });
  }
  assertEquals(await billed({ runner: { uptime: "self-hosted" } }), { minutes: 120 });
});

Deno.test("every job of a run is billed by whole minutes, but for those on own machines", async () => {
  const virginia = { name: "Virginia", runner: "ubuntu-latest" };
  const dublin = { name: "Dublin", runner: "ubuntu-24.04" };
  const home = { name: "Home", runner: ["self-hosted", "pi"] };
  const minutesOfRun = async (keys: Keys, plan = {}) =>
    ((await billed(keys, plan)).minutes - 120) / 8640;
  const locations = [virginia, dublin, home];
  assertEquals(await minutesOfRun({ shards: 10 }), 11);
  assertEquals(await minutesOfRun({ shards: 10 }, { seconds: 61 }), 21);
  assertEquals(await minutesOfRun({ locations }), 3);
  assertEquals(await minutesOfRun({ locations, runner: { uptime: "self-hosted" } }), 2);
  assertEquals(await billed({ locations: [home], runner: "self-hosted" }), { minutes: 0 });
  assertEquals(await billed({ shards: 4, runner: "self-hosted" }), { minutes: 0 });
  assertEquals((await billed({ shards: 2 })).cheaper, undefined);
});
