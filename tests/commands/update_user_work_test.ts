import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  EVERY_RUN,
  makeRepository,
  pathsAt,
  rowsAt,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

async function update(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runTask("update", { folder });
  assertEquals(code, 0, stdout + stderr);
  return stdout + stderr;
}

/** A repository with a remote and one without, each with files of their user. */
async function repositories(scratch: Scratch, url: string): Promise<string[]> {
  const files = {
    ".monitorrc.yml": configText({ A: url }, EVERY_RUN),
    "mine": "1\n",
    "staged": "1\n",
  };
  const remote = await makeRemote(scratch.path, files);
  return [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await makeRepository(join(scratch.path, "alone"), files),
  ];
}

Deno.test("update touches nothing that the user has edited, staged or not added", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  for (const folder of await repositories(scratch, site.url)) {
    await Deno.writeTextFile(join(folder, "mine"), "edited\n");
    await Deno.writeTextFile(join(folder, "staged"), "staged\n");
    await git(folder, "add", "staged");
    await Deno.writeTextFile(join(folder, "staged"), "staged and edited\n");
    await Deno.writeTextFile(join(folder, "new"), "new\n");
    const before = [await status(folder), await git(folder, "diff"), await git(folder, "ls-files")];
    assertEquals(before[0], " M mine\nMM staged\n?? new");
    await update(folder);
    assertEquals(await status(folder), before[0]);
    assertEquals((await rowsAt(folder)).length, 1);
    assertEquals(await git(folder, "diff"), before[1]);
    assertEquals(await git(folder, "show", ":staged"), "staged");
    assertEquals(await Deno.readTextFile(join(folder, "new")), "new\n");
    assert(!(await pathsAt(folder)).includes("new"));
    const changed = await git(folder, "diff", "--name-only", "HEAD~1", "HEAD");
    assert(changed.split("\n").every((path) => /^(?:history|api)\//.test(path)), changed);
  }
});

thoroughly(
  "update runs no hook of the repository and signs nothing, whatever its settings ask for",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const mark = join(scratch.path, "mark");
    const hooks = [
      "pre-commit",
      "prepare-commit-msg",
      "commit-msg",
      "post-commit",
      "pre-push",
      "post-checkout",
      "post-index-change",
      "reference-transaction",
    ];
    for (const folder of await repositories(scratch, site.url)) {
      for (const hook of hooks) {
        await writeHook(join(folder, ".git"), hook, `echo ${hook} >> '${mark}'; exit 1`);
      }
      await Deno.writeTextFile(
        join(folder, "signer"),
        `#!/bin/sh\necho sign >> '${mark}'\nexit 1\n`,
        {
          mode: 0o755,
        },
      );
      const settings = {
        "commit.gpgSign": "true",
        "push.gpgSign": "true",
        "tag.gpgSign": "true",
        "gpg.program": join(folder, "signer"),
        "core.fsmonitor": join(folder, "signer"),
        "push.followTags": "true",
      };
      for (const [name, value] of Object.entries(settings)) {
        await git(
          folder,
          "config",
          name,
          value,
        );
      }
      await update(folder);
      assertEquals((await rowsAt(folder)).length, 1);
      assert(!(await git(folder, "cat-file", "commit", "HEAD")).includes("gpgsig"));
      const marks = await Deno.readTextFile(mark).catch(() => "none");
      assertEquals(marks, "none");
    }
  },
);

thoroughly(
  "every commit of update keeps workflows from starting and carries the author asked for",
  async () => {
    await using scratch = await makeScratch();
    let code = 200;
    await using site = httpServer(() => new Response("", { status: code }));
    const remote = await makeRemote(scratch.path, {
      ".monitorrc.yml": configText({ A: site.url }),
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    for (code of [200, 503, 200]) await update(clone);
    await commitFile(
      clone,
      ".monitorrc.yml",
      configText(
        { A: site.url },
        "commitMessages: { statusChange: $SITE_NAME $STATUS, commitAuthorName: Jö <Bot>, commitAuthorEmail: bot@example.com, signoff: true }\n",
      ),
    );
    await git(clone, "push", "--quiet");
    code = 503;
    await update(clone);
    const log = await git(clone, "log", "--reverse", "--skip=0", "--format=%an|%ae|%cn|%ce|%s");
    const action = "Monitor Action|41898282+github-actions[bot]@users.noreply.github.com";
    assertEquals(log.replace(/\(503 in \d+ ms\)|\(200 in \d+ ms\)/g, "(…)").split("\n"), [
      "Jo|jo@example.com|Jo|jo@example.com|Begin",
      `${action}|${action}|Check 1 site: 1 up [skip ci]`,
      `${action}|${action}|🟥 A is down (…) [skip ci]`,
      `${action}|${action}|🟩 A is up (…) [skip ci]`,
      "Jo|jo@example.com|Jo|jo@example.com|Write .monitorrc.yml",
      "Jö Bot|bot@example.com|Jö Bot|bot@example.com|A down [skip ci]",
    ]);
    const body = await git(clone, "log", "-1", "--format=%(trailers:only)");
    assertEquals(body.trim(), "Signed-off-by: Jö Bot <bot@example.com>");
    assertEquals(await tip(clone), await tip(remote, "main"));
    assertEquals(await status(clone), "");
  },
);
