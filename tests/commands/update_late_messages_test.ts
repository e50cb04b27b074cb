import { assertEquals, assertMatch } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { KILL, wrapGit } from "../helpers/git_wrapper.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";

const TAKEN = { status: 204 };
/** A failure that a run does not wait for. */
const BUSY: VendorAnswer = { status: 500, headers: { "Retry-After": "60" } };

function webhookAt(url: string, more: Partial<Notification> = {}): Notification {
  return { type: "webhook", url, on: ["down", "up"], ...more };
}

Deno.test("a channel that was away is sent the present state of each site, no backlog", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN, [BUSY]);
  await using rig = await alertRig(scratch, {
    sites: { Shop: {}, Post: {} },
    notifications: [webhookAt(hook.url)],
  });
  for (const code of [503, 200, 503, 200]) {
    rig.turn(code, "Shop");
    assertEquals((await rig.update()).code, 0);
  }
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(heardBy(hook), ["shop down"]);
  await rig.age(61);
  assertEquals((await rig.update()).code, 0);
  assertEquals(heardBy(hook).slice(1), ["shop up", "post down"]);
  assertMatch(hook.seen[1]!.json.headline, /^Shop was down 2 times, for .* in all$/);
  await rig.update();
  assertEquals(hook.seen.length, 3);
});

Deno.test("what a run was killed over is sent by the first run after three minutes, and holds nothing else up", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await alertRig(scratch, {
    sites: { Shop: {}, Post: {} },
    notifications: [webhookAt(hook.url)],
  });
  await rig.update();
  const wrapped = await wrapGit(scratch.path);
  await wrapped.before(`if [ "$command" = push ]; then git "$@"; ${KILL}; fi`);
  rig.turn(503, "Shop");
  assertEquals((await rig.updateProcess({ env: wrapped.env })).code, 137);
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(heardBy(hook), ["post down"]);
  await rig.age(175);
  await rig.update();
  assertEquals(heardBy(hook), ["post down"]);
  await rig.age(10);
  await rig.update();
  assertEquals(heardBy(hook), ["post down", "shop down"]);
});
