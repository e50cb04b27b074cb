import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

Deno.test("issue and message of a site behind a new login say until when it answered 200", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using hook = await vendorServer({ status: 200 });
  await using rig = await makeRig(scratch, {
    notifications: [{ type: "webhook", url: hook.url, body: '{"hint": "$HINT"}' }],
  });
  assertEquals((await rig.update({ env: github.env })).code, 0);
  rig.turn(401);
  assertEquals((await rig.update({ env: github.env })).code, 0);
  const [issue] = await github.issues();
  assertMatch(
    issue!.body,
    /\*\*Hint:\*\* It answered 200 until \d{4}-\d\d-\d\d \d\d:\d\d UTC: somebody has put it behind a login/,
  );
  assertMatch(
    JSON.stringify(hook.seen[0]!.json),
    /It answered 200 until .* a proxy rejects the runner/,
  );
});

Deno.test("a run says once that a secret is missing, and what to type", async () => {
  await using scratch = await makeScratch();
  const site = { name: "API", url: "https://a.example/", headers: ["X-Key: $API_TOKEN"] };
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": JSON.stringify({ sites: [site] }),
  });
  const cure =
    "secret API_TOKEN is missing: pass --secrets FILE, or save it with gh secret set API_TOKEN";
  for (let run = 1; run <= 3; run++) {
    const { stdout, stderr } = await runTask("update", { folder });
    assertEquals((stdout + stderr).split(cure).length - 1, 1, stdout + stderr);
  }
});
