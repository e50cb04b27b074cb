import { assert, assertEquals } from "@std/assert";
import { alertRig } from "../helpers/alert_rig.ts";
import { eventually } from "../helpers/eventually.ts";
import { runStateAt } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const TAKEN = { status: 204 };

/** The messages that the run state lists as sent. */
async function sentMessages(remote: string): Promise<number> {
  const { outbox = [] } = await runStateAt(remote) ?? {};
  return outbox.filter(({ handler, done }) => handler === "message" && done !== undefined).length;
}

Deno.test("a run killed while sending has noted the accepted messages, and the next run sends only the rest", async () => {
  await using scratch = await makeScratch();
  // The fourth event gets no answer for 35 s, three attempts included.
  await using hook = await vendorServer("hang", [TAKEN, TAKEN, TAKEN]);
  const names = ["a", "b", "c", "d", "e"];
  const sites = Object.fromEntries(names.map((name) => [name, {}]));
  await using rig = await alertRig(scratch, {
    sites,
    notifications: [{
      type: "webhook",
      url: hook.url,
      body: '{"site": "$SITE_NAME"}',
      on: ["down"],
      "min-interval": 1,
    }],
  });
  await rig.update();
  rig.turn(503);
  const killed = new AbortController();
  const run = rig.updateProcess({ signal: killed.signal });
  await eventually(async () => assertEquals(await sentMessages(rig.remote), 3));
  killed.abort();
  assert((await run).code !== 0);
  await rig.age(181);
  hook.answers.push(...names.map(() => TAKEN));
  const before = hook.seen.length;
  assertEquals((await rig.update()).code, 0);
  const notified = hook.seen.map(({ json }) => json.site);
  assertEquals(notified.slice(0, 3), ["a", "b", "c"]);
  assertEquals(notified.slice(before), ["d", "e"]);
});
