import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { mailServer } from "../helpers/mail_server.ts";
import { notifyTest, ON, SLACK, TAKEN, webhookAt } from "../helpers/notify_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import {
  type VendorAnswer,
  type VendorServer,
  vendorServer,
} from "../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { everydayNote } from "../../lib/io/secrets/secrets.ts";

Deno.test("every kind of channel is notified of an outage and its end; a run without changes notifies none", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const mail = stack.use(await mailServer({ hideSTARTTLS: true }));
  const servers = new Map<string, VendorServer>();
  const notifications: Notification[] = [{
    type: "email",
    "smtp-host": "127.0.0.1",
    "smtp-port": String(mail.port),
    from: "monitor@acme.example",
    to: ["jo@acme.example"],
    on: ["down", "up"],
  }];
  for (const { type, yes, notification } of TRIED) {
    const server = stack.use(await vendorServer(yes));
    servers.set(type, server);
    notifications.push({ ...notification(server.url), on: ["down", "up"] });
  }
  const rig = stack.use(await makeRig(scratch, { git: false, notifications, secrets: CANARIES }));
  const counts =
    () => [mail.received.length, ...[...servers.values()].map(({ seen }) => seen.length)];
  const each = (count: number) => Array(TRIED.length + 1).fill(count);
  const up = await rig.update();
  assertEquals([up.code, up.stderr, counts()], [0, "", each(0)]);
  rig.turn(503);
  const down = await rig.update();
  assertEquals([down.code, down.stderr, counts()], [0, "", each(1)]);
  for (const { type } of TRIED) {
    assertMatch(down.stdout, new RegExp(`^Done: notify ${type} about Shop$`, "m"));
    const text = decodeURIComponent(servers.get(type)!.seen[0]!.text.replaceAll("+", " "));
    assertMatch(text, /Shop is down.*answered 503 Service Unav/s);
  }
  assertEquals((await rig.update()).code, 0);
  assertEquals(counts(), each(1));
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals(counts(), each(2));
  assertMatch(
    mail.received.map(({ mail: { subject } }) => subject).join("; "),
    /^🛑 Shop is down; ✅ Shop is up again after (?:less than a second|[0-9.]+ seconds?)$/,
  );
  const pages = servers.get("pagerduty")!.seen.map(({ json }) => json);
  assertEquals(pages.map((json) => json.event_action), ["trigger", "resolve"]);
  assertEquals(pages[0].dedup_key, pages[1].dedup_key);
});

/** A failure that may pass, with a wait so long that no run waits for it. */
const BUSY: VendorAnswer = { status: 500, headers: { "Retry-After": "60" } };

Deno.test("a message that failed is sent by a later run once, with the present state; other channels get theirs at once", async () => {
  await using scratch = await makeScratch();
  await using broken = await vendorServer(TAKEN, [BUSY]);
  await using sound = await vendorServer(TAKEN);
  const notifications = [webhookAt(broken.url), webhookAt(sound.url)];
  await using rig = await makeRig(scratch, { git: false, notifications });
  rig.turn(503);
  const { code, stderr } = await rig.update();
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^warning: The webhook \(127\.0\.0\.1:\d+\) answered 500\. The next run tries again: notify webhook about Shop$/m,
  );
  assertEquals(listMessages(sound), ["shop down"]);
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals([broken.seen.length, listMessages(sound)], [1, ["shop down", "shop up"]]);
  await rig.age(61);
  assertEquals((await rig.update()).code, 0);
  assertEquals(listMessages(broken), ["shop down", "shop up"]);
  assertMatch(broken.seen[1]!.json.headline, /^Shop was down for /);
  assertEquals(sound.seen.length, 2);
});

const MAIL = {
  type: "email",
  "smtp-host": "mail.example",
  "smtp-username": "monitor",
  "smtp-password": "$MAIL_PASSWORD",
  from: "a@b.example",
  to: ["jo@b.example"],
  on: ON,
} as const;

