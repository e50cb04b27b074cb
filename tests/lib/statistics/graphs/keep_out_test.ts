import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import {
  CONFIGURED,
  dayGraph,
  drawnOf,
  graphsTask,
  keep,
  LOCK,
  makeFolder,
} from "../../../helpers/kept_graphs.ts";
import { makeRepository, status } from "../../../helpers/repositories.ts";
import { git, makeScratch } from "../../../helpers/scratch.ts";

const LINE = "/graphs/*/response-time*.*";

/** The lines of ours by which a clone ignores files. */
async function excluded(repository: string): Promise<string[]> {
  const text = await Deno.readTextFile(join(repository, ".git", "info", "exclude"));
  return text.split("\n").filter((line) => line.includes("response-time"));
}

Deno.test("git ignores the graphs by one line, and sees what the user keeps beside them", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const exclude = join(repository, ".git", "info", "exclude");
  await Deno.writeTextFile(exclude, "*.bak");
  for (const number of [1, 2]) {
    const { place, notes } = await keep(repository, drawnOf({ shop: number }));
    assertEquals([place, notes], ["files only, no remote", []]);
  }
  assertEquals(await Deno.readTextFile(exclude), `*.bak\n${LINE}\n`);
  await Deno.writeTextFile(join(repository, "graphs", "shop", "mine.png"), "mine");
  await keep(repository, drawnOf({}));
  assertEquals(await status(repository), "?? graphs/shop/mine.png");
});

Deno.test("git ignores the graphs of a folder and of a second work tree in the repository they belong to", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const folder = await makeFolder(repository, "ops [eu]");
  await keep(folder, drawnOf({ shop: 1 }));
  assertEquals(await status(repository), `?? "ops [eu]/${LOCK}"`);
  const second = join(scratch.path, "second");
  await git(repository, "worktree", "add", "--quiet", second);
  await Deno.remove(join(repository, ".git", "info"), { recursive: true });
  await keep(second, drawnOf({ shop: 1 }));
  assertEquals(await excluded(repository), [LINE]);
  assertEquals(await status(second), "");
});

Deno.test("a rule of the user's own is enough, and one that outweighs ours is left alone", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), {
    ...CONFIGURED,
    ".gitignore": "graphs/\n",
  });
  await keep(repository, drawnOf({ shop: 1 }));
  assertEquals(await excluded(repository), []);
  await Deno.writeTextFile(join(repository, ".gitignore"), "!/graphs/*/*\n");
  for (const number of [2, 3]) await keep(repository, drawnOf({ shop: number }));
  assertEquals(await excluded(repository), [LINE]);
});

Deno.test("graphs that the user's branch holds stay tracked, and the cure is told", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  await keep(repository, drawnOf({ shop: 1 }), { branch: "same" });
  const { notes } = await keep(repository, drawnOf({ shop: 2 }));
  assertStringIncludes(notes.join(), "git rm -r -q --cached graphs");
  assertEquals(await status(repository), ` M ${dayGraph("shop")}`);
});

Deno.test("a repository whose own folder is out of reach is told how to ignore the graphs", async () => {
  await using scratch = await makeScratch();
  const repository = await makeRepository(join(scratch.path, "local"), CONFIGURED);
  const folder = await makeFolder(repository, "ops");
  const { code, stdout, stderr } = await graphsTask({ folder, contents: { shop: 1 } });
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "write /ops/graphs/*/response-time*.* into a .gitignore at the top");
  await Deno.writeTextFile(join(repository, ".gitignore"), "/ops/graphs/*/response-time*.*\n");
  const again = await graphsTask({ folder, contents: { shop: 2 } });
  assertEquals(JSON.parse(again.stdout).notes, []);
});
