import { assert, assertEquals, assertMatch } from "@std/assert";
import { githubServer } from "../helpers/github_server.ts";
import { makeRig } from "../helpers/rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

Deno.test("update opens and closes an issue for an outage, and otherwise requests only announcements and open issues", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github });
  const { update, turn } = scene;
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await update();
    const asked = Array(run).fill("GET /repos/acme/status/issues");
    assertEquals([code, stderr, github.asked], [0, "", asked]);
    assertMatch(stdout, /^Checking 1 site$/m);
    assert(!stdout.includes("Incidents:"), stdout);
  }
  turn(503);
  const down = await update();
  assertEquals([down.code, down.stderr], [0, ""]);
  assertMatch(
    down.stdout,
    /^Done: open an issue for Shop \([\d-]+-shop\) → https:\/\/github\.com\/acme\/status\/issues\/1$/m,
  );
  const { length } = github.requests;
  assertEquals((await update()).code, 0);
  assertEquals(github.requests.length, length + 2);
  turn(200);
  const up = await update({ args: ["--json"] });
  assertEquals(up.code, 0);
  const [closed, ...others] = JSON.parse(up.stdout).carried;
  assertEquals([closed.state, closed.receipt], ["done", { issue: 1 }]);
  assertEquals(others.map(({ state }: { state: string }) => state), ["done"]);
  const [issue] = await github.issues();
  assertEquals([issue?.title, issue?.state, issue?.isLocked], ["🛑 Shop is down", "closed", true]);
  assertMatch(
    issue!.body,
    /^Shop has been \*\*down\*\* since .* UTC: answered 503 Service Unavail/,
  );
  assertMatch(
    issue!.comments[0]!.body,
    /^\*\*Resolved:\*\* Shop is up again(?: after (?:less than a second|[\d.]+ seconds?))?\./,
  );
  assertEquals([github.violations, github.dispatched], [[], ["static_site", "summary", "summary"]]);
});

Deno.test("a heartbeat service without failure pings gets no ping from a run without results", async () => {
  await using scratch = await makeScratch();
  const beats: string[] = [];
  await using switchServer = httpServer(({ url }) => {
    beats.push(url);
    return new Response();
  });
  await using rig = await makeRig(scratch, {
    top: { "heartbeat-url": `${switchServer.url}/beat` },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] } },
    secrets: { OTHER: "x" },
  });
  assertEquals([(await rig.update()).code, beats], [2, []]);
});
