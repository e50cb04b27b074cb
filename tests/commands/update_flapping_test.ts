import { assertEquals, assertMatch } from "@std/assert";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

Deno.test("a site that keeps changing is one message, and the next comes when it has been up for six runs", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  await using rig = await alertRig(scratch, {
    top: { flapThreshold: 0.1 },
    notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
  });
  for (const code of [200, 503, 200, 503, 200, 503]) {
    rig.turn(code);
    assertEquals((await rig.update()).code, 0);
  }
  const flapping = "Shop is flapping (3 changes in the last hour), silent until it stays up";
  const headlines = () => hook.seen.map(({ json }) => json.headline);
  assertEquals(headlines(), ["Shop is down", "Shop is up again", flapping]);
  rig.turn(200);
  for (let run = 1; run < 6; run++) await rig.update();
  assertEquals(hook.seen.length, 3);
  await rig.update();
  assertEquals(headlines().slice(3), ["Shop is up again and stable"]);
  assertEquals(heardBy(hook), ["shop down", "shop up", "shop down", "shop up"]);
  assertMatch(hook.seen[2]!.json.events[0].text, /has been up in 6 runs in a row$/);
});
