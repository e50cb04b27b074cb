import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const BLOCK = "Start of the answer:\n\n```text\nNo database: *** @ann\n```";

const CASES: [what: string, site: Record<string, unknown>, isPrivate: boolean, isKept: boolean][] =
  [
    ["a public repository", {}, false, false],
    ["a public repository with keepBody", { keepBody: true }, false, true],
    ["a private repository", {}, true, true],
  ];

for (const [what, site, isPrivate, isKept] of CASES) {
  Deno.test(`the issue and message of ${what} ${isKept ? "have" : "lack"} the start of a failed answer`, async () => {
    await using scratch = await makeScratch();
    await using github = await githubServer();
    await using hook = await vendorServer({ status: 200 });
    await using server = httpServer(() =>
      new Response("No database: s3cret-value @ann", { status: 500 })
    );
    github.state.isPrivate = isPrivate;
    const body = '{"body": "$BODY"}';
    await using rig = await makeRig(scratch, {
      sites: { Shop: { url: server.url, ...site } },
      notifications: [{ type: "webhook", url: hook.url, body }],
      secrets: { DATABASE_KEY: "s3cret-value" },
    });
    const { code } = await rig.update({ env: github.env });
    assertEquals(code, 0);
    const [issue] = await github.issues();
    const { json } = hook.seen[0]!;
    if (isKept) {
      assertStringIncludes(issue!.body, BLOCK);
      assertEquals(json, { body: "No database: *** @ann" });
    } else {
      assert(!issue!.body.includes("No database"), issue!.body);
      assertEquals(json, { body: "" });
    }
  });
}
