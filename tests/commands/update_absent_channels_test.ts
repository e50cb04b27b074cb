import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };
/** A failure that may pass, with a wait so long that no run waits for it. */
const BUSY: VendorAnswer = { status: 500, headers: { "Retry-After": "60" } };
const WAITS = "for a run that has the configuration of its channel";

function webhookAt(url: string, more: Partial<Notification> = {}): Notification {
  return { type: "webhook", url, on: ["down", "up"], ...more };
}

thoroughly("what waits for a channel that is taken out is dropped, which is no fault", async () => {
  await using scratch = await makeScratch();
  await using broken = await vendorServer(TAKEN, [BUSY]);
  const notifications = [webhookAt(broken.url)];
  await using rig = await alertRig(scratch, { notifications, secrets: { OTHER: "canary" } });
  await rig.update();
  rig.turn(503);
  await rig.update();
  await rig.configure({ notifications: [] });
  await rig.age(61);
  const { code, stdout, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(
    stdout,
    "Nothing sent, because its channel is no longer configured: tell webhook about Shop\n",
  );
  await rig.configure({ notifications });
  assertEquals((await rig.update()).code, 0);
  assertEquals(heardBy(broken), ["shop down"]);
});

Deno.test("a channel that is in error for a while loses nothing of what waits for it", async () => {
  await using scratch = await makeScratch();
  await using broken = await vendorServer(TAKEN, [BUSY]);
  await using seldom = await vendorServer(TAKEN);
  const notifications = [webhookAt(broken.url), webhookAt(seldom.url, { "min-interval": 300 })];
  await using rig = await alertRig(scratch, { sites: { Shop: {}, Post: {} }, notifications });
  for (const name of ["", "Shop", "Post"]) {
    if (name !== "") rig.turn(503, name);
    await rig.update();
  }
  const wrong = { url: 5 } as unknown as Partial<Notification>;
  await rig.configure({ notifications: notifications.map((one) => ({ ...one, ...wrong })) });
  await rig.age(61);
  rig.turn(200, "Shop");
  const { code, stderr } = await rig.update();
  assertEquals(code, 1);
  assertStringIncludes(
    stderr,
    "notifications[1].url: expected an address or a $SECRET, found 5",
  );
  assertStringIncludes(stderr, `warning: 2 messages wait ${WAITS}`);
  await rig.configure({ notifications });
  await rig.age(300);
  const after = await rig.update();
  assertEquals([after.code, after.stderr], [0, ""]);
  assertEquals(heardBy(broken), ["shop down", "post down", "shop up"]);
  assertEquals(heardBy(seldom), ["shop down", "post down, shop up"]);
});

thoroughly(
  "a run without secrets keeps what waits for channels that are set up by secrets",
  async () => {
    await using scratch = await makeScratch();
    await using discord = await vendorServer(TAKEN, [BUSY]);
    const secrets = { NOTIFICATION_DISCORD_WEBHOOK_URL: discord.url };
    await using rig = await alertRig(scratch, { secrets });
    await rig.update();
    rig.turn(503);
    await rig.update();
    rig.give({});
    await rig.age(61);
    const { code, stderr } = await rig.update();
    assertEquals([code, stderr], [
      0,
      `warning: 1 message waits ${WAITS}: tell discord about Shop\n`,
    ]);
    rig.give(secrets);
    assertEquals((await rig.update()).code, 0);
    rig.turn(200);
    assertEquals((await rig.update()).code, 0);
    assertEquals(discord.seen.map(({ json }) => json.embeds[0].title), [
      "🛑 Shop is down",
      "🛑 Shop is down",
      "✅ Shop is up again",
    ]);
  },
);
