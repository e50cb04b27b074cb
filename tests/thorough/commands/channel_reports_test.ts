import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeRig, type Rig } from "../../helpers/rig.ts";
import { webhookAt } from "../../helpers/notify_rig.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { type VendorServer, vendorServer } from "../../helpers/vendors/vendor_server.ts";
import { writeHistory } from "../../helpers/written_history.ts";
import { type Clock, systemClock } from "../../../lib/io/clock.ts";

const HOUR = 3_600_000;
const MONDAY = "2026-11-30T22:58:00Z";
const TAKEN = { status: 204 };
const SITES = { Shop: { slo: 99.9 }, API: {} };

/** A clock whose date moves only when a test says so. */
function setClock(time: string): Clock & { pass(milliseconds: number): void } {
  let now = Temporal.Instant.from(time);
  return {
    ...systemClock,
    now: () => now,
    pass: (milliseconds) => now = now.add({ milliseconds }),
  };
}

/** Writes the checks of eight days before a Monday, and makes a first run on it. */
async function runOnMonday(rig: Rig, clock: Clock): Promise<Rig> {
  const at = (time: string) => Temporal.Instant.from(time);
  await writeHistory(rig.folder, [
    { slug: "shop", outages: [{ from: at("2026-11-24T10:00Z"), to: at("2026-11-24T11:04Z") }] },
    { slug: "api" },
  ], { from: at("2026-11-22T00:00Z"), to: at("2026-11-30T22:55Z") });
  if (rig.remote !== "") {
    await git(rig.folder, "add", "--all");
    await git(rig.folder, "commit", "--quiet", "--message", "Write a history");
    await git(rig.folder, "push", "--quiet");
  }
  const first = await rig.update({ clock });
  assertEquals(first.code, 0, first.stderr);
  return rig;
}

function reportsAt({ seen }: VendorServer): string[] {
  return seen.filter(({ json }) => json.type === "report").map(({ json }) => json.headline);
}

Deno.test("response-time plans a report, and the next update sends it, once", async () => {
  await using scratch = await makeScratch();
  await using vendor = await vendorServer(TAKEN);
  const clock = setClock(MONDAY);
  const notifications = [webhookAt(vendor.url, { report: ["week"], on: [] })];
  await using rig = await runOnMonday(
    await makeRig(scratch, { sites: SITES, notifications }),
    clock,
  );
  clock.pass(120_000);
  const planned = await rig.run("response-time", { clock, env: { SECRETS_CONTEXT: "" } });
  assertEquals([planned.code, planned.stderr], [0, ""]);
  assertStringIncludes(planned.stdout, "Planned: send webhook the report of 2026-W48.\n");
  const again = await rig.run("response-time", { clock });
  assertEquals(again.stdout.includes("Planned"), false, again.stdout);
  assertEquals(vendor.seen.length, 0);
  assertStringIncludes(
    (await rig.run("state", { clock })).stdout,
    "  send webhook the report of 2026-W48\n    planned at",
  );
  const shown = await rig.update({ clock, args: ["--dry-run"] });
  assertStringIncludes(shown.stdout, "send webhook the report of 2026-W48");
  const { stdout } = await rig.update({ clock });
  assertMatch(stdout, /^Done: send webhook the report of 2026-W48$/m);
  const headline = "Week of 2026-11-23: 1 outage of 1 of 2 sites, 1 hour 4 minutes";
  assertEquals(reportsAt(vendor), [headline]);
  assertEquals(vendor.seen[0]!.json.events[0].figures, [
    { name: "Shop", text: "99.37% uptime, 1 outage (1 hour 4 minutes), objective of 99.9% missed" },
    { name: "API", text: "100% uptime, no outages" },
  ]);
  clock.pass(24 * HOUR);
  const next = await rig.run("response-time", { clock });
  assertEquals([next.code, next.stdout.includes("Planned")], [0, false]);
  assertEquals((await rig.update({ clock })).code, 0);
  assertEquals(reportsAt(vendor), [headline]);
});

Deno.test("a report waits for the end of quiet hours, and a failed one is sent by a later run", async () => {
  await using scratch = await makeScratch();
  await using vendor = await vendorServer(TAKEN, [{
    status: 500,
    headers: { "Retry-After": "60" },
  }]);
  const clock = setClock(MONDAY);
  const quiet = { from: "22:00", to: "07:00" };
  const notifications = [webhookAt(vendor.url, { report: ["week", "month"], quiet })];
  const top = { timezone: "Europe/Vienna" };
  await using rig = await runOnMonday(
    await makeRig(scratch, { git: false, sites: SITES, notifications, top }),
    clock,
  );
  clock.pass(120_000);
  // In Vienna it is Tuesday, and December.
  const { stdout } = await rig.run("response-time", { clock });
  assertMatch(stdout, /the report of 2026-W48\.\n.*the report of 2026-11\./);
  assertEquals((await rig.update({ clock })).code, 0);
  assertStringIncludes(
    (await rig.run("state", { clock })).stdout,
    "needs the end of the quiet hours of its channel",
  );
  clock.pass(6 * HOUR);
  assertEquals(((await rig.update({ clock })).code, vendor.seen.length), 0);
  clock.pass(HOUR);
  await rig.update({ clock });
  assertEquals(reportsAt(vendor).length, 1);
  clock.pass(HOUR);
  await rig.update({ clock });
  assertEquals(reportsAt(vendor), [
    "Week of 2026-11-23: 1 outage of 1 of 2 sites, 1 hour 4 minutes",
    "Week of 2026-11-23: 1 outage of 1 of 2 sites, 1 hour 4 minutes",
    "November 2026: 1 outage of 1 of 2 sites, 1 hour 4 minutes",
  ]);
  assertEquals(new Set(vendor.seen.map(({ json }) => json.id)).size, 2);
});
