import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { killGroup } from "../helpers/incident_program.ts";
import { output, spawnTask } from "../helpers/program.ts";
import { cloneRemote, writeHook } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };
/** A failure that may pass, with a wait so long that no run waits for it. */
const BUSY: VendorAnswer = { status: 500, headers: { "Retry-After": "60" } };

function webhookAt(url: string, more: Partial<Notification> = {}): Notification {
  return { type: "webhook", url, on: ["down", "up"], ...more };
}

Deno.test("what a channel could not take is sent by a later run, as it is by then and once; another channel has it at once", async () => {
  await using scratch = await makeScratch();
  await using broken = await vendorServer(TAKEN, [BUSY]);
  await using sound = await vendorServer(TAKEN);
  const notifications = [webhookAt(broken.url), webhookAt(sound.url)];
  await using rig = await alertRig(scratch, { notifications });
  rig.turn(503);
  const { code, stderr } = await rig.update();
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: The webhook \(127\.0\.0\.1:\d+\) answered 500\. The next run tries again: tell webhook about Shop$/m,
  );
  assertEquals(heardBy(sound), ["shop down"]);
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals([broken.seen.length, heardBy(sound)], [1, ["shop down", "shop up"]]);
  await rig.age(61);
  assertEquals((await rig.update()).code, 0);
  assertEquals(heardBy(broken), ["shop down", "shop up"]);
  assertMatch(broken.seen[1]!.json.headline, /^Shop was down for /);
  assertEquals(sound.seen.length, 2);
});

thoroughly(
  "what a person has to change is an error that names the setting and nothing of the address",
  async () => {
    await using scratch = await makeScratch();
    await using gone = await vendorServer({ status: 404, body: "no_service" });
    await using sound = await vendorServer(TAKEN);
    const slack: Notification = { type: "slack", "webhook-url": "$HOOK", on: ["down"] };
    await using rig = await alertRig(scratch, {
      notifications: [slack, webhookAt(sound.url)],
      secrets: { HOOK: `${gone.url}/services/T0/B0/canary` },
    });
    rig.turn(503);
    const { code, stdout, stderr } = await rig.update();
    assertEquals([code, heardBy(sound)], [1, ["shop down"]]);
    assertStringIncludes(
      stderr,
      "answered 404: no_service; the webhook was deleted or is disabled",
    );
    assertStringIncludes(stderr, "change webhook-url");
    assert(!/canary|services/.test(stdout + stderr), stderr);
    assertMatch(stdout, /^1 down\. Recorded in/m);
    await using found = await vendorServer({ status: 200, body: "ok" });
    rig.give({ HOOK: found.url });
    assertEquals((await rig.update()).code, 0);
    assertEquals([found.seen.length, gone.seen.length, sound.seen.length], [1, 1, 1]);
  },
);

thoroughly("a channel that never answers delays no other", async () => {
  await using scratch = await makeScratch();
  await using hanging = await vendorServer("hang");
  await using sound = await vendorServer({ status: 200, body: "ok" });
  await using rig = await alertRig(scratch, {
    notifications: [
      webhookAt(hanging.url),
      { type: "slack", "webhook-url": sound.url, on: ["down"] },
    ],
  });
  rig.turn(503);
  const child = spawnTask("update", { folder: rig.folder });
  const ended = output(child);
  const first = await Promise.race([
    ended.then(() => "the run ended"),
    (async () => {
      while (sound.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return "told";
    })(),
  ]);
  assertEquals(first, "told");
  killGroup(child.pid);
  await ended;
});

thoroughly(
  "a message whose secret a run lacks stays for one that has it; runs and state say what it waits for",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using sound = await vendorServer(TAKEN);
    const notifications = [webhookAt("$HOOK"), webhookAt(sound.url)];
    await using rig = await alertRig(scratch, { notifications });
    rig.turn(503);
    const lacking = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals([lacking.code, heardBy(sound)], [0, ["shop down"]]);
    const waits = "1 message waits for a run that has a value for $HOOK: tell webhook about Shop";
    assertStringIncludes(lacking.stdout, `::warning::${waits}\n`);
    const summary = await Deno.readTextFile(join(rig.folder, ".git/monitor/summary.md"));
    assertStringIncludes(summary.replaceAll("\\", ""), waits);
    assertStringIncludes((await rig.run("state")).stdout, "it needs a value for $HOOK");
    rig.give({ HOOK: hook.url });
    assertEquals((await rig.update()).stderr, "");
    assertEquals([heardBy(hook), heardBy(sound)], [["shop down"], ["shop down"]]);
  },
);

