import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { eventually } from "../helpers/eventually.ts";
import { githubServer } from "../helpers/github_server.ts";
import { patientClock } from "../helpers/patient_clock.ts";
import { pendingAt } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer, rawServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { type Clock, systemClock } from "../../lib/io/clock.ts";

Deno.test("an error that a person must fix fails the run, which still records; the next run opens the issue", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github });
  const { update, turn } = scene;
  await update();
  turn(503);
  github.state.hasIssues = false;
  const { code, stdout, stderr } = await update({ env: { GITHUB_ACTIONS: "true" } });
  assertEquals([code, stderr], [1, ""]);
  const message =
    "Cannot read the issues in acme/status: its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false. The next run tries again: open an issue for Shop";
  assertStringIncludes(stdout, `::error::${message}`);
  assertMatch(stdout, /^1 down\. Recorded in [\da-f]{7} on branch main at origin\.$/m);
  const summary = await Deno.readTextFile(join(scene.folder, ".git/monitor/summary.md"));
  assertStringIncludes(summary, "its issues are switched off");
  const again = await update();
  assertEquals(again.code, 1);
  github.state.hasIssues = true;
  assertEquals((await update()).code, 0);
  assertEquals((await github.issues()).map(({ title }) => title), ["🛑 Shop is down"]);
});

Deno.test("no token is ever shown or kept, whichever of them is used", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github });
  const { update, turn, remote } = scene;
  const { token } = github;
  let all = "";
  const tokens: Record<string, string>[] = [{ HOST_PAT: "", GITHUB_TOKEN: token }, {
    HOST_PAT: "",
    GH_PAT: token,
  }];
  for (const [index, env] of [tokens[0]!, tokens[0]!, tokens[1]!].entries()) {
    turn(index === 1 ? 503 : 200);
    const { code, stdout, stderr } = await update({ env, args: ["--verbose"] });
    assertEquals(code, 0, stderr);
    all += stdout + stderr;
  }
  const [issue] = await github.issues();
  assertEquals([issue?.state, issue?.comments.length], ["closed", 1]);
  all += JSON.stringify(issue) + JSON.stringify([...await pendingAt(remote)]);
  all += await git(remote, "log", "--patch", "main");
  for (const spelling of [token, btoa(token), encodeURIComponent(token)]) {
    assert(!all.includes(spelling), "the token is shown");
  }
});

const API = "/repos/acme/status";

