import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

const SLACK = { type: "slack", "webhook-url": "https://hooks.slack.com/services/T0/B0/canary" };
const PAGER = { type: "pagerduty", "integration-key": "$PAGER", on: ["down"] };
const SITES = [
  { name: "Shop", url: "https://shop.example", notifications: [{ ...PAGER, on: ["down", "up"] }] },
  { name: "Po|st", url: "https://post.example" },
];

/** Runs `validate` in a new repository; `summary` is what a job would show. */
async function validate(
  { config, args, secrets = {} }: {
    config: unknown;
    args?: readonly string[];
    secrets?: Record<string, string>;
  },
) {
  await using scratch = await makeScratch();
  await git(scratch.path, "init", "--quiet");
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const env = { SECRETS_CONTEXT: JSON.stringify(secrets), GITHUB_ACTIONS: "true" };
  const { code, stdout } = await runTask("validate", { folder: scratch.path, args, env });
  const job = join(scratch.path, ".git/monitor/summary.md");
  const summary = await Deno.readTextFile(job).catch(() => "");
  return { code, summary, stdout: stdout.replace(/^::add-mask::.*\n/gm, "") };
}

Deno.test("validate says who would be told what, on the terminal, as data and on the page of a job", async () => {
  const telegram = { type: "telegram", "bot-token": "$BOT", "chat-id": "$CHAT", on: [] };
  const config = { sites: SITES, notifications: [SLACK, PAGER, telegram] };
  const { code, stdout, summary } = await validate({ config });
  assertEquals(code, 0);
  const [, told] = /Who is told:\n((?: {2}.*\n)+)/.exec(stdout)!;
  assertEquals(told!.trimEnd().split("\n").map((line) => line.trim().replaceAll(/ {2,}/g, "  ")), [
    "slack (hooks.slack.com)  down, degraded, up of all sites (has no on:, so it is notified of every event)",
    "pagerduty ($PAGER)  down, up of Shop",
    "pagerduty ($PAGER)  down of Po|st",
    "telegram (chat $CHAT)  nothing of all sites",
  ]);
  assertStringIncludes(
    summary,
    "| slack (hooks.slack.com) | down, degraded, up (has no on:, so it is notified of every event) | all sites |",
  );
  assertStringIncludes(summary, "| down | Po\\|st |");
  const json = await validate({ config, args: ["--json"] });
  assertEquals(JSON.parse(json.stdout).channels[1], {
    channel: "pagerduty ($PAGER)",
    events: ["down", "up"],
    sites: ["Shop"],
    note: null,
  });
  for (const text of [stdout, summary, json.stdout]) assert(!text.includes("canary"), text);
});

Deno.test("validate counts the channels that secrets alone set up, and shows nothing of these", async () => {
  const secrets = {
    NOTIFICATION_EMAIL_SMTP: "true",
    NOTIFICATION_EMAIL_SMTP_HOST: "mail.canary.example",
    NOTIFICATION_EMAIL: "jo@canary.example",
    NOTIFICATION_DISCORD_WEBHOOK_URL: "https://discord.com/api/webhooks/1/canary",
    NOTIFICATION_TELEGRAM: "true",
    NOTIFICATION_TELEGRAM_BOT_KEY: "1:canary",
    NOTIFICATION_TELEGRAM_CHAT_ID: "-1001234567890",
    NOTIFICATION_SLACK: "false",
    NOTIFICATION_SLACK_WEBHOOK_URL: "https://hooks.slack.com/canary",
  };
  const config = { sites: SITES };
  const { code, stdout } = await validate({ config, secrets, args: ["--json"] });
  const { channels } = JSON.parse(stdout);
  assertEquals([code, channels.map(({ channel }: { channel: string }) => channel)], [0, [
    "email ($NOTIFICATION_EMAIL)",
    "discord ($NOTIFICATION_DISCORD_WEBHOOK_URL)",
    "telegram (chat $NOTIFICATION_TELEGRAM_CHAT_ID)",
    "pagerduty ($PAGER)",
  ]]);
  const text = (await validate({ config, secrets })).stdout;
  assertStringIncludes(text, "  email ($NOTIFICATION_EMAIL)  ");
  assert(!/slack|canary|-1001234/.test(stdout + text), text);
});
