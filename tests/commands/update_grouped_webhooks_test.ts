import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

Deno.test("a webhook with a body gets a group in one request if it uses $EVENTS, and validate warns if not", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const keys = { type: "webhook", on: ["down"], "group-notifications": true } as const;
  const notifications: Notification[] = [
    { ...keys, on: ["down"], url: `${hook.url}/all`, body: '{"events": $EVENTS}' },
    { ...keys, on: ["down"], url: `${hook.url}/each`, body: '{"site": "$SITE_NAME"}' },
  ];
  const sites = { Shop: {}, Post: {}, API: {} };
  await using rig = await alertRig(scratch, { sites, notifications });
  const { code, stderr } = await rig.run("validate");
  assertEquals(code, 0);
  assertEquals(stderr.match(/^.*notifications\[.*$/gm)?.length, 1, stderr);
  assertStringIncludes(
    stderr,
    "notifications[1].body: one request is sent for each event, in spite of group-notifications",
  );
  rig.turn(503);
  assertEquals((await rig.update()).code, 0);
  const of = (path: string) => hook.seen.filter((one) => one.path === path).map(({ json }) => json);
  assertEquals(of("/each").map(({ site }) => site), ["Shop", "Post", "API"]);
  const [group, ...others] = of("/all");
  assertEquals(others, []);
  assertEquals(
    group.events.map(({ type, site }: { type: string; site: { slug: string } }) => [
      type,
      site.slug,
    ]),
    [["down", "shop"], ["down", "post"], ["down", "api"]],
  );
});