Deno.test("a channel that can't work fails each run, and the other channels report it once, and its cure", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const works = webhookAt(hook.url);
  const broken = ["$WRONG", "$EMPTY", undefined].map((address) => (
    { type: "slack", "webhook-url": address, on: [...ON] } as Notification
  ));
  // GitHub passes an empty text for a secret that was never saved.
  const secrets = { WRONG: "hooks.slack.example/canary", EMPTY: "" };
  await using rig = await makeRig(scratch, {
    git: false,
    notifications: [works, ...broken],
    secrets,
  });
  const wrong =
    "Notification channel slack ($WRONG) can't work: webhook-url ($WRONG) is not an http or https address once its secrets are in place";
  for (const status of [200, 503]) {
    rig.turn(status);
    const { code, stderr } = await rig.update();
    assertEquals(code, 1);
    assertStringIncludes(stderr, `error: ${wrong}\n`);
    assertStringIncludes(stderr, "notifications[3].webhook-url: is missing: slack needs it");
    assertStringIncludes(
      stderr,
      'warning: Cannot send to slack ($EMPTY): $EMPTY is not among the secrets of this run; save it with "monitor set-secret EMPTY", check the spelling, and run Setup CI, which adds a new name to uptime.yml\n',
    );
    assert(!stderr.includes("canary"));
  }
  assertEquals(hook.seen.map(({ json }) => json.text.replace(/(?<=is down).*/s, "")).sort(), [
    "Notification channel slack ($EMPTY) can't work: $EMPTY has no value; change the setting or its secret",
    `${wrong}; change the setting or its secret`,
    "Notification channel slack (line 1) can't work: webhook-url: is missing: slack needs it; change it in .monitorrc.yml",
    "Shop is down",
  ]);
  assertStringIncludes((await rig.run("validate")).stdout, `▲ ${wrong}.\n`);
  rig.give({ WRONG: `${hook.url}/slack`, EMPTY: `${hook.url}/slack` });
  await rig.configure({ notifications: [works, ...broken.slice(0, 2)] });
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  const later = hook.seen.slice(4).map(({ json }) => json.text.split("\n")[0]);
  const end = "has no problem any more: It works, or is no longer configured";
  assertEquals(later.sort(), [
    ...["slack ($EMPTY)", "slack ($WRONG)", "slack"].map((name) =>
      `Notification channel ${name} ${end}`
    ),
    "🛑 Shop is down",
    "🛑 Shop is down",
  ]);
});

Deno.test("a run without any secrets says in one line which channels it can't use, and succeeds", async () => {
  await using scratch = await makeScratch();
  const notifications = [SLACK, MAIL].map((one) => ({ ...one, on: [...ON] })) as never[];
  await using rig = await makeRig(scratch, { git: false, notifications });
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
    NOTIFICATION_SMS_PLIVO: "true",
    NOTIFICATION_SMS_PLIVO_AUTH_TOKEN: "canary-key",
    NOTIFICATION_MASTODON: "true",
    NOTIFICATION_MISSKEY: "false",
    NOTIFICATION_SLACK_BOT_TOKEN: "canary-bot",
    NOTIFICATION_LARK: "",
  };
  await using rig = await makeRig(scratch, { git: false, secrets });
  const note = [
    "Not carried over from Upptime: SMS (NOTIFICATION_SMS_PLIVO)",
    "Mastodon (NOTIFICATION_MASTODON)",
    "Slack bot (NOTIFICATION_SLACK_BOT_TOKEN); nothing is sent there, so add another channel under notifications",
  ].join(", ");
  const run = await rig.update();
  const words = everydayNote([
    "NOTIFICATION_MASTODON",
    "NOTIFICATION_MISSKEY",
    "NOTIFICATION_SMS_PLIVO",
  ]);
  assertEquals([run.code, run.stderr], [0, `warning: ${note}\nwarning: ${words}\n`]);
  const { stdout } = await rig.run("validate");
  assertStringIncludes(stdout, `▲ ${note}.\n`);
  assert(![run.stdout, run.stderr, stdout].some((text) => text.includes("canary")));
});

Deno.test("notify-test numbers the channels, those of sites last, and shows each answer", async () => {
  await using stack = new AsyncDisposableStack();
  const notifications: Notification[] = [];
  const seen = [];
  for (const { yes, notification } of TRIED) {
    const server = stack.use(await vendorServer(yes));
    seen.push(server.seen);
    notifications.push(notification(server.url));
  }
  const own = stack.use(await vendorServer({ status: 200, body: "ok" }));
  const { code, lines, stderr } = await notifyTest({
    notifications,
    ofSite: [notifications[0], { type: "webhook", url: own.url }],
    secrets: CANARIES,
  });
  assertEquals([code, stderr, lines.length], [0, "", TRIED.length + 1]);
  for (const [index, { type }] of TRIED.entries()) {
    assertMatch(lines[index]!, new RegExp(`^✔ ${index + 1}\\. ${type}\\b.*: answered 20[0-4]`));
  }
  assertMatch(
    lines.at(-1)!,
    new RegExp(`^✔ ${lines.length}\\. webhook \\(127\\.0\\.0\\.1:\\d+\\): answered 200: ok$`),
  );
  assertEquals(own.seen[0]!.json.type, "test");
  // An alert is opened and closed again.
  const alerts = ["pagerduty", "jsm", "incident-io"];
  assertEquals(
    seen.map(({ length }) => length),
    TRIED.map(({ type }) => alerts.includes(type) ? 2 : 1),
  );
  assertEquals(own.seen.length, 1);
});

