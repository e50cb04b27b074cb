import { assertEquals } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const TAKEN = { status: 204 };

thoroughly(
  "webhooks that differ in method, headers or body are told apart, though their address is one",
  async () => {
    await using scratch = await makeScratch();
    await using hook = await vendorServer(TAKEN);
    const alert = (action: string): Partial<Notification> => ({
      body: `{"action":"${action}","site":"$SITE_NAME"}`,
    });
    const notifications: Notification[] = [
      { type: "webhook", url: hook.url, on: ["down"], ...alert("open") },
      { type: "webhook", url: hook.url, on: ["up"], ...alert("close") },
    ];
    await using rig = await alertRig(scratch, { notifications });
    await rig.update();
    for (const code of [503, 200]) {
      rig.turn(code);
      assertEquals((await rig.update()).code, 0);
    }
    assertEquals(hook.seen.map(({ json }) => json), [
      { action: "open", site: "Shop" },
      { action: "close", site: "Shop" },
    ]);
  },
);

Deno.test("a webhook that is listed for all sites and at one, alike in all but on:, is told once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const listed = (...on: ("down" | "up")[]): Notification => (
    { type: "webhook", url: hook.url, method: "PUT", headers: { "X-Team": "ops" }, on }
  );
  const sites = { Shop: { notifications: [listed("down")] } };
  await using rig = await alertRig(scratch, { sites, notifications: [listed("down", "up")] });
  for (const code of [503, 200]) {
    rig.turn(code);
    assertEquals((await rig.update()).code, 0);
  }
  assertEquals(heardBy(hook), ["shop down"]);
});
