import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { TAKEN, webhookAt } from "../helpers/notify_rig.ts";
import { killGroup, output, spawnTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { type VendorAnswer, vendorServer } from "../helpers/vendors/vendor_server.ts";

Deno.test("a dry run sends nothing, and prints each message with secrets by name, also as JSON", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const secrets = { HOOK: `${hook.url}/in/s3cret-path`, KEY: "k3y-of-the-hook" };
  await using rig = await makeRig(scratch, {
    notifications: [webhookAt("$HOOK", { headers: { "X-Key": "$KEY" } })],
    secrets,
  });
  rig.turn(503);
  const { code, stdout, stderr } = await rig.update({ args: ["--dry-run"] });
  assertEquals([code, stderr], [0, ""]);
  const [, payload] = /^ {2}notify webhook about Shop\n\n((?: {6}.*\n)+)$/m.exec(stdout)!;
  const [request, ...others] = JSON.parse(payload!);
  assertEquals([request.address, request.headers["X-Key"], others], ["$HOOK", "$KEY", []]);
  assertEquals(request.body.headline, "Shop is down");
  const json = await rig.update({ args: ["--dry-run", "--json"] });
  const [effect] = JSON.parse(json.stdout).effects;
  assertEquals(effect.what, "notify webhook about Shop");
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
});

/** A failure that may pass, with a wait so long that no run waits for it. */
const BUSY: VendorAnswer = { status: 500, headers: { "Retry-After": "60" } };

Deno.test("a channel that never answers delays no other", async () => {
  await using scratch = await makeScratch();
  await using hanging = await vendorServer("hang");
  await using sound = await vendorServer({ status: 200, body: "ok" });
  await using rig = await makeRig(scratch, {
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
      return "notified";
    })(),
  ]);
  assertEquals(first, "notified");
  killGroup(child.pid);
  await ended;
});

Deno.test("a message waits for a run with its secret, and runs and state show which secret it waits for", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using sound = await vendorServer(TAKEN);
  const notifications = [webhookAt("$HOOK"), webhookAt(sound.url)];
  await using rig = await makeRig(scratch, { notifications });
  rig.turn(503);
  const lacking = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
  assertEquals([lacking.code, listMessages(sound)], [0, ["shop down"]]);
  const waits = "1 message waits for a run that has a value for $HOOK: notify webhook about Shop";
  assertStringIncludes(lacking.stdout, `::warning::${waits}\n`);
  const summary = await Deno.readTextFile(join(rig.folder, ".git/monitor/summary.md"));
  assertStringIncludes(summary.replaceAll("\\", ""), waits);
  assertStringIncludes((await rig.run("state")).stdout, "needs a value for $HOOK");
  rig.give({ HOOK: hook.url });
  assertEquals((await rig.update()).stderr, "");
  assertEquals([listMessages(hook), listMessages(sound)], [["shop down"], ["shop down"]]);
});

const WAITS = "for a run that has the configuration of its channel";

Deno.test("a run without secrets keeps queued messages of channels that secrets set up", async () => {
  await using scratch = await makeScratch();
  await using discord = await vendorServer(TAKEN, [BUSY]);
  const secrets = { NOTIFICATION_DISCORD_WEBHOOK_URL: discord.url };
  await using rig = await makeRig(scratch, { git: false, secrets });
  await rig.update();
  rig.turn(503);
  await rig.update();
  rig.give({});
  await rig.age(61);
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [
    0,
    `warning: 1 message waits ${WAITS}: notify discord about Shop\n`,
  ]);
  rig.give(secrets);
  assertEquals((await rig.update()).code, 0);
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals(discord.seen.map(({ json }) => json.embeds[0].title.slice(0, 16)), [
    "🛑 Shop is down",
    "🛑 Shop is down",
    "✅ Shop is up aga",
  ]);
});
