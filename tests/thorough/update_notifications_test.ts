import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { KILL, wrapGit } from "../helpers/git_wrapper.ts";
import { githubServer } from "../helpers/github_server.ts";
import { killGroup } from "../helpers/incident_program.ts";
import { notifyTest, ON, SLACK, TAKEN, webhookAt } from "../helpers/notify_rig.ts";
import { patientClock } from "../helpers/patient_clock.ts";
import { output, runTask, spawnTask } from "../helpers/program.ts";
import { cloneRemote, writeHook } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  type VendorServer,
  vendorServer,
} from "../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED } from "../helpers/vendors/vendors.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";

Deno.test("on: selects a channel's events, and listings for all sites and for one are merged", async () => {
  await using scratch = await makeScratch();
  await using ends = await vendorServer(TAKEN);
  await using both = await vendorServer(TAKEN);
  await using own = await vendorServer(TAKEN);
  const listed: Notification = { type: "webhook", url: both.url, on: ["down", "up"] };
  await using rig = await makeRig(scratch, {
    git: false,
    sites: {
      Shop: { notifications: [listed, { type: "webhook", url: own.url, on: ["down"] }] },
      Post: {},
    },
    notifications: [{ type: "webhook", url: ends.url, on: ["up"] }, listed],
  });
  rig.turn(503);
  await rig.update();
  assertEquals([listMessages(ends), listMessages(both), listMessages(own)], [
    [],
    ["shop down", "post down"],
    ["shop down"],
  ]);
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
  assertEquals([listMessages(ends), listMessages(both), listMessages(own)], [
    ["shop up", "post up"],
    ["shop down", "post down", "shop up", "post up"],
    ["shop down"],
  ]);
});

Deno.test("with group-notifications several sites that fall in one run are one message", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const sites = { Shop: {}, Post: {}, "Ünï": {} };
  const grouped = { type: "webhook" as const, url: hook.url, "group-notifications": true };
  await using rig = await makeRig(scratch, { git: false, sites, notifications: [grouped] });
  rig.turn(503);
  await rig.update();
  assertEquals(listMessages(hook), ["shop down, post down, ünï down"]);
  assertEquals(hook.seen[0]!.json.headline, "Shop, Post and Ünï are down");
});

Deno.test("whole runs decide steps and keep quiet hours", async () => {
  await using scratch = await makeScratch();
  await using first = await vendorServer(TAKEN);
  await using second = await vendorServer(TAKEN);
  await using sleeper = await vendorServer(TAKEN);
  const at = (hours: number) => Temporal.Now.instant().add({ hours }).toString().slice(11, 16);
  const own = (url: string, more: object = {}) =>
    ({ type: "webhook", url, ...more }) as Notification;
  const notifications = (after: string, quiet?: object) => [
    own(first.url, { sites: ["Shop"] }),
    own(second.url, { after }),
    own(sleeper.url, { quiet }),
  ];
  const sites = { Shop: {}, Post: {} };
  const night = { from: at(-1), to: at(2) };
  await using rig = await makeRig(scratch, { sites, notifications: notifications("1h", night) });
  const messages = () => [first, second, sleeper].map(listMessages);
  rig.turn(503);
  await rig.update();
  assertEquals(messages(), [["shop down"], [], []]);
  await rig.configure({ notifications: notifications("1ms", night) });
  await rig.update();
  assertEquals(messages(), [["shop down"], ["shop down", "post down"], []]);
  rig.turn(200, "Post");
  await rig.configure({ notifications: notifications("1ms") });
  await rig.update();
  assertEquals(messages(), [
    ["shop down"],
    ["shop down", "post down", "post up"],
    ["post up", "shop down"],
  ]);
  assertMatch(sleeper.seen[0]!.json.headline, /^Post was down for /);
});

Deno.test("if a site that is down is removed from the configuration, the channels that were notified of it are notified", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using downs = await vendorServer(TAKEN);
  const notifications: Notification[] = [
    { type: "webhook", url: hook.url, on: ["down", "up"] },
    { type: "webhook", url: downs.url, on: ["down"] },
  ];
  await using rig = await makeRig(scratch, {
    git: false,
    sites: { Shop: {}, Post: {} },
    notifications,
  });
  rig.turn(500, "Shop");
  await rig.update();
  await rig.configure({ sites: { Post: {} }, notifications });
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  assertEquals([listMessages(hook), listMessages(downs)], [["shop down", "shop up"], [
    "shop down",
  ]]);
  assertMatch(hook.seen[1]!.json.headline, /^shop is no longer monitored/);
});

