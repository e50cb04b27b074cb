import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { findRepository } from "../../../lib/git/repository.ts";
import { formatBuild } from "../../../lib/page/export.ts";
import { formatFeedState, NOTHING_SAID } from "../../../lib/page/feed_state.ts";
import { readPublishedPage } from "../../../lib/page/publish.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";

Deno.test("a job reads what was published, because its folder has no page: the build, and what feeds said", async () => {
  await using scratch = await makeScratch();
  const [page, remote, clone] = ["page", "remote.git", "clone"].map((name) =>
    join(scratch.path, name)
  ) as [string, string, string];
  const built = Temporal.Instant.from("2026-11-21T10:06:00Z");
  const build = { built, generator: "monitor-action v1", digest: "9f3c01ab" };
  const item = {
    id: "2026-11-21-shop/down-1",
    at: built,
    words: { title: "Shop is down", html: "", slugs: ["shop"] },
  };
  const said = { ...NOTHING_SAID, items: new Map([[item.id, item]]) };
  await git(scratch.path, "init", "--quiet", "--bare", "--initial-branch=main", remote);
  await git(scratch.path, "init", "--quiet", "--initial-branch=gh-pages", page);
  await Deno.writeTextFile(join(page, "build.json"), formatBuild(build));
  await git(page, "add", ".");
  await git(page, "commit", "--quiet", "--message", "Build");
  await git(page, "push", "--quiet", remote, "gh-pages", "gh-pages:main");
  await git(scratch.path, "clone", "--quiet", "--branch", "main", remote, clone);
  const read = async () => {
    const repository = await findRepository(clone);
    assert(repository !== undefined);
    return await readPublishedPage(repository);
  };
  const { built: _, ...known } = build;
  assertEquals(await read(), { build: { built, digest: known.digest }, said: NOTHING_SAID });
  await Deno.writeTextFile(join(page, "feed-state.json"), formatFeedState(said));
  await git(page, "add", ".");
  await git(page, "commit", "--quiet", "--message", "Feeds");
  await git(page, "push", "--quiet", remote, "gh-pages");
  assertEquals((await read())?.said, said);
});
