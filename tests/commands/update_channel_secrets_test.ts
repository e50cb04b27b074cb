import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const ON = ["down", "up"] as const;
const SLACK = { type: "slack", "webhook-url": "$SLACK_HOOK", on: ON } as const;
const MAIL = {
  type: "email",
  "smtp-host": "mail.example",
  "smtp-username": "monitor",
  "smtp-password": "$MAIL_PASSWORD",
  from: "a@b.example",
  to: ["jo@b.example"],
  on: ON,
} as const;

Deno.test("each run that has secrets, but not that of a channel, warns and fails while all is up; the rest is done", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const notifications = [SLACK, { type: "webhook", url: `${hook.url}/$HOOK`, on: [...ON] }]
    .map((one) => ({ ...one, on: [...ON] })) as never[];
  // GitHub gives an empty text for a secret that nobody has saved.
  const given = { HOOK: "canary", SLACK_HOOK: "" };
  await using rig = await alertRig(scratch, { notifications, secrets: given });
  for (const code of [200, 200, 503]) {
    rig.turn(code);
    const { code: exit, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals(exit, 1);
    assertStringIncludes(
      stdout,
      "::warning::Cannot send to slack ($SLACK_HOOK): $SLACK_HOOK is not among the secrets of this run; save it with set-secret, check the spelling, and run Setup CI, which adds a new name to uptime.yml\n",
    );
  }
  assertEquals(heardBy(hook), ["shop down"]);
  rig.give({ ...given, SLACK_HOOK: `${hook.url}/slack` });
  rig.turn(200);
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
});

Deno.test("a run whose only secret nobody has saved warns and fails", async () => {
  await using scratch = await makeScratch();
  await using rig = await alertRig(scratch, {
    notifications: [{ ...SLACK, on: [...ON] }] as never,
  });
  // As a workflow that lists the one name gets it from GitHub.
  for (const value of ["null", '""']) {
    const env = { GITHUB_ACTIONS: "true", SECRETS_CONTEXT: `{\n  "SLACK_HOOK": ${value}\n}` };
    const { code, stdout } = await rig.update({ env });
    assertEquals(code, 1);
    assertStringIncludes(stdout, "::warning::Cannot send to slack ($SLACK_HOOK): $SLACK_HOOK is");
  }
});

Deno.test("a run without any secrets says in one line which channels it can't use, and succeeds", async () => {
  await using scratch = await makeScratch();
  const notifications = [SLACK, MAIL].map((one) => ({ ...one, on: [...ON] })) as never[];
  await using rig = await alertRig(scratch, { notifications });
  const { code, stdout, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(
    stdout,
    "This run has no secrets, so its messages wait for a run that has them: slack ($SLACK_HOOK); email (jo@b.example) without $MAIL_PASSWORD.\n",
  );
});

Deno.test("a run and validate name the services of Upptime that are not carried over, without their secrets", async () => {
  await using scratch = await makeScratch();
  const secrets = {
    NOTIFICATION_ZULIP_MESSAGE_URL: "https://canary.example",
    NOTIFICATION_ZULIP_API_KEY: "canary-key",
    NOTIFICATION_GOTIFY: "true",
    NOTIFICATION_GOOGLE_CHAT_WEBHOOK_URL: "https://canary.example/chat",
    NOTIFICATION_SMS_TWILIO: "true",
    NOTIFICATION_MASTODON: "true",
    NOTIFICATION_MISSKEY: "false",
    NOTIFICATION_SLACK_BOT_TOKEN: "canary-bot",
    NOTIFICATION_LARK: "",
  };
  await using rig = await alertRig(scratch, { secrets });
  const note = [
    "Not carried over from Upptime: Zulip (NOTIFICATION_ZULIP_MESSAGE_URL)",
    "Gotify (NOTIFICATION_GOTIFY)",
    "Google Chat (NOTIFICATION_GOOGLE_CHAT_WEBHOOK_URL)",
    "SMS (NOTIFICATION_SMS_TWILIO)",
    "Mastodon (NOTIFICATION_MASTODON)",
    "Slack bot (NOTIFICATION_SLACK_BOT_TOKEN); nothing is sent there, so add another channel under notifications",
  ].join(", ");
  const run = await rig.update();
  assertEquals([run.code, run.stderr], [0, `warning: ${note}\n`]);
  const { stdout } = await rig.run("validate");
  assertStringIncludes(stdout, `▲ ${note}.\n`);
  assert(![run.stdout, run.stderr, stdout].some((text) => text.includes("canary")));
});

Deno.test("a run whose secrets turn a channel on, and lack its address, warns and fails", async () => {
  await using scratch = await makeScratch();
  const secrets = { NOTIFICATION_TEAMS: "true", NOTIFICATION_TELEGRAM: "no" };
  await using rig = await alertRig(scratch, { secrets });
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [
    1,
    "warning: Cannot send to teams (NOTIFICATION_TEAMS): $NOTIFICATION_TEAMS_WEBHOOK_URL is not among the secrets of this run; save it with set-secret, check the spelling, and run Setup CI, which adds a new name to uptime.yml\n",
  ]);
});
