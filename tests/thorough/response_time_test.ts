import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, configText, makeRepository, pathsAt, tip } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { writeHistory } from "../helpers/written_history.ts";

const SHOP = configText({ Shop: "http://127.0.0.1:1" });

/** The day that is so many days before today, in UTC. */
function daysAgo(days: number): Temporal.ZonedDateTime {
  return Temporal.Now.zonedDateTimeISO("UTC").subtract({ days });
}

function dateOf(time: Temporal.ZonedDateTime): string {
  return time.toPlainDate().toString();
}

async function json<T = Record<string, unknown>>(folder: string, path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(join(folder, path)));
}

/** A repository with checks of a site from so many days ago until so many days ago, whole days. */
async function repositoryWith(folder: string, from: number, to: number): Promise<string> {
  await makeRepository(folder, { ".monitorrc.yml": SHOP });
  const start = (days: number) => daysAgo(days).startOfDay().toInstant();
  await writeHistory(folder, [{ slug: "shop" }], { from: start(from), to: start(to) });
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  return folder;
}

Deno.test(
  "without git the files are the result, and a branch that takes no commits is an error",
  async () => {
    await using scratch = await makeScratch();
    const folder = join(scratch.path, "plain");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), SHOP);
    const ended = await runTask("response-time", { folder });
    assertEquals(ended.code, 0, ended.stderr);
    assertEquals((await json(folder, "api/shop/uptime.json"))["message"], "no data");

    const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP });
    await Deno.writeTextFile(join(remote, "hooks", "pre-receive"), "#!/bin/sh\nexit 1\n", {
      mode: 0o755,
    });
    const clone = await cloneRemote(remote, join(scratch.path, "clone"));
    const refused = await runTask("response-time", { folder: clone });
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.stderr, "the remote refused");
  },
);

Deno.test("a log of which no row can be read stays, however old it is", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 40, 37);
  const path = `history/checks/${dateOf(daysAgo(39))}.csv`;
  const text = (await Deno.readTextFile(join(folder, path))).replaceAll(",", ";");
  await Deno.writeTextFile(join(folder, path), text);
  await git(folder, "commit", "--quiet", "--all", "--message", "Save with a spreadsheet");
  const ended = await runTask("response-time", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  const logs = (await pathsAt(folder)).filter((one) => one.startsWith("history/checks/"));
  assertEquals(logs, [path]);
});

Deno.test(
  "the summary keeps sites that another configuration or one with an error does not tell of",
  async () => {
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
  },
);

Deno.test("where no site of the configuration can be used, nothing is written", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(scratch.path, { ".monitorrc.yml": SHOP });
  assertEquals((await runTask("response-time", { folder })).code, 0);
  const commit = await tip(folder);
  await Deno.writeTextFile(
    join(folder, ".monitorrc.yml"),
    "sites:\n  - { name: Shop, check: icmp }\n",
  );
  for (const task of ["response-time", "graphs", "status", "report"]) {
    const { code, stdout } = await runTask(task, { folder });
    assertEquals([task, code, stdout, await tip(folder)], [task, 2, "", commit]);
  }
});
