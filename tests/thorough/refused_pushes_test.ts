import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import {
  allRowsAt,
  cloneRemote,
  commitFile,
  incidentsAt,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { runTask } from "../helpers/program.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

/** A monitored clone with a channel, whose remote can be made to refuse all pushes. */
async function refusingRig() {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const rig = stack.use(
    await makeRig(scratch, {
      notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    }),
  );
  const resources = stack.move();
  return {
    ...rig,
    scratch,
    /** The messages, with the start that they tell. */
    messages: () =>
      // deno-lint-ignore no-explicit-any
      hook.seen.map(({ json }) => json.events.map((event: any) => [event.id, event.since])),
    listed: () => listMessages(hook),
    refuse: (script = "echo No entry >&2; exit 1") => writeHook(rig.remote, "pre-receive", script),
    accept: () => Deno.remove(join(rig.remote, "hooks/pre-receive")),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

Deno.test("while a remote refuses every push, a clone sends each message once, and pushes everything later", async () => {
  for (const isUpBefore of [false, true]) {
    await using rig = await refusingRig();
    const { update, turn, remote, listed, refuse, accept } = rig;
    await update();
    await refuse();
    turn(503);
    for (let run = 1; run <= 4; run++) {
      const { code, stderr } = await update();
      assertEquals(code, 1);
      const text = stderr.replace(/\s+/g, " ");
      assertStringIncludes(text, "The results were not recorded: Cannot push to main at origin");
      assertStringIncludes(text, "No entry");
      assertStringIncludes(text, "they wait in a file on this machine");
      assertEquals(listed(), ["shop down"]);
    }
    if (isUpBefore) {
      turn(200);
      for (let run = 1; run <= 2; run++) assertEquals((await update()).code, 1);
      assertEquals(listed(), ["shop down", "shop up"]);
    }
    await accept();
    assertEquals((await update()).code, 0);
    turn(200);
    assertEquals((await update()).code, 0);
    assertEquals((await update()).stderr, "");
    assertEquals(listed(), ["shop down", "shop up"]);
    const rows = await allRowsAt(remote);
    assertEquals(rows.map(({ state }) => state), [
      "up",
      ...Array(4).fill("down"),
      ...isUpBefore ? ["up", "up", "up", "up", "up"] : ["down", "up", "up"],
    ]);
    const incidents = await incidentsAt(remote, "main");
    assertEquals(incidents.map(({ end }) => end !== undefined), [true]);
    const [start, first, second] = [incidents[0]!.start, rows[1]!.time, rows[2]!.time]
      .map((time) => time.epochMilliseconds) as [number, number, number];
    assert(first <= start && start < second, "the incident starts in the first run that fails");
    assertEquals(await git(rig.folder, "status", "--porcelain"), "");
  }
});

Deno.test("a sub-folder and a linked work tree keep what can't be pushed, though their tasks may not write among git's own files", async () => {
  for (const isLinked of [false, true]) {
    await using rig = await refusingRig();
    const { turn, listed, refuse, accept, remote, scratch } = rig;
    const place = join(scratch.path, "linked");
    if (isLinked) {
      await git(rig.folder, "checkout", "--quiet", "--detach");
      await git(rig.folder, "worktree", "add", "--quiet", place, "main");
    } else {
      const text = await Deno.readTextFile(join(rig.folder, ".monitorrc.yml"));
      await Deno.mkdir(join(rig.folder, "sub"));
      await commitFile(rig.folder, "sub/.monitorrc.yml", text);
      await git(rig.folder, "push", "--quiet", "origin", "HEAD:main");
    }
    const folder = isLinked ? place : join(rig.folder, "sub");
    const update = async () => (await rig.updateProcess({ folder })).code;
    assertEquals(await update(), 0);
    await refuse();
    turn(503);
    for (let run = 1; run <= 3; run++) assertEquals(await update(), 1);
    turn(200);
    for (let run = 1; run <= 2; run++) assertEquals(await update(), 1);
    assertEquals(listed(), ["shop down", "shop up"]);
    await accept();
    assertEquals(await update(), 0);
    assertEquals(await update(), 0);
    assertEquals(listed(), ["shop down", "shop up"]);
    const prefix = isLinked ? "" : "sub/";
    const log = await git(
      remote,
      "ls-tree",
      "-r",
      "--name-only",
      "main",
      `${prefix}history/checks`,
    );
    assertEquals(log.trim().split("\n").length, 1, log);
    assertEquals(await git(folder, "for-each-ref", "refs/worktree/monitor"), "");
    assertEquals(await git(folder, "status", "--porcelain"), "");
  }
});

Deno.test("in fresh clones that can push nothing, messages repeat the id and start of the issue, and one issue is opened and closed", async () => {
  await using rig = await refusingRig();
  await using github = await githubServer();
  const { turn, messages, refuse, remote, scratch } = rig;
  let clones = 0;
  const update = async () => {
    const folder = await cloneRemote(remote, join(scratch.path, `fresh ${++clones}`));
    return await runTask("update", { folder, env: { SECRETS_CONTEXT: "{}", ...github.env } });
  };
  assertEquals((await update()).code, 0);
  await refuse();
  turn(503);
  for (let run = 1; run <= 3; run++) assertEquals((await update()).code, 1);
  const down = messages();
  assertEquals(down.length, 3);
  assertEquals(new Set(down.map((one) => JSON.stringify(one))).size, 1);
  const [issue, ...others] = await github.issues();
  assertEquals([issue!.state, others], ["open", []]);
  const [start] = /(?<=monitor-start: )\S+/.exec(issue!.body)!;
  assertEquals(down[0][0][1], start);
  turn(200);
  for (let run = 1; run <= 2; run++) assertEquals((await update()).code, 1);
  assertEquals(rig.listed(), ["shop down", "shop down", "shop down", "shop up"]);
  assertEquals((await github.issues()).map(({ state, comments }) => [state, comments.length]), [
    ["closed", 1],
  ]);
  assertEquals(github.violations, []);
});

Deno.test("a stranger's issue with the marker of an incident tells a run nothing", async () => {
  await using rig = await refusingRig();
  await using github = await githubServer();
  const update = () => rig.update({ env: github.env });
  assertEquals((await update()).code, 0);
  await github.person("stranger").open({
    title: "Mine",
    body:
      "<!-- monitor-start: 2020-01-01T00:00:00.000Z down -->\n<!-- monitor-incident: 2020-01-01-shop -->",
  });
  await github.person("acme").label(1, "status");
  await rig.refuse();
  rig.turn(503);
  assertEquals((await update()).code, 1);
  assertEquals(rig.listed(), ["shop down"]);
  const [[[id]]] = rig.messages();
  assertEquals(id.startsWith("2020"), false);
});

Deno.test("what waited in a clone is recorded beside what another one has recorded meanwhile", async () => {
  await using rig = await refusingRig();
  const { update, turn, remote, refuse, accept, scratch, listed } = rig;
  await update();
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  await refuse();
  turn(503);
  assertEquals([(await update()).code, listed()], [1, ["shop down"]]);
  await accept();
  // The other clone knows nothing of the first one's message.
  const env = { SECRETS_CONTEXT: "{}" };
  assertEquals((await runTask("update", { folder: other, env })).code, 0);
  assertEquals((await update()).code, 0);
  turn(200);
  assertEquals((await update()).code, 0);
  assertEquals((await runTask("update", { folder: other, env })).code, 0);
  assertEquals(listed(), ["shop down", "shop down", "shop up"]);
  assertEquals(rig.messages()[0][0][0], rig.messages()[1][0][0]);
  assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [true]);
  assertEquals((await allRowsAt(remote)).map(({ state }) => state), [
    "up",
    "down",
    "down",
    "down",
    "up",
    "up",
  ]);
});

Deno.test("without a remote, an outage that can't be committed is notified once", async () => {
  await using rig = await refusingRig();
  const { update, turn, folder, listed } = rig;
  await git(folder, "remote", "remove", "origin");
  assertEquals((await update()).code, 0);
  turn(503);
  // Git holds the branch.
  const lock = join(folder, ".git/refs/heads/main.lock");
  await Deno.writeTextFile(lock, "");
  for (let run = 1; run <= 2; run++) {
    assertEquals([(await update()).code, listed()], [1, ["shop down"]]);
  }
  turn(200);
  for (let run = 1; run <= 2; run++) {
    assertEquals([(await update()).code, listed()], [1, ["shop down", "shop up"]]);
  }
  await Deno.remove(lock);
  assertEquals([(await update()).code, listed()], [0, ["shop down", "shop up"]]);
  assertEquals((await incidentsAt(folder)).map(({ end }) => end !== undefined), [true]);
});