Deno.test("messages link to the issue that the same run has opened", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using hook = await vendorServer(TAKEN);
  await using slack = await vendorServer({ status: 200, body: "ok" });
  await using rig = await makeRig(scratch, {
    git: false,
    notifications: [
      { type: "webhook", url: hook.url, on: ["down", "up"] },
      { type: "slack", "webhook-url": slack.url, on: ["down", "up"] },
    ],
  });
  const update = () => rig.update({ env: github.env, clock: patientClock });
  for (const code of [503, 200]) {
    rig.turn(code);
    assertEquals((await update()).code, 0);
  }
  const issue = "https://github.com/acme/status/issues/1";
  assertEquals(hook.seen.map(({ json }) => json.events[0].incident.url), [issue, issue]);
  for (const { text } of slack.seen) assertStringIncludes(text, issue);
  assertEquals((await github.issues()).length, 1);
});

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

Deno.test("an error that a person must fix names the setting, and no part of the address", async () => {
  await using scratch = await makeScratch();
  await using gone = await vendorServer({ status: 404, body: "no_service" });
  await using sound = await vendorServer(TAKEN);
  const slack: Notification = { type: "slack", "webhook-url": "$HOOK", on: ["down"] };
  await using rig = await makeRig(scratch, {
    git: false,
    notifications: [slack, webhookAt(sound.url)],
    secrets: { HOOK: `${gone.url}/services/T0/B0/canary` },
  });
  rig.turn(503);
  const { code, stdout, stderr } = await rig.update();
  assertEquals([code, listMessages(sound)], [1, ["shop down"]]);
  assertStringIncludes(stderr, "answered 404: no_service; the webhook was deleted or is disabled");
  assertStringIncludes(stderr, "change webhook-url");
  assert(!/canary|services/.test(stdout + stderr), stderr);
  assertMatch(stdout, /^1 down\. Recorded: /m);
  await using found = await vendorServer({ status: 200, body: "ok" });
  rig.give({ HOOK: found.url });
  assertEquals((await rig.update()).code, 0);
  assertEquals([found.seen.length, gone.seen.length, sound.seen.length], [1, 1, 1]);
});

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

Deno.test("an alert is sent even if the remote rejects pushes", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await makeRig(scratch, { notifications: [webhookAt(hook.url)] });
  await rig.update();
  await writeHook(rig.remote, "pre-receive", "echo no >&2; exit 1");
  rig.turn(503);
  const { code, stdout } = await rig.update();
  assertEquals([code, listMessages(hook)], [1, ["shop down"]], stdout);
  const again = await rig.update();
  assertEquals([again.code, new Set(listMessages(hook))], [1, new Set(["shop down"])]);
  await Deno.remove(join(rig.remote, "hooks", "pre-receive"));
  rig.turn(200);
  assertEquals((await rig.update()).code, 0);
});

Deno.test("a run that is killed once a message has arrived, and before that is noted, leaves it to a later one, under the same id", async () => {
  await using scratch = await makeScratch();
  const seen: { id: string | null; events: string[] }[] = [];
  let pid: number | undefined;
  await using hook = httpServer(async (request) => {
    const { events } = await request.json();
    const types = events.map(({ type }: { type: string }) => type);
    seen.push({ id: request.headers.get("x-monitor-delivery"), events: types });
    if (pid !== undefined) killGroup(pid);
    return new Response(null, { status: 204 });
  });
  await using rig = await makeRig(scratch, { notifications: [webhookAt(hook.url)] });
  await rig.update();
  rig.turn(503);
  const child = spawnTask("update", { folder: rig.folder });
  pid = child.pid;
  await output(child);
  pid = undefined;
  assertEquals(seen.length, 1);
  await rig.update();
  assertEquals(seen.length, 1, "another run may still be at it");
  await rig.age(660);
  assertEquals((await rig.update()).code, 0);
  assertEquals(seen.map(({ events }) => events), [["down"], ["down"]]);
  assertEquals(seen[0]!.id, seen[1]!.id);
});

