import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { makeRig, type Rig } from "../helpers/rig.ts";
import { LeapingClock } from "../helpers/leaping_clock.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import type { Keys } from "../helpers/sites.ts";
import { type VendorServer, vendorServer } from "../helpers/vendors/vendor_server.ts";
import { watching } from "../helpers/watching.ts";
import { writeHistory } from "../helpers/written_history.ts";

const WEBHOOK: Notification = { type: "webhook", "webhook-url": "$HOOK", on: ["down", "up"] };

/** The texts of the notices that a webhook got. */
function noticesOf({ seen }: VendorServer): string[] {
  return seen.map(({ json }) => json.text);
}

/** Settings with one channel, and the alarm unless other keys say so. */
function alerting(chat: VendorServer, top: Keys = { driftAlarm: true }, channel: Keys = {}) {
  return { top, notifications: [{ ...WEBHOOK, ...channel }], secrets: { HOOK: chat.url } };
}

/** A clock that runs some minutes ahead. */
function clockAhead(minutes: number): LeapingClock {
  const clock = new LeapingClock(new AbortController().signal, () => {});
  clock.pass(60_000 * minutes);
  return clock;
}

async function update(rig: Rig, minutes: number): Promise<string> {
  const { code, stderr } = await rig.update({ clock: clockAhead(minutes) });
  assertEquals(code, 0, stderr);
  return stderr;
}

/** Writes checks every five minutes for some hours up to now. */
async function writeChecks(folder: string, hours: number): Promise<void> {
  const to = Temporal.Now.instant().subtract({ minutes: 5 });
  await writeHistory(folder, [{ slug: "shop" }], { from: to.subtract({ hours }), to });
}

async function folderWith(scratch: Scratch, hours: number, ...rest: Parameters<typeof alerting>) {
  const rig = await makeRig(scratch, { git: false, ...alerting(...rest) });
  await writeChecks(scratch.path, hours);
  await update(rig, 0);
  return rig;
}

const GAP =
  /^No checks from (?:\d{4}-\d\d-\d\d )?\d\d:\d\d to (?:\d{4}-\d\d-\d\d )?\d\d:\d\d UTC: 4 hours(?: \d minutes?)?; the usual gap is 5 minutes, and 9 of 10 are at most 5 minutes$/;

Deno.test("a run after a gap far longer than usual notifies of it once", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using rig = await folderWith(scratch, 30, chat);
  await update(rig, 50);
  assertEquals(noticesOf(chat), []);
  assertStringIncludes(await update(rig, 50 + 240), "warning: No checks from ");
  const [first, ...others] = noticesOf(chat);
  assertMatch(first!, GAP);
  assertEquals(others, []);
  for (const later of [245, 250, 650, 655, 1_050]) await update(rig, 50 + later);
  assertEquals(noticesOf(chat).slice(1).map((text) => text.replace(/(?<=[a-z]) .*/, "")), [
    "No",
    "No",
  ]);
});

Deno.test("an alarm in quiet hours is not sent, because the next run ends it", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  const at = (minutes: number) => Temporal.Now.instant().add({ minutes }).toString().slice(11, 16);
  const quiet = { from: at(180), to: at(270) };
  await using rig = await folderWith(scratch, 30, chat, { driftAlarm: 1 }, { quiet });
  for (const later of [240, 245, 275, 280]) await update(rig, later);
  assertEquals(noticesOf(chat), []);
});

/** A clone with checks of 30 hours on its remote. */
async function remoteWith(scratch: Scratch, chat: VendorServer): Promise<Rig> {
  const rig = await makeRig(scratch, alerting(chat));
  await writeChecks(rig.folder, 30);
  await git(rig.folder, "add", "--all");
  await git(rig.folder, "commit", "--quiet", "--message", "Write history");
  await git(rig.folder, "push", "--quiet", "origin", "HEAD:main");
  return rig;
}

Deno.test("runs that end a gap at the same time notify of it once", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using rig = await remoteWith(scratch, chat);
  await update(rig, 0);
  const folders = ["one", "other", "third"].map((name) => `${scratch.path}/${name}`);
  for (const folder of folders) await git(scratch.path, "clone", "--quiet", rig.remote, folder);
  const runs = await Promise.all(
    folders.map((folder, index) => rig.update({ folder, clock: clockAhead(240 + index / 60) })),
  );
  assertEquals(runs.map(({ code }) => code), [0, 0, 0]);
  await update(rig, 245);
  assertEquals(noticesOf(chat).map((text) => GAP.test(text)), [true]);
});

Deno.test("a lost run state is no gap, as nobody knows when the last run was", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using rig = await remoteWith(scratch, chat);
  await update(rig, 0);
  await git(rig.folder, "push", "--quiet", "origin", ":refs/monitor/pending");
  await update(rig, 240);
  assertEquals(noticesOf(chat), []);
});

Deno.test("watch notifies of a time in which its machine was asleep", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using _rig = await folderWith(scratch, 30, chat, { driftAlarm: true, interval: 300 });
  const ended = await watching(scratch.path, ({ runs, clock, stop }) => {
    if (runs === 3) clock.pass(240 * 60_000);
    if (runs === 6) stop();
  }, { env: { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) } });
  assertEquals(ended.code, 0, ended.stderr);
  const [gap, ...others] = noticesOf(chat);
  assertMatch(gap!, GAP);
  assertEquals(others, []);
});