/** Names of so many sites. */
function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Site ${index + 1}`);
}

/** Sites, a webhook and GitHub, whose answers take 80 ms, with their events in order. */
async function slowRig(count: number, top: Record<string, unknown> = {}) {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const order: string[] = [];
  const texts: string[] = [];
  const hook = stack.use(httpServer(async (request) => {
    order.push("message");
    texts.push(await request.text());
    return new Response();
  }));
  const sites = Object.fromEntries(names(count).map((name) => [name, {}]));
  const each = { "group-notifications": false };
  const notifications: Notification[] = [{ type: "webhook", url: hook.url, on: ["down"], ...each }];
  const scene = stack.use(await makeRig(scratch, { sites, notifications, top }));
  github.onRequest = async ({ method, path }, stage) => {
    if (stage === "came") order.push(`${method} ${path.slice(API.length)}`);
    else await new Promise((resolve) => setTimeout(resolve, 80));
  };
  const resources = stack.move();
  return {
    github,
    order,
    texts,
    turn: scene.turn,
    update: (clock?: Clock) => scene.update({ env: github.env, clock }),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

Deno.test("in a mass outage messages wait at most two seconds, and link to each issue opened by then", async () => {
  const count = 13;
  const early = 5;
  await using scene = await slowRig(count, { lockIssues: false });
  const { github, texts, turn, update } = scene;
  const sent = (messages: number) =>
    eventually(() => Promise.resolve(assert(texts.length >= messages)));
  assertEquals((await update()).code, 0);
  turn(503);
  const late = names(count).slice(early).map((name) => `🛑 ${name} is down`);
  const beforeIssues = github.onRequest;
  github.onRequest = async (request, stage) => {
    const { title } = (request.body ?? {}) as { title?: string };
    if (stage === "came" && title !== undefined && late.includes(title)) await sent(count);
    return await beforeIssues(request, stage);
  };
  // The two seconds end once the messages of the issues that are open by then are sent.
  let waits = 0;
  const clock: Clock = {
    ...systemClock,
    async wait(milliseconds, signal) {
      if (milliseconds !== 2_000) return await systemClock.wait(milliseconds, signal);
      waits++;
      await sent(early);
    },
  };
  assertEquals((await update(clock)).code, 0);
  assertEquals((await github.issues()).length, count);
  assert(waits > 0);
  const linked = texts.map((text) => text.includes("/issues/"));
  assertEquals(linked, texts.map((_, index) => index < early));
  assertEquals(github.violations, []);
});

Deno.test("a site without a result for unknownAfter runs is reported once, and once more when it has one again", async () => {
  await using scratch = await makeScratch();
  await using down = await vendorServer({ status: 204 });
  await using all = await vendorServer({ status: 204 });
  await using none = await vendorServer({ status: 204 });
  await using rig = await makeRig(scratch, {
    git: false,
    top: { unknownAfter: 3 },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] }, Post: {} },
    notifications: [
      { type: "webhook", url: down.url, on: ["down"] },
      { type: "webhook", url: all.url },
      { type: "webhook", url: none.url, on: ["degraded"] },
    ],
    secrets: { API_TOKEN: "7f3a-91c2", OTHER: "x" },
  });
  assertEquals((await rig.update()).code, 0);
  rig.give({ OTHER: "x" });
  const warned: boolean[] = [];
  for (let run = 1; run <= 4; run++) {
    const { code, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals(code, 0);
    warned.push(
      /^::warning.*Shop is unknown, without a result in \d runs: .*API_TOKEN/m.test(stdout),
    );
    assertEquals(all.seen.length, run < 3 ? 0 : 1, `run ${run}`);
  }
  assertEquals(warned, [false, true, true, true]);
  const [{ text }] = all.seen.map(({ json }) => json);
  assertMatch(
    text,
    /^Shop could not be checked in 3 runs: .*API_TOKEN.*; its state is unknown since /,
  );
  rig.give({ API_TOKEN: "7f3a-91c2", OTHER: "x" });
  await rig.update();
  await rig.update();
  assertEquals(listMessages(all), ["notice notice", "notice notice"]);
  assertEquals(all.seen.at(-1)!.json.text, "Shop is checked again: It is up");
  assertEquals([down.seen.length, none.seen.length], [2, 0]);
});

Deno.test("update and checks name an address that accepts no connection as the root cause", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const there = stack.use(await rawServer(() => {}));
  const gone = closedPort();
  const secrets = { GONE_PORT: String(gone), THERE_PORT: String(there.port) };
  const rig = stack.use(
    await makeRig(scratch, {
      sites: {
        Shop: { dependsOn: ["Router", "127.0.0.1:$GONE_PORT"] },
        Router: { dependsOn: "127.0.0.1:$THERE_PORT" },
      },
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
      secrets,
    }),
  );
  rig.turn(503, "Shop");
  const { code, stdout, stderr } = await rig.update();
  assertEquals([code, stderr, listMessages(hook)], [0, "", []]);
  assertMatch(stdout, /Shop is down \(.*; it depends on 127\.0\.0\.1:\$GONE_PORT, which is down\)/);
  const [file] = (await git(rig.remote, "ls-tree", "--name-only", "main", "history/incidents/"))
    .split("\n");
  const text = await git(rig.remote, "show", `main:${file}`);
  assertStringIncludes(text, "cause: '127.0.0.1:$GONE_PORT'");

  rig.turn(503, "Router");
  const check = await rig.run("check", { args: ["Shop"] });
  assertMatch(
    check.stdout,
    /\n\nIt depends on Router, which is down\.\nIt depends on 127\.0\.0\.1:\$GONE_PORT, which is down\.$/m,
  );
  const json = await rig.run("check", { args: ["Router", "--json"] });
  assertEquals(JSON.parse(json.stdout).failingDependencies, []);
  const valid = await rig.run("validate");
  assertMatch(valid.stdout, /^ {2}Shop .* {2}depends on Router, 127\.0\.0\.1:\$GONE_PORT$/m);
});

Deno.test("after a confirmation the issue comes first and the workflows last, without waits; GitHub makes the labels", async () => {
  await using scene = await slowRig(2);
  const { github, order, texts, turn, update } = scene;
  assertEquals((await update()).code, 0);
  order.length = 0;
  turn(503, "Site 1");
  const waits: number[] = [];
  const clock: Clock = {
    ...patientClock,
    wait(milliseconds, signal) {
      // The others are limits.
      if (signal === undefined) waits.push(milliseconds);
      return patientClock.wait(milliseconds, signal);
    },
  };
  assertEquals((await update(clock)).code, 0);
  // There is a second between the writes of a run that makes many.
  assertEquals(waits.filter((milliseconds) => milliseconds >= 500), []);
  const writes = order.filter((one) => !one.startsWith("GET"));
  assertEquals(writes[0], "POST /issues");
  assertEquals(writes.slice(-2), ["POST /dispatches", "POST /dispatches"]);
  assertEquals([...writes].sort(), [
    "POST /dispatches",
    "POST /dispatches",
    "POST /issues",
    "PUT /issues/1/lock",
    "message",
  ]);
  assert(texts[0]!.includes("/issues/1"), texts[0]);

  turn(503, "Site 2");
  assertEquals((await update()).code, 0);
  assertEquals(order.filter((one) => one.includes("/labels")), []);
  assertEquals((await github.labels()).sort(), ["site-1", "site-2", "status"]);
  assertEquals((await github.issues()).map(({ labels, isLocked }) => [labels, isLocked]), [
    [["status", "site-1"], true],
    [["status", "site-2"], true],
  ]);
  assertEquals(github.violations, []);
});

const UUID = "5f3e2c1a-0b9d-4c8e-8f7a-6b5c4d3e2f1a";

Deno.test("a run that sees nothing exits 2, and reports it to its heartbeat, and once to its channels", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const beats: string[] = [];
  await using switchServer = httpServer(({ url }) => {
    beats.push(new URL(url).pathname);
    return new Response();
  });
  const key = { headers: ["X-Key: $API_TOKEN"] };
  const secrets = { API_TOKEN: "7f3a-91c2", OTHER: "x" };
  await using rig = await makeRig(scratch, {
    git: false,
    top: { unknownAfter: 2, "heartbeat-url": `${switchServer.url}/ping/${UUID}` },
    sites: { Shop: key, Post: key },
    notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    secrets,
  });
  const codes = [];
  for (const given of [secrets, { OTHER: "x" }, { OTHER: "x" }, { OTHER: "x" }, secrets, secrets]) {
    rig.give(given);
    const { code, stderr } = await rig.update();
    codes.push(code);
    if (code === 2) {
      assertStringIncludes(stderr, "Nothing is monitored: no site has a result");
    }
  }
  assertEquals(codes, [0, 2, 2, 2, 0, 0]);
  const ping = `/ping/${UUID}`;
  assertEquals(beats, [ping, `${ping}/fail`, `${ping}/fail`, `${ping}/fail`, ping, ping]);
  const texts = hook.seen.map(({ json }) => json.text);
  assertEquals(texts.length, 2, texts.join("\n"));
  assertMatch(texts[0], /^None of 2 sites can be checked: .*API_TOKEN/);
  assertEquals(texts[1], "Sites can be checked again: 2 of 2 have a result");
  assert(!texts.join().includes("7f3a-91c2"));
});

Deno.test("update names the site that it depends on as the root cause, and reports the failure if it outlasts that", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const github = stack.use(await githubServer());
  const rig = stack.use(
    await makeRig(scratch, {
      sites: { Shop: { dependsOn: "router" }, Router: {}, Blog: { dependsOn: "shop" } },
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    }),
  );
  const update = () => rig.update({ env: github.env });
  await update();
  rig.turn(503, "Router", "Shop");
  const down = await update();
  assertEquals([down.code, down.stderr], [0, ""]);
  assertMatch(
    down.stdout,
    /✘ Shop .*answered 503 Service Unavailable; it depends on Router, which is down/,
  );
  assertMatch(
    down.stdout,
    /^Shop is down \(answered 503 .*; it depends on Router, which is down\) since/m,
  );
  assertEquals(listMessages(hook), ["router down"]);
  assertMatch(hook.seen[0]!.text, /Also failing, because it depends on this: Shop/);
  assertMatch(
    await git(rig.remote, "log", "-1", "--format=%B", "main"),
    /Router is down.*and 1 more/,
  );
  rig.turn(503, "Blog");
  await update();
  rig.turn(200, "Router", "Blog");
  await update();
  assertEquals(listMessages(hook), ["router down", "router up", "shop down"]);
  assertMatch(hook.seen[2]!.text, /Until now the root cause was Router, which is up again/);
  rig.turn(200);
  await update();
  assertEquals(listMessages(hook).slice(3), ["shop up"]);
  const issues = await github.issues();
  assertEquals(issues.map(({ title, state }) => [title, state]), [
    ["🛑 Router is down", "closed"],
    ["🛑 Shop is down", "closed"],
  ]);
  const [router, shop] = issues;
  assertStringIncludes(router!.body, "**Also failing**, because it depends on this: Shop.");
  assertMatch(
    router!.comments[0]!.body,
    /^\*\*Also failing\*\*, because it depends on this: Blog\.\n/,
  );
  assertMatch(router!.comments[1]!.body, /^\*\*Resolved:\*\*/);
  assertStringIncludes(
    shop!.body,
    "Notifications were suppressed until now: the cause was Router, which is up again.",
  );
  assertEquals(github.violations, []);
});