Deno.test("runs at the same moment, each in its own clone, send one message", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await makeRig(scratch, { notifications: [webhookAt(hook.url)] });
  const other = await cloneRemote(rig.remote, join(scratch.path, "other"));
  await rig.update();
  for (const code of [503, 200]) {
    rig.turn(code);
    const runs = await Promise.all([rig.update(), rig.update({ folder: other })]);
    assertEquals(runs.map(({ code }) => code), [0, 0]);
  }
  assertEquals(listMessages(hook), ["shop down", "shop up"]);
});

Deno.test("a channel that was away is sent the present state of each site, no backlog", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN, [BUSY]);
  await using rig = await makeRig(scratch, {
    git: false,
    sites: { Shop: {}, Post: {} },
    notifications: [webhookAt(hook.url)],
  });
  for (const code of [503, 200, 503, 200]) {
    rig.turn(code, "Shop");
    assertEquals((await rig.update()).code, 0);
  }
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(listMessages(hook), ["shop down"]);
  await rig.age(61);
  assertEquals((await rig.update()).code, 0);
  assertEquals(listMessages(hook).slice(1), ["shop up, shop up", "post down"]);
  assertMatch(hook.seen[1]!.json.headline, /^Shop was down for /);
  await rig.update();
  assertEquals(hook.seen.length, 3);
});

Deno.test("messages of a killed run are sent by the first run after three minutes, and block no others", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await makeRig(scratch, {
    sites: { Shop: {}, Post: {} },
    notifications: [webhookAt(hook.url)],
  });
  await rig.update();
  const wrapped = await wrapGit(scratch.path);
  await wrapped.before(`if [ "$command" = push ]; then git "$@"; ${KILL}; fi`);
  rig.turn(503, "Shop");
  assertEquals((await rig.updateProcess({ env: wrapped.env })).code, 137);
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(listMessages(hook), ["post down"]);
  await rig.age(120);
  await rig.update();
  assertEquals(listMessages(hook), ["post down"]);
  await rig.age(65);
  await rig.update();
  assertEquals(listMessages(hook), ["post down", "shop down"]);
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

const ACCEPTED = { status: 202, body: "{}" };

/** Sites that go down at once, and the number of requests that a vendor accepts before it rate-limits for a minute. */
const EVENTS = 20;

const LIMIT = 12;

const ENOUGH: VendorAnswer = { status: 429, headers: { "Retry-After": "60" } };

/** A vendor of one event at a time. */
interface Vendor {
  keys: Omit<Notification, "url">;
  /** The site that a request is about. */
  siteIn(request: SeenRequest): string;
}

const VENDORS: Vendor[] = [
  {
    keys: { type: "pagerduty", "integration-key": "$KEY" },
    siteIn: ({ json }) => json.payload.component,
  },
  {
    keys: { type: "datadog", "api-key": "$KEY" },
    siteIn: ({ json }) => json.tags.find((tag: string) => tag.startsWith("site:")).slice(5),
  },
  {
    keys: { type: "webhook", body: '{"site": "$SITE_NAME"}' },
    siteIn: ({ json }) => json.site.toLowerCase(),
  },
];

/** The sites of the accepted requests, sorted. */
function taken({ siteIn }: Vendor, { seen }: VendorServer): string[] {
  // The one after the limit was refused.
  return seen.filter((_, index) => index !== LIMIT).map(siteIn).sort();
}

Deno.test("vendors that take one event at a time get each of 20 events once, whatever their limit", async () => {
  await using scratch = await makeScratch();
  await using closing = new AsyncDisposableStack();
  const servers = await Promise.all(VENDORS.map(async () =>
    closing.use(
      await vendorServer(ACCEPTED, [...Array.from({ length: LIMIT }, () => ACCEPTED), ENOUGH]),
    )
  ));
  const notifications = VENDORS.map(({ keys }, index): Notification => ({
    ...keys,
    url: servers[index]!.url,
    on: ["down"],
    "group-notifications": true,
  }));
  const names = Array.from({ length: EVENTS }, (_, index) => `s${1000 + index}`);
  const sites = Object.fromEntries(names.map((name) => [name, {}]));
  await using rig = await makeRig(scratch, {
    git: false,
    sites,
    notifications,
    secrets: { KEY: "canary-key" },
  });
  rig.turn(503);
  const first = await rig.update();
  assertEquals(first.code, 0);
  assertEquals(servers.map(({ seen }) => seen.length), VENDORS.map(() => LIMIT + 1));
  await rig.age(61);
  const second = await rig.update();
  assertEquals([second.code, second.stderr.replace(/^.*notifications\[2\]\..*\n/, "")], [0, ""]);
  for (const [index, vendor] of VENDORS.entries()) {
    assertEquals(taken(vendor, servers[index]!), names, vendor.keys.type);
  }
});

/** Channels as people write them, wrong values included. */
function channels(...written: Record<string, unknown>[]): Notification[] {
  return written as unknown as Notification[];
}

Deno.test("a channel that can't work fails each run, and the other channels report it once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const works = { type: "webhook", url: hook.url, on: ["down", "up"] };
  const broken = { type: "slack", on: ["down"] };
  await using rig = await makeRig(scratch, { git: false, notifications: channels(works, broken) });
  const codes = [];
  for (const status of [200, 200, 503]) {
    rig.turn(status);
    const { code, stderr } = await rig.update();
    codes.push(code);
    assertStringIncludes(stderr, "notifications[1].webhook-url: is missing: slack needs it");
  }
  assertEquals(codes, [1, 1, 1]);
  assertEquals(listMessages(hook), ["notice notice", "shop down"]);
  const [{ text, events: [{ error }] }] = hook.seen.map(({ json }) => json);
  assertEquals(text, `Notification channel slack (line 1) can't work: ${error}`);
  assertEquals(error, "webhook-url: is missing: slack needs it; change it in .monitorrc.yml");
  // Once it works again, the same problem is a new one.
  await rig.configure({ notifications: channels(works) });
  assertEquals((await rig.update()).code, 0);
  await rig.configure({ notifications: channels(works, broken) });
  assertEquals((await rig.update()).code, 1);
  const titles = hook.seen.map(({ json }) => json.events[0].text.split(":")[0]);
  const problem = "Notification channel slack (line 1) can't work";
  assertEquals([titles[0], titles.at(-1)], [problem, problem]);
  assertEquals(titles.slice(1, -1), [
    "Shop is down",
    "Notification channel slack has no problem any more",
  ]);
});

