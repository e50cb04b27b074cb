import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { output, type ProgramResult, spawnTask } from "../helpers/program.ts";
import { configText, EVERY_RUN, makeRepository, rowsAt, status } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

function update(folder: string): Promise<ProgramResult> {
  return output(spawnTask("update", { folder }));
}

Deno.test("a lock that a killed git left behind stops no run: it is named, and the files follow when it is gone", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = { ".monitorrc.yml": configText({ A: site.url }, EVERY_RUN) };
  const local = await makeRepository(join(scratch.path, "local"), config);
  const clone = join(scratch.path, "clone");
  await git(scratch.path, "clone", "--quiet", await makeRemote(scratch.path, config), clone);
  for (const [folder, runs] of [[local, 1], [clone, 2]] as const) {
    assertEquals((await update(folder)).code, 0);
    const lock = join(folder, ".git", "index.lock");
    await Deno.writeTextFile(lock, "");
    for (let run = 0; run < runs; run++) {
      const { code, stderr } = await update(folder);
      assertEquals(code, 0);
      const cure = `${lock}': File exists. (where no other git is at work here, remove that file)`;
      assertStringIncludes(stderr, cure);
    }
    await Deno.remove(lock);
    assertEquals(await update(folder).then(({ code, stderr }) => [code, stderr]), [0, ""]);
    assertEquals(await status(folder), "");
    assertEquals((await rowsAt(folder)).length, runs + 2);
  }
});
