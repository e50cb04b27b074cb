import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  pathsAt,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";

const SHOP = configText({ Shop: "http://127.0.0.1:1" });

async function json<T = Record<string, unknown>>(folder: string, path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(join(folder, path)));
}

Deno.test("without git the statistics are only written as files, and a branch that rejects commits is an error", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "plain");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), SHOP);
  const ended = await runTask("response-time", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  assertEquals((await json(folder, "api/shop/uptime.json"))["message"], "no data");

  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP });
  await writeHook(remote, "pre-receive", "exit 1");
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  const refused = await runTask("response-time", { folder: clone });
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr, "the remote refused");
});

Deno.test("the summary keeps sites that are missing from a partial or broken configuration", async () => {
  await using scratch = await makeScratch();
  const [shop, blog] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
  const folder = await makeRepository(scratch.path, {
    ".monitorrc.yml": configText({ Shop: shop, Blog: blog }),
    "other.yml": configText({ Shop: shop }),
  });
  const slugs = async () =>
    (await json<{ slug: string }[]>(folder, "history/summary.json")).map(({ slug }) => slug);
  const run = async (...args: string[]) => {
    const ended = await runTask("response-time", { folder, args });
    assertEquals(ended.code, 0, ended.stderr);
    return await slugs();
  };
  assertEquals(await run(), ["shop", "blog"]);
  assertEquals(await run("--config", "other.yml"), ["shop", "blog"]);
  const broken = configText({ Shop: shop, Blog: "hhttps://x" });
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), broken);
  assertEquals(await run(), ["shop", "blog"]);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ Shop: shop }));
  assertEquals(await run(), ["shop"]);
});

/** The day that is so many days before today, in UTC. */
function daysAgo(days: number): Temporal.ZonedDateTime {
  return Temporal.Now.zonedDateTimeISO("UTC").subtract({ days });
}

Deno.test("response-time computes everything again if another push was faster", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  const yesterday = daysAgo(1).startOfDay().toInstant();
  const to = yesterday.add({ hours: 1 });
  await writeHistory(other, [{ slug: "shop" }], { from: yesterday, to });
  await git(other, "add", "--all");
  await git(other, "commit", "--quiet", "--message", "Write a history");
  const wrapper = await wrapGit(scratch.path);
  await wrapper.before(
    `if [ "$command" = push ] && [ ! -e '${scratch.path}/done' ]; then
  touch '${scratch.path}/done'
  git -C '${other}' push --quiet origin HEAD:main
fi`,
  );
  const ended = await runTask("response-time", { folder, env: wrapper.env });
  assertEquals(ended.code, 0, ended.stderr);
  assertEquals((await json(folder, "api/shop/response-time.json"))["color"], "brightgreen");
  assert((await pathsAt(remote, "main")).some((path) => path.startsWith("history/daily/")));
});