Deno.test("a failing or misconfigured channel is an error, and affects no other channel", async () => {
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
    /^error: 2\. telegram \(chat 1\): Telegram can't be notified: secret TOKEN is missing/,
  );
  assert(!/canary/.test(stdout + stderr));
  const wrong = await notifyTest({
    notifications: [{ type: "slack" }, { type: "webhook", url: sound.url }],
  });
  assertEquals([wrong.code, sound.seen.length], [1, 2]);
  assertStringIncludes(wrong.stderr, "notifications[0].webhook-url: is missing: slack needs it");
});

Deno.test("notify-test --dry-run and --json show payloads and answers, and no secret", async () => {
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
    TRIED.map(({ type }) => ["pagerduty", "jsm", "incident-io"].includes(type) ? 2 : 1),
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
});

Deno.test("secrets may also come from a file, and a configuration that can't be used is wrong usage", async () => {
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
});

Deno.test("a channel that fails for a while loses none of its queued messages", async () => {
  await using scratch = await makeScratch();
  await using broken = await vendorServer(TAKEN, [BUSY]);
  await using seldom = await vendorServer(TAKEN);
  const notifications = [webhookAt(broken.url), webhookAt(seldom.url, { "min-interval": 300 })];
  await using rig = await makeRig(scratch, {
    git: false,
    sites: { Shop: {}, Post: {} },
    notifications,
  });
  for (const name of ["", "Shop", "Post"]) {
    if (name !== "") rig.turn(503, name);
    await rig.update();
  }
  const wrong = { url: 5 } as unknown as Partial<Notification>;
  await rig.configure({ notifications: notifications.map((one) => ({ ...one, ...wrong })) });
  await rig.age(61);
  rig.turn(200, "Shop");
  const { code, stderr } = await rig.update();
  assertEquals(code, 1);
  assertStringIncludes(stderr, "notifications[1].url: expected an address or a $SECRET, found 5");
  assertStringIncludes(stderr, `warning: 2 messages wait ${WAITS}`);
  await rig.configure({ notifications });
  await rig.age(300);
  const after = await rig.update();
  assertEquals([after.code, after.stderr], [0, ""]);
  assertEquals(listMessages(broken), ["shop down", "post down", "shop up"]);
  assertEquals(listMessages(seldom), ["shop down", "shop up, post down"]);
});

