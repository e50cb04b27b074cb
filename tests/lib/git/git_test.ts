import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { ENDED, Git } from "../../../lib/git/git.ts";
import { openRepository } from "../../../lib/git/repository.ts";
import { makeRepository } from "../../helpers/repositories.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { rawServer } from "../../helpers/servers.ts";

Deno.test("a git command without a result is killed after its time limit, and the error says so", async () => {
  await using scratch = await makeScratch();
  await using silent = await rawServer(() => {});
  const url = `git://127.0.0.1:${silent.port}/x`;
  const { code, stderr } = await new Git(scratch.path).run(["ls-remote", url], {
    limit: 200,
    accept: [ENDED],
  });
  assertEquals([code, stderr], [ENDED, "fatal: no answer within 0.2 s"]);
});

Deno.test("a git command sees none of the program's secrets", async () => {
  Deno.env.set("SECRETS_CONTEXT", '{"KEY":"s3cret"}');
  await using scratch = await makeScratch();
  const alias = [
    "-c",
    'alias.reveal=!echo "path: ${PATH:+known}, secrets: $SECRETS_CONTEXT."',
    "reveal",
  ];
  assertEquals(await new Git(scratch.path).text(alias), "path: known, secrets: .");
});

Deno.test({
  name: "a repository of another user is refused with the whole command that allows it",
  ignore: Deno.uid() !== 0, // Only root gives files away.
  async fn() {
    await using scratch = await makeScratch();
    const folder = await makeRepository(join(scratch.path, "clone"), { file: "" });
    for (const path of [folder, join(folder, ".git")]) await Deno.chown(path, 12_345, 12_345);
    await assertRejects(
      () => openRepository(folder),
      Error,
      `another user; allow it with git config --global --add safe.directory ${folder}`,
    );
  },
});
