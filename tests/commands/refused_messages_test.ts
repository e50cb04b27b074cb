import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { TAKEN, webhookAt } from "../helpers/notify_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { CANARIES } from "../helpers/vendors/vendors.ts";

Deno.test("a message that is refused for good is reported in each run, and sent once the channel takes it", async () => {
  await using scratch = await makeScratch();
  const no = { status: 400, body: "no such team" };
  await using hook = await vendorServer(TAKEN, [no, no]);
  await using rig = await makeRig(scratch, { git: false, notifications: [webhookAt(hook.url)] });
  rig.turn(503);
  for (const count of [1, 2]) {
    const { code, stderr } = await rig.update();
    assertEquals([code, hook.seen.length], [1, count]);
    assertMatch(
      stderr,
      /^error: The webhook \(127\.0\.0\.1:\d+\) answered 400: no such team\. The next run tries again: notify webhook about Shop$/m,
    );
  }
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals(listMessages(hook).slice(2), ["shop down", "shop up"]);
});

Deno.test("a channel that must not be asked for an hour is reported in each run until it takes the message", async () => {
  await using scratch = await makeScratch();
  const yes = { status: 200, body: '{"status":1,"request":"a"}' };
  const no = { status: 400, body: '{"status":0,"errors":["application token is invalid"]}' };
  await using phone = await vendorServer(yes, [no]);
  const notification: Notification = {
    type: "pushover",
    url: phone.url,
    token: "$TOKEN",
    user: "$KEY",
    on: ["down", "up"],
  };
  await using rig = await makeRig(scratch, {
    git: false,
    notifications: [notification],
    secrets: CANARIES,
  });
  rig.turn(503);
  const first = await rig.update();
  assertEquals(first.code, 1);
  assertMatch(
    first.stderr,
    /application token is invalid; check token.*\. The next run tries again: notify pushover/,
  );
  const { code, stderr } = await rig.update();
  assertEquals([code, phone.seen.length], [1, 1]);
  assertStringIncludes(stderr, "application token is invalid");
  assertMatch(stderr, /The next attempt is at \S+ \S+( UTC)?: notify pushover about Shop/);
  await rig.age(3_601);
  const last = await rig.update();
  assertEquals([last.code, last.stderr, phone.seen.length], [0, "", 2]);
  assert(phone.seen[1]!.json.title.includes("Shop is down"));
});