Deno.test("a channel whose secret is not a valid address fails each run, and the other channels report it once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const works = { type: "webhook", url: hook.url, on: ["down", "up"] };
  const broken = { type: "slack", "webhook-url": "$SLACK_HOOK", on: ["down"] };
  await using rig = await makeRig(scratch, {
    git: false,
    notifications: channels(works, broken),
    secrets: { SLACK_HOOK: "hooks.slack.example/canary" },
  });
  const reason =
    "webhook-url ($SLACK_HOOK) is not an http or https address once its secrets are in place";
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
  assertEquals(listMessages(hook), ["notice notice"]);
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
  // The channel's messages wait; it does not get those of the others.
  rig.turn(503);
  await rig.update();
  rig.give({ SLACK_HOOK: `${hook.url}/slack` });
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
  const slack = hook.seen.filter(({ path }) => path === "/slack");
  assertEquals(slack.map(({ json }) => json.text), ["🛑 Shop is down"]);
});

Deno.test("after the run state is lost, an open outage is notified again with the same id, and so is its end", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  await using rig = await makeRig(scratch, { notifications: [webhookAt(hook.url)] });
  rig.turn(503);
  await rig.update();
  await git(rig.remote, "update-ref", "-d", PENDING_REF);
  for (let run = 0; run < 2; run++) assertEquals((await rig.update()).code, 0);
  rig.turn(200);
  await rig.update();
  assertEquals(listMessages(hook), ["shop down", "shop down", "shop up"]);
  const ids = hook.seen.map(({ headers }) => headers["x-monitor-delivery"]);
  assertEquals([ids[0] === ids[1], ids[1] === ids[2]], [true, false]);
});

Deno.test("each run that has secrets, but not that of a channel, warns and fails while all is up; the rest is done", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const notifications = [SLACK, { type: "webhook", url: `${hook.url}/$HOOK`, on: [...ON] }]
    .map((one) => ({ ...one, on: [...ON] })) as never[];
  // GitHub passes an empty text for a secret that was never saved.
  const given = { HOOK: "canary", SLACK_HOOK: "" };
  await using rig = await makeRig(scratch, { git: false, notifications, secrets: given });
  for (const code of [200, 200, 503]) {
    rig.turn(code);
    const { code: exit, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals(exit, 1);
    assertStringIncludes(
      stdout,
      '::warning::Cannot send to slack ($SLACK_HOOK): $SLACK_HOOK is not among the secrets of this run; save it with "monitor set-secret SLACK_HOOK", check the spelling, and run Setup CI, which adds a new name to uptime.yml\n',
    );
  }
  const texts = () => hook.seen.map(({ json }) => json.text.replace(/(?<=is down).*/s, ""));
  const lacking =
    "Notification channel slack ($SLACK_HOOK) can't work: $SLACK_HOOK has no value; change the setting or its secret";
  assertEquals(texts(), [lacking, "Shop is down"]);
  rig.give({ ...given, SLACK_HOOK: `${hook.url}/slack` });
  rig.turn(200);
  const { code, stderr } = await rig.update();
  assertEquals([code, stderr], [0, ""]);
});

const SITES = { Shop: {}, Post: {}, Mail: {} };

Deno.test("events within the group interval are one message at its end, also across runs", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer(TAKEN);
  const grouped = { "group-notifications": true, "group-interval": 600 };
  await using rig = await makeRig(scratch, {
    git: false,
    sites: SITES,
    notifications: [webhookAt(hook.url, grouped)],
  });
  rig.turn(503, "Shop");
  await rig.update();
  assertEquals(listMessages(hook), ["shop down"]);
  rig.turn(503, "Post");
  await rig.update();
  assertEquals(listMessages(hook).length, 1);
  rig.turn(503, "Mail");
  await rig.age(601);
  assertEquals((await rig.update()).code, 0);
  assertEquals(listMessages(hook), ["shop down", "post down, mail down"]);
});