Deno.test("notify-test --channel tests one channel, and rejects unknown numbers", async () => {
  await using first = await vendorServer({ status: 204 });
  await using second = await vendorServer({ status: 204 });
  const notifications = [first, second].map(({ url }) => ({ type: "webhook", url }));
  const { code, lines } = await notifyTest({ notifications, args: ["--channel", "2"] });
  assertEquals([code, lines.length, first.seen.length, second.seen.length], [0, 1, 0, 1]);
  assertMatch(lines[0]!, /^✔ 2\. webhook /);
  for (const number of ["0", "3", "-1", "1.0", "x"]) {
    const { code, stdout, stderr } = await notifyTest({
      notifications,
      args: [`--channel=${number}`],
    });
    assertEquals([code, stdout], [2, ""]);
    assertEquals(stderr, `error: Cannot find channel ${number}: they are 1 to 2\n`);
  }
  const none = await notifyTest({ args: ["--channel", "1"] });
  assertEquals([none.code, none.stderr], [2, "error: Cannot find channel 1: none is configured\n"]);
  assertEquals([first.seen.length, second.seen.length], [0, 1]);
});

Deno.test("notify-test names a failing channel as an error, also as JSON, and tests the others", async () => {
  await using refusing = await vendorServer({ status: 403, body: "invalid_token" });
  await using sound = await vendorServer(TAKEN);
  const asked = {
    notifications: [
      { type: "slack", "webhook-url": "$HOOK" },
      { type: "telegram", "bot-token": "$TOKEN", "chat-id": "1" },
      { type: "webhook", url: sound.url },
      { type: "slack" },
    ],
    secrets: { HOOK: `${refusing.url}/services/T0/canary` },
  };
  const { code, stdout, stderr } = await notifyTest(asked);
  assertEquals([code, sound.seen.length], [1, 1]);
  assertMatch(stdout, /^✔ 3\. webhook \(127\.0\.0\.1:\d+\): answered 204\n$/);
  assertMatch(stderr, /^error: 1\. slack \(\$HOOK\): Slack \(.*\) answered 403: invalid_token; /m);
  assertMatch(
    stderr,
    /^error: 2\. telegram \(chat 1\): Telegram can't .*: secret TOKEN is missing/m,
  );
  assertStringIncludes(stderr, "notifications[3].webhook-url: is missing: slack needs it");
  const json = await notifyTest({ ...asked, args: ["--json"] });
  const [first, , third] = JSON.parse(json.stdout);
  assertEquals([first.number, first.answer], [1, null]);
  assertEquals([third.number, third.answer, third.failure], [3, "answered 204", null]);
  assert(!/canary/.test(stdout + stderr + json.stdout + json.stderr));
});

Deno.test("notify-test without channels says so and succeeds", async () => {
  const { code, stdout, stderr } = await notifyTest({});
  assertEquals([code, stdout, stderr], [
    0,
    'No channel is configured: nothing was sent. "monitor notify-test --preview slack" shows the messages of a channel type.\n',
    "",
  ]);
  assertEquals(JSON.parse((await notifyTest({ args: ["--json"] })).stdout), []);
});

Deno.test("of the NOTIFICATION_ secrets, a switch that is off leaves its channel out, and each chat of a list is notified", async () => {
  const secrets = {
    NOTIFICATION_TELEGRAM: "true",
    NOTIFICATION_TELEGRAM_BOT_KEY: "123456:canary",
    NOTIFICATION_TELEGRAM_CHAT_ID: "-100123456, -100234567,",
    NOTIFICATION_SLACK: "false",
    NOTIFICATION_SLACK_WEBHOOK_URL: "https://hooks.slack.example/canary",
    NOTIFICATION_TEAMS: "off",
    NOTIFICATION_TEAMS_WEBHOOK_URL: "https://teams.example/canary",
  };
  const { code, stdout } = await notifyTest({ secrets, args: ["--dry-run", "--json"] });
  const channels = JSON.parse(stdout);
  assertEquals(code, 0);
  assertEquals(channels.map(({ channel }: { channel: string }) => channel), [
    "telegram (chat $NOTIFICATION_TELEGRAM_CHAT_ID_1)",
    "telegram (chat $NOTIFICATION_TELEGRAM_CHAT_ID_2)",
  ]);
  assert(!/canary|-100/.test(stdout), stdout);
});
