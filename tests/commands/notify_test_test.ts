import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { mailServer } from "../helpers/mail_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

/** What is configured, and how `notify-test` is asked. */
interface Asked {
  notifications?: readonly unknown[];
  ofSite?: readonly unknown[];
  secrets?: Readonly<Record<string, string>>;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** Runs `notify-test` in a new folder, in which it must leave nothing. */
async function notifyTest({ notifications, ofSite, secrets = {}, args, env }: Asked) {
  await using scratch = await makeScratch();
  const site = { name: "Shop", url: "https://shop.example", notifications: ofSite };
  await scratch.write(".monitorrc.yml", JSON.stringify({ notifications, sites: [site] }));
  const result = await runTask("notify-test", {
    folder: scratch.path,
    args,
    env: { SECRETS_CONTEXT: JSON.stringify(secrets), ...env },
  });
  const files = await Array.fromAsync(Deno.readDir(scratch.path));
  assertEquals(files.map(({ name }) => name), [".monitorrc.yml"]);
  return { ...result, lines: result.stdout.trimEnd().split("\n") };
}

Deno.test("notify-test numbers the channels, those of sites after the others, and shows what each answered", async () => {
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
  assertEquals([code, stderr, lines.length], [0, "", 8]);
  for (const [index, { type }] of TRIED.entries()) {
    assertMatch(lines[index]!, new RegExp(`^✔ ${index + 1}\\. ${type}\\b.*: answered 20[0-4]`));
  }
  assertMatch(lines[7]!, /^✔ 8\. webhook \(127\.0\.0\.1:\d+\): answered 200: ok$/);
  assertEquals(own.seen[0]!.json.type, "test");
  // An alert of PagerDuty is opened and closed again.
  assertEquals(
    seen.map(({ length }) => length),
    TRIED.map(({ type }) => type === "pagerduty" ? 2 : 1),
  );
  assertEquals(own.seen.length, 1);
});

Deno.test("notify-test --channel tries one, and refuses numbers that there are none of", async () => {
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
  assertEquals([none.code, none.stderr], [
    2,
    "error: Cannot find channel 1: none is configured\n",
  ]);
  assertEquals([first.seen.length, second.seen.length], [0, 1]);
});

thoroughly(
  "a channel that fails is an error and costs no other; one that is misconfigured is one too",
  async () => {
    await using refusing = await vendorServer({ status: 403, body: "invalid_token" });
    await using sound = await vendorServer({ status: 204 });
    const { code, stdout, stderr } = await notifyTest({
      notifications: [
        { type: "slack", "webhook-url": "$HOOK" },
        { type: "telegram", "bot-token": "$TOKEN", "chat-id": "1" },
        { type: "webhook", url: sound.url },
      ],
      secrets: { HOOK: `${refusing.url}/services/T0/canary` },
    });
    assertEquals([code, sound.seen.length], [1, 1]);
    assertMatch(stdout, /^✔ 3\. webhook \(127\.0\.0\.1:\d+\): answered 204\n$/);
    const [slack, telegram] = stderr.trimEnd().split("\n");
    assertMatch(slack!, /^error: 1\. slack \(\$HOOK\): Slack \(.*\) answered 403: invalid_token; /);
    assertMatch(
      telegram!,
      /^error: 2\. telegram \(chat 1\): Telegram can't be notified: \$TOKEN is not among the secrets/,
    );
    assert(!/canary/.test(stdout + stderr));
    const wrong = await notifyTest({
      notifications: [{ type: "slack" }, { type: "webhook", url: sound.url }],
    });
    assertEquals([wrong.code, sound.seen.length], [1, 2]);
    assertStringIncludes(wrong.stderr, "notifications[0].webhook-url: is missing: slack needs it");
  },
);

thoroughly(
  "notify-test --dry-run and --json show payloads and answers, and no secret",
  async () => {
    await using stack = new AsyncDisposableStack();
    const servers = [];
    const notifications: Notification[] = [];
    for (const { yes, notification } of TRIED) {
      const server = stack.use(await vendorServer(yes));
      servers.push(server);
      notifications.push(notification(server.url));
    }
    const asked = { notifications, secrets: CANARIES };
    const dry = await notifyTest({ ...asked, args: ["--dry-run"] });
    assertEquals([dry.code, dry.stderr], [0, ""]);
    assertMatch(dry.stdout, /^1\. webhook .* would be sent\n\n\[\n/);
    const payloads = await notifyTest({ ...asked, args: ["--dry-run", "--json"] });
    assertEquals(servers.map(({ seen }) => seen.length), servers.map(() => 0));
    assertEquals(
      JSON.parse(payloads.stdout).map(({ payload }: { payload: unknown[] }) => payload.length),
      TRIED.map(({ type }) => type === "pagerduty" ? 2 : 1),
    );
    const answers = await notifyTest({ ...asked, args: ["--json"] });
    const [first, ...others] = JSON.parse(answers.stdout);
    assertEquals([first.number, first.answer, first.failure], [1, "answered 204", null]);
    assertEquals(others.length, TRIED.length - 1);
    for (const { stdout } of [dry, payloads, answers]) {
      for (const secret of Object.values(CANARIES)) {
        assert(!stdout.includes(secret) && !stdout.includes(JSON.stringify(secret).slice(1, -1)));
      }
    }
  },
);

Deno.test("without a channel notify-test says so, and that is no failure", async () => {
  const { code, stdout, stderr } = await notifyTest({});
  assertEquals([code, stdout, stderr], [
    0,
    "No channel is configured: there is nobody to tell.\n",
    "",
  ]);
  assertEquals(JSON.parse((await notifyTest({ args: ["--json"] })).stdout), []);
});

Deno.test("the NOTIFICATION_ secrets of Upptime's users are channels, and what they hold is masked", async () => {
  await using mail = await mailServer({
    hideSTARTTLS: true,
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
  });
  await using hook = await vendorServer({ status: 200, body: "ok" });
  const secrets = {
    NOTIFICATION_EMAIL_SMTP: "true",
    NOTIFICATION_EMAIL: "jo@canary.example",
    NOTIFICATION_EMAIL_SMTP_HOST: "127.0.0.1",
    NOTIFICATION_EMAIL_SMTP_PORT: String(mail.port),
    NOTIFICATION_EMAIL_SMTP_USERNAME: "canary-user",
    NOTIFICATION_EMAIL_SMTP_PASSWORD: "canary-password",
    NOTIFICATION_SLACK: "true",
    NOTIFICATION_SLACK_WEBHOOK: "true",
    NOTIFICATION_SLACK_WEBHOOK_URL: `${hook.url}/canary-slack`,
    NOTIFICATION_DISCORD_WEBHOOK_URL: `${hook.url}/canary-discord`,
    NOTIFICATION_TEAMS: "true",
    NOTIFICATION_TEAMS_WEBHOOK_URL: `${hook.url}/canary-teams`,
    NOTIFICATION_CUSTOM_WEBHOOK: "true",
    NOTIFICATION_CUSTOM_WEBHOOK_URL: `${hook.url}/canary-custom`,
  };
  const env = { GITHUB_ACTIONS: "true" };
  const { code, stdout, stderr, lines } = await notifyTest({ secrets, env });
  assertEquals([code, stderr], [0, ""], stdout);
  const masks = lines.filter((line) => line.startsWith("::add-mask::"));
  assertEquals(masks.includes("::add-mask::canary-password"), true);
  const shown = lines.filter((line) => !masks.includes(line));
  assertEquals(shown.map((line) => /^✔ \d\. \w+/.exec(line)?.[0]), [
    "✔ 1. email",
    "✔ 2. slack",
    "✔ 3. discord",
    "✔ 4. teams",
    "✔ 5. webhook",
  ]);
  assert(!/canary/.test(shown.join("\n")), shown.join("\n"));
  assertEquals(hook.seen.map(({ path }) => path).sort(), [
    "/canary-custom",
    "/canary-discord",
    "/canary-slack",
    "/canary-teams",
  ]);
  const custom = hook.seen.find(({ path }) => path === "/canary-custom")!;
  assertMatch(custom.json.data.message, /\(\) is test$/);
  assertEquals(mail.received.map(({ user, to }) => [user, to]), [[
    "canary-user",
    ["jo@canary.example"],
  ]]);
});

Deno.test("of the NOTIFICATION_ secrets, a switch that is off leaves its channel out, and each chat of a list is told", async () => {
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

thoroughly(
  "secrets may also come from a file, and a configuration that can't be used is wrong usage",
  async () => {
    await using hook = await vendorServer({ status: 204 });
    await using scratch = await makeScratch();
    const { path: folder } = scratch;
    await scratch.write(
      ".monitorrc.yml",
      "sites: []\nnotifications: [{ type: webhook, url: $HOOK }]\n",
    );
    await scratch.write(".env", `HOOK=${hook.url}\n`);
    const result = await runTask("notify-test", { folder, args: ["--secrets", ".env"] });
    assertEquals([result.code, hook.seen.length], [0, 1], result.stderr);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), "sites: {}\n");
    const wrong = await runTask("notify-test", { folder });
    assertEquals(wrong.code, 2);
    assertStringIncludes(wrong.stderr, "Cannot send anything: see .monitorrc.yml");
  },
);
