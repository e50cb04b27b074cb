import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { join } from "node:path";
import { cloneRemote } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };
const SITES = { Shop: {}, Post: {}, Mail: {} };

function webhookAt(url: string, more: Partial<Notification> = {}): Notification {
  return { type: "webhook", url, on: ["down", "up"], ...more };
}

Deno.test("what happens within the group interval is one more message, when it ends, also over runs", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const grouped = { "group-notifications": true, "group-interval": 600 };
  await using rig = await alertRig(scratch, {
    sites: SITES,
    notifications: [webhookAt(hook.url, grouped)],
  });
  rig.turn(503, "Shop");
  await rig.update();
  assertEquals(heardBy(hook), ["shop down"]);
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(heardBy(hook).length, 1);
  rig.turn(503, "Mail");
  await rig.age(601);
  assertEquals((await rig.update()).code, 0);
  assertEquals(heardBy(hook), ["shop down", "post down, mail down"]);
});

thoroughly(
  "an outage that begins and ends while a channel must wait is told afterwards, as one that is over",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using rig = await alertRig(scratch, {
      sites: SITES,
      notifications: [webhookAt(hook.url, { "min-interval": 600 })],
    });
    rig.turn(503, "Shop");
    await rig.update();
    for (const code of [503, 200]) {
      rig.turn(code, "Post");
      await rig.update();
    }
    assertEquals(heardBy(hook), ["shop down"]);
    await rig.age(601);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down", "post up"]);
    assertMatch(hook.seen[1]!.json.headline, /^Post was down for /);
    await rig.age(601);
    rig.turn(200);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down", "post up", "shop up"]);
  },
);

thoroughly(
  "the end of an outage that a channel was not told of is not told: it was set up meanwhile",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using other = await vendorServer(TAKEN);
    await using rig = await alertRig(scratch, { notifications: [webhookAt(other.url)] });
    rig.turn(503);
    await rig.update();
    await rig.configure({ notifications: [webhookAt(other.url), webhookAt(hook.url)] });
    rig.turn(200);
    await rig.update();
    assertEquals([heardBy(other), heardBy(hook)], [["shop down", "shop up"], []]);
    rig.turn(503);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down"]);
  },
);

thoroughly(
  "reminders come when their time has come, once for each, and end with the outage",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using rig = await alertRig(scratch, {
      // deno-lint-ignore no-explicit-any
      notifications: [webhookAt(hook.url, { reminders: ["30m", "2h"] as any })],
    });
    rig.turn(503);
    for (const seconds of [0, 1801, 7100, 101]) {
      if (seconds > 0) await rig.age(seconds);
      assertEquals((await rig.update()).code, 0);
    }
    rig.turn(200);
    await rig.update();
    assertEquals(heardBy(hook), ["shop down", "shop still down", "shop still down", "shop up"]);
  },
);

thoroughly(
  "a dry run sends nothing and prints what it would send, secrets by their names; so does its JSON",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    const secrets = { HOOK: `${hook.url}/in/s3cret-path`, KEY: "k3y-of-the-hook" };
    await using rig = await alertRig(scratch, {
      notifications: [webhookAt("$HOOK", { headers: { "X-Key": "$KEY" } })],
      secrets,
    });
    rig.turn(503);
    const { code, stdout, stderr } = await rig.update({ args: ["--dry-run"] });
    assertEquals([code, stderr], [0, ""]);
    const [, payload] = /^ {2}tell webhook about Shop\n\n((?: {6}.*\n)+)$/m.exec(stdout)!;
    const [request, ...others] = JSON.parse(payload!);
    assertEquals([request.address, request.headers["X-Key"], others], ["$HOOK", "$KEY", []]);
    assertEquals(request.body.headline, "Shop is down");
    const json = await rig.update({ args: ["--dry-run", "--json"] });
    const [effect] = JSON.parse(json.stdout).effects;
    assertEquals(effect.what, "tell webhook about Shop");
    assertEquals(effect.payload[0].body.headline, "Shop is down");
    for (const text of [stdout, json.stdout]) {
      assert(!/s3cret|k3y-of/.test(text), text);
    }
    assertEquals(hook.seen, []);
    rig.give({});
    const lacking = await rig.update({ args: ["--dry-run"] });
    assertStringIncludes(
      lacking.stderr,
      "1 message waits for a run that has a value for $HOOK, $KEY",
    );
  },
);

thoroughly(
  "the end of an outage is told also where what runs remember was lost meanwhile",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
    rig.turn(503);
    await rig.update();
    await git(rig.remote, "update-ref", "-d", PENDING_REF);
    rig.turn(200);
    const { code } = await rig.update();
    assertEquals([code, heardBy(hook)], [0, ["shop down", "shop up"]]);
  },
);

thoroughly("a remote that does not answer makes no open outage news again", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
  rig.turn(503);
  await rig.update();
  const folder = await cloneRemote(rig.remote, join(scratch.path, "other"));
  await Deno.rename(rig.remote, `${rig.remote}.away`);
  assertEquals((await rig.update({ folder })).code, 1);
  assertEquals(heardBy(hook), ["shop down"]);
});

Deno.test("an open outage is notified again, with the same id, if what runs remember is lost, and its end follows", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await alertRig(scratch, { notifications: [webhookAt(hook.url)] });
  rig.turn(503);
  await rig.update();
  await git(rig.remote, "update-ref", "-d", PENDING_REF);
  for (let run = 0; run < 2; run++) assertEquals((await rig.update()).code, 0);
  rig.turn(200);
  await rig.update();
  assertEquals(heardBy(hook), ["shop down", "shop down", "shop up"]);
  const ids = hook.seen.map(({ headers }) => headers["x-monitor-delivery"]);
  assertEquals([ids[0] === ids[1], ids[1] === ids[2]], [true, false]);
});
