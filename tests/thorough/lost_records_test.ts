import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { incidentsAt } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const RECORD = "history/shop.yml";

/** Changes that a person commits while a site is down; `before` is the commit before the outage. */
const EDITS: Readonly<Record<string, (folder: string, before: string) => Promise<unknown>>> = {
  "a removed record": (folder) => git(folder, "rm", "-q", RECORD),
  "a removed name of the incident": (folder) =>
    replace(folder, (text) => text.replace(/^incident:.*\n/m, "")),
  "a name without a file": (folder) =>
    replace(folder, (text) => text.replace(/^incident: .*/m, "incident: 2020-01-01-shop")),
  "an older record": (folder, before) => git(folder, "checkout", "-q", before, "--", RECORD),
  "an older history": (folder, before) => git(folder, "checkout", "-q", before, "--", "history"),
};

async function replace(folder: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, RECORD);
  await Deno.writeTextFile(path, edit(await Deno.readTextFile(path)));
}

Deno.test("an outage has one incident, one issue, and one message at each end, whatever happens to its record", async (t) => {
  for (const [what, edit] of Object.entries(EDITS)) {
    for (const isUpAtOnce of [false, true]) {
      await t.step(`${what}${isUpAtOnce ? ", and the site is up again" : ""}`, async () => {
        await using scratch = await makeScratch();
        await using github = await githubServer();
        await using hook = await vendorServer({ status: 204 });
        await using rig = await makeRig(scratch, {
          notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
        });
        const { folder, remote } = rig;
        const update = async () => {
          const { code, stderr } = await rig.update({ env: github.env });
          assertEquals(code, 0, stderr);
          return stderr.replace(/\s+/g, " ");
        };
        await update();
        await git(folder, "pull", "-q", "origin", "main");
        const before = await git(folder, "rev-parse", "HEAD");
        rig.turn(503);
        await update();
        await git(folder, "pull", "-q", "origin", "main");
        await edit(folder, before);
        await git(folder, "commit", "-q", "-a", "-m", "By hand");
        await git(folder, "push", "-q", "origin", "HEAD:main");
        if (isUpAtOnce) rig.turn(200);
        assertStringIncludes(
          await update(),
          "was lost or changed while history/incidents/",
        );
        if (!isUpAtOnce) assertEquals(await update(), "");
        rig.turn(200);
        assertEquals(isUpAtOnce ? "" : await update(), "");
        assertEquals(await update(), "");
        assertEquals(listMessages(hook), ["shop down", "shop up"]);
        assertEquals((await incidentsAt(remote, "main")).map(({ end }) => end !== undefined), [
          true,
        ]);
        const issues = await github.issues();
        assertEquals(issues.map(({ state, comments }) => [state, comments.length]), [
          ["closed", 1],
        ]);
      });
    }
  }
});
