import { assertEquals } from "@std/assert";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { type ProgramResult, runProcess, runTask } from "../helpers/program.ts";
import {
  allRowsAt,
  configText,
  incidentsAt,
  remoteAndClone,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

const DAILY = "history: { commitEvery: 24h }\n";

function update(folder: string): Promise<ProgramResult> {
  return runTask("update", { folder });
}

for (
  const [what, isFlushing, commands] of [
    ["flushes pending checks", true, ["fast-import", "push", "update-ref"]],
    ["adds pending checks", false, ["fast-import", "push"]],
  ] as const
) {
  Deno.test(`a run that ${what}, killed at any step, loses nothing and doubles nothing`, async () => {
    await using scratch = await makeScratch();
    let code = 200;
    await using site = httpServer(() => new Response(null, { status: code }));
    const config = configText({ A: site.url }, DAILY);
    const { remote, folder: clone } = await remoteAndClone(scratch, config);
    const wrapped = await wrapGit(scratch.path);
    const runs = async () => (await allRowsAt(remote)).map(({ run }) => run);
    assertEquals((await update(clone)).code, 0);
    for (const [index, command] of commands.entries()) {
      assertEquals((await update(clone)).code, 0);
      const before = await runs();
      if (isFlushing) code = code === 200 ? 503 : 200;
      await wrapped.killBefore(index + 1, ["fast-import", "update-ref", "push"]);
      assertEquals((await runProcess("update", { folder: clone, env: wrapped.env })).code, 137);
      assertEquals((await wrapped.calls()).at(-1), command);
      const between = await runs();
      assertEquals(before.filter((run) => !between.includes(run)), [], command);
      const { code: next, stdout, stderr } = await update(clone);
      assertEquals([next, stderr], [0, ""], stdout);
      const after = await runs();
      assertEquals(between.filter((run) => !after.includes(run)), [], command);
      assertEquals([new Set(after).size, after.length], [after.length, between.length + 1]);
      assertEquals([await status(clone), await tip(clone)], ["", await tip(remote, "main")]);
      assertEquals(await git(clone, "for-each-ref", "refs/monitor/build"), "");
    }
    const incidents = await incidentsAt(remote, "main");
    assertEquals(incidents.map(({ end }) => end === undefined), isFlushing ? [true, false] : []);
    await git(clone, "fsck", "--strict");
  });
}
