import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { type Incident, INCIDENTS_FOLDER, parseIncident } from "../../lib/history/incident.ts";
import { alertRig } from "../helpers/alert_rig.ts";
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

Deno.test("a comment acknowledges an outage once, for those who may write, and everybody else is told who it was", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const hook = stack.use(await vendorServer({ status: 200 }));
  const rig = stack.use(
    await alertRig(scratch, {
      notifications: [{ type: "webhook", url: hook.url }],
      top: { lockIssues: false },
    }),
  );
  const update = async () => {
    const { code, stderr } = await rig.update({ env: github.env });
    assertEquals([code, stderr], [0, ""]);
    return hook.seen.splice(0).flatMap(({ json }) =>
      // deno-lint-ignore no-explicit-any
      json.events.map(({ text }: any) => text)
    );
  };
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
  const [told, ...others] = await update();
  assertMatch(told, /^ann has acknowledged: Shop is down: (?:at|\d+ seconds? after) the start$/);
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
  assertMatch((await update()).join(), /^Shop is up again: .* Acknowledged by ann .* the start$/);
  const [incident] = await incidentsOf(rig.folder);
  const ways = incident!.acknowledgements.map(({ by, way }) => `${by} ${way}`);
  assertEquals(ways, ["ann comment", "acme reaction", "acme closing"]);
  const issues = await github.issues();
  assertEquals([issues.length, issues[0]!.state, github.violations], [1, "closed", []]);
});
