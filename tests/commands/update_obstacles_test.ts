import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { spawnDirectly } from "../helpers/direct_program.ts";
import { output } from "../helpers/program.ts";
import { cloneRemote, configText } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

for (const put of ["history", "history/checks", "history/a.yml/x"]) {
  Deno.test(`what a user has at ${put}, in the way of our files, is left alone, and said`, async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response("ok"));
    const remote = await makeRemote(scratch.path, {
      ".monitorrc.yml": configText({ A: site.url }),
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    await Deno.mkdir(join(clone, put, ".."), { recursive: true });
    await Deno.writeTextFile(join(clone, put), "mine\n");
    const { code, stderr } = await output(spawnDirectly("update", { folder: clone }));
    assertEquals(code, 0, stderr);
    assertStringIncludes(stderr, "your edits were left alone in history/");
    assertEquals(await Deno.readTextFile(join(clone, put)), "mine\n");
  });
}