thoroughly("an alert goes out although the remote takes no pushes", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
  await rig.update();
  await writeHook(rig.remote, "pre-receive", "echo no >&2; exit 1");
  rig.turn(503);
  const { code, stdout } = await rig.update();
  assertEquals([code, heardBy(hook)], [1, ["shop down"]], stdout);
  const again = await rig.update();
  assertEquals([again.code, new Set(heardBy(hook))], [1, new Set(["shop down"])]);
  await Deno.remove(join(rig.remote, "hooks", "pre-receive"));
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
});

thoroughly(
  "a run that is killed once a message has arrived, and before that is noted, leaves it to a later one, under the same id",
  async () => {
    await using scratch = await makeScratch();
    const seen: { id: string | null; events: string[] }[] = [];
    let pid: number | undefined;
    await using hook = httpServer(async (request) => {
      const { events } = await request.json();
      const told = events.map(({ type }: { type: string }) => type);
      seen.push({ id: request.headers.get("x-monitor-delivery"), events: told });
      if (pid !== undefined) killGroup(pid);
      return new Response(null, { status: 204 });
    });
    await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
    await rig.update();
    rig.turn(503);
    const child = spawnTask("update", { folder: rig.folder });
    pid = child.pid;
    await output(child);
    pid = undefined;
    assertEquals(seen.length, 1);
    await rig.update();
    assertEquals(seen.length, 1, "another run may still be at it");
    await rig.age(660);
    assertEquals((await rig.update()).code, 0);
    assertEquals(seen.map(({ events }) => events), [["down"], ["down"]]);
    assertEquals(seen[0]!.id, seen[1]!.id);
  },
);

thoroughly("runs at the same moment, each in its own clone, send one message", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
  const other = await cloneRemote(rig.remote, join(scratch.path, "other"));
  await rig.update();
  for (const code of [503, 200]) {
    rig.turn(code);
    const runs = await Promise.all([rig.update(), rig.update({ folder: other })]);
    assertEquals(runs.map(({ code }) => code), [0, 0]);
  }
  assertEquals(heardBy(hook), ["shop down", "shop up"]);
});

thoroughly("a channel in error fails the run, and the others are notified of it", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const notifications: Notification[] = [{ type: "slack", on: ["down"] }, webhookAt(hook.url)];
  await using rig = await alertRig(scratch, { notifications });
  rig.turn(503);
  const { code, stderr } = await rig.update();
  assertEquals([code, heardBy(hook).sort()], [1, ["notice notice", "shop down"]]);
  assertMatch(
    stderr,
    /^error: \.monitorrc\.yml:\d+:\d+ notifications\[0\]\.webhook-url: is missing: slack needs it\n$/,
  );
});

thoroughly(
  "what waited for two days for a secret is not sent, and neither is its end",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using rig = await alertRig(scratch, { notifications: [webhookAt("$HOOK")] });
    rig.turn(503);
    await rig.update();
    await rig.age(2 * 86_400 + 1);
    rig.give({ HOOK: hook.url });
    assertEquals([(await rig.update()).stderr, hook.seen], ["", []]);
    rig.turn(200);
    await rig.update();
    assertEquals(heardBy(hook), []);
    rig.turn(503);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down"]);
  },
);
