import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { type Incident, INCIDENTS_FOLDER, parseIncident } from "../../lib/history/incident.ts";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

async function incidentsOf(folder: string): Promise<Incident[]> {
  const names = await Array.fromAsync(Deno.readDir(join(folder, INCIDENTS_FOLDER)));
  const texts = await Promise.all(
    names.map(({ name }) => Deno.readTextFile(join(folder, INCIDENTS_FOLDER, name))),
  );
  return texts.map((text) => parseIncident(text)!);
}

/** A monitor with a webhook and an emulated GitHub; `update` returns the messages of the webhook. */
async function onCall(stack: AsyncDisposableStack) {
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const hook = stack.use(await vendorServer({ status: 200 }));
  const rig = stack.use(
    await makeRig(scratch, {
      notifications: [{ type: "webhook", url: hook.url }],
      top: { lockIssues: false },
    }),
  );
  const update = async (): Promise<string[]> => {
    const { code, stderr } = await rig.update({ env: github.env });
    assertEquals([code, stderr], [0, ""]);
    return hook.seen.splice(0).flatMap(({ json }) =>
      json.events.map(({ text }: { text: string }) => text)
    );
  };
  return { rig, github, update };
}

Deno.test("a comment by a person with write access acknowledges an outage once, and the others see who it was", async () => {
  await using stack = new AsyncDisposableStack();
  const { rig, github, update } = await onCall(stack);
  await update();
  rig.turn(503);
  assertEquals((await update()).length, 1);
  const [acme, ann, stranger] = [
    github.person("acme"),
    github.person("ann"),
    github.person("stranger"),
  ];
  const ids = [await stranger.comment(1, "/ack"), await stranger.comment(1, "/mute 2h")];
  assertEquals(await update(), []);
  assertEquals(ids.map((id) => github.reactions(id)), [["confused monitor-bot"], []]);

  const [quote, ack] = [await ann.comment(1, "> /ack"), await ann.comment(1, "/ack I look")];
  const [first, ...others] = await update();
  assertMatch(
    first!,
    /^ann has acknowledged: Shop is down \((?:at|\d+ seconds? after) the start\)$/,
  );
  assertEquals([others, github.reactions(quote)], [[], []]);
  assertEquals(github.reactions(ack), ["+1 monitor-bot"]);

  const { length } = github.requests;
  assertEquals(await update(), []);
  assertEquals(github.asked.slice(length), Array(2).fill("GET /repos/acme/status/issues"));
  await acme.look(1);
  await stranger.look(1);
  assertEquals(await update(), []);
  await acme.close(1);
  assertEquals(await update(), []);

  rig.turn(200);
  assertMatch((await update()).join(), /^Shop is up again .* Acknowledged by ann .* the start$/);
  const [incident] = await incidentsOf(rig.folder);
  const ways = incident!.acknowledgements.map(({ by, way }) => `${by} ${way}`);
  assertEquals(ways, ["ann comment", "acme reaction", "acme closing"]);
  const issues = await github.issues();
  assertEquals([issues.length, issues[0]!.state, github.violations], [1, "closed", []]);
});

Deno.test("the command acknowledges in a clone, and the next run notifies channels and issue", async () => {
  await using stack = new AsyncDisposableStack();
  const { rig, github, update } = await onCall(stack);
  const ack = (...args: string[]) => rig.run("ack", { args });
  await update();
  assertMatch(
    (await ack("Shop", "--by", "Ann")).stderr,
    /Nothing to acknowledge: no incident is open/,
  );
  rig.turn(503);
  await update();
  const first = await ack("1", "--by", "Ann Smith", "--for", "2h");
  assertEquals([first.code, first.stderr], [0, ""]);
  assertMatch(first.stdout, /^Ann Smith has acknowledged .*-shop for 2 hours\.\nRecorded in /);
  const second = await ack("--by", "Bob");
  assertMatch(second.stdout, /^Ann Smith has acknowledged .* before; Bob is recorded as well\./);
  assertMatch((await update()).join(), /^Ann Smith has acknowledged: Shop is down \(/);
  assertEquals(await update(), []);
  const { comments } = await github.issue(1);
  assertEquals(comments.map(({ body }) => body.replace(/ at .*/s, "")), [
    "**Acknowledged** by Ann Smith",
    "**Acknowledged** by Bob",
  ]);
  for (const wrong of [["--for", "1s"], ["nothing", "--by", "Bob"]]) {
    assertEquals((await ack(...wrong)).code, 2);
  }
});

Deno.test("an assignee acknowledges until somebody else is assigned, and a muted site is silent", async () => {
  await using stack = new AsyncDisposableStack();
  const { rig, github, update } = await onCall(stack);
  const ann = github.person("ann");
  await update();
  rig.turn(503);
  await update();
  await ann.assign(1, "ann");
  assertMatch((await update()).join(), /^ann has acknowledged: Shop is down \(/);
  await ann.assign(1, "acme");
  assertMatch((await update()).join(), /^acme has acknowledged: Shop is down \(/);
  const [mute, unclear] = [await ann.comment(1, "/mute 2h"), await ann.comment(1, "/mute")];
  assertMatch((await update()).join(), /^ann has muted Shop for 2 hours/);
  assertEquals(github.reactions(mute), ["+1 monitor-bot"]);
  assertEquals(github.reactions(unclear), ["confused monitor-bot"]);
  rig.turn(200);
  assertEquals(await update(), []);
  rig.turn(503);
  assertEquals(await update(), []);
  // On the issue of the mute, which is closed by now.
  const [unmute, late] = [await ann.comment(1, "/unmute"), await ann.comment(1, "/ack")];
  const messages = await update();
  assertEquals([unmute, late].map((id) => github.reactions(id)), [
    ["+1 monitor-bot"],
    ["confused monitor-bot"],
  ]);
  assertEquals(messages.map((text) => text.replace(/(again|down).*/, "$1")), [
    "Shop is up again",
    "Shop is down",
  ]);
});
