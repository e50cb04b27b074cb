import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** Channels as people write them, wrong values included. */
function channels(...written: Record<string, unknown>[]): Notification[] {
  return written as unknown as Notification[];
}

Deno.test("a channel with a bad optional value still sends, and the value is an error annotation", async () => {
  const bad: Record<string, unknown>[] = [
    { on: ["dwon", "up"] },
    { severity: "high" },
    { reminders: ["30s"] },
    { "group-interval": -1 },
    { on: "down" },
    { "min-interval": "5m" },
  ];
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const notifications = channels(
    ...bad.map((keys, index) => ({ type: "webhook", url: `${hook.url}/${index}`, ...keys })),
  );
  await using rig = await alertRig(scratch, { notifications });
  await rig.update();
  rig.turn(503);
  const { code, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
  assertEquals(code, 0);
  assertEquals(hook.seen.map(({ path }) => path).sort(), bad.map((_, index) => `/${index}`));
  const errors = [...stdout.matchAll(/^::error .*::notifications\[(\d)\]\.([\w-]+)/gm)];
  assertEquals(errors.map(([, index, key]) => `${index} ${key}`), [
    "0 on",
    "1 severity",
    "2 reminders",
    "3 group-interval",
  ]);
});

Deno.test("a channel that can't work fails each run, and the other channels report it once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const works = { type: "webhook", url: hook.url, on: ["down", "up"] };
  const broken = { type: "slack", on: ["down"] };
  await using rig = await alertRig(scratch, { notifications: channels(works, broken) });
  const codes = [];
  for (const status of [200, 200, 503]) {
    rig.turn(status);
    const { code, stderr } = await rig.update();
    codes.push(code);
    assertStringIncludes(stderr, "notifications[1].webhook-url: is missing: slack needs it");
  }
  assertEquals(codes, [1, 1, 1]);
  assertEquals(heardBy(hook), ["notice notice", "shop down"]);
  const [{ text, events: [{ error }] }] = hook.seen.map(({ json }) => json);
  assertEquals(text, `Notification channel slack (line 1) can't work: ${error}`);
  assertEquals(error, "webhook-url: is missing: slack needs it; change it in .monitorrc.yml");
  // Once it works again, the same problem is a new one.
  await rig.configure({ notifications: channels(works) });
  assertEquals((await rig.update()).code, 0);
  await rig.configure({ notifications: channels(works, broken) });
  assertEquals((await rig.update()).code, 1);
  assertEquals(heardBy(hook), ["notice notice", "shop down", "notice notice"]);
});

Deno.test("a channel whose secret makes no address fails each run, and the others are notified once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const works = { type: "webhook", url: hook.url, on: ["down", "up"] };
  const broken = { type: "slack", "webhook-url": "$SLACK_HOOK", on: ["down"] };
  await using rig = await alertRig(scratch, {
    notifications: channels(works, broken),
    secrets: { SLACK_HOOK: "hooks.slack.example/canary" },
  });
  const reason =
    "Slack can't be notified: webhook-url ($SLACK_HOOK) is not an http or https address once its secrets are in place";
  for (const status of [200, 200]) {
    rig.turn(status);
    const { code, stderr } = await rig.update();
    assertEquals(code, 1);
    assertStringIncludes(
      stderr,
      `error: Notification channel slack ($SLACK_HOOK) can't work: ${reason}\n`,
    );
    assert(!stderr.includes("canary"));
  }
  assertEquals(heardBy(hook), ["notice notice"]);
  const [{ text }] = hook.seen.map(({ json }) => json);
  assertEquals(
    text,
    `Notification channel slack ($SLACK_HOOK) can't work: ${reason}; change the setting or its secret`,
  );
  const validated = await rig.run("validate");
  assertStringIncludes(
    validated.stdout,
    `▲ Notification channel slack ($SLACK_HOOK) can't work: ${reason}.\n`,
  );
  // What the channel is to be notified of waits; what the others were notified of is not sent to it.
  rig.turn(503);
  await rig.update();
  rig.give({ SLACK_HOOK: `${hook.url}/slack` });
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  const slack = hook.seen.filter(({ path }) => path === "/slack");
  assertEquals(slack.map(({ json }) => json.text), ["🛑 Shop is down"]);
});
