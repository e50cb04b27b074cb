import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseDays } from "../../lib/history/daily_log.ts";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
  configText,
  makeRepository,
  ONCE_A_DAY,
  pathsAt,
  status,
  tip,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { thoroughly } from "../helpers/thorough.ts";

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

Deno.test("before any check the statistics say no data, and a run after it writes nothing", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(scratch.path, { ".monitorrc.yml": SHOP });
  const first = await runTask("response-time", { folder });
  assertEquals(first.code, 0, first.stderr);
  assertEquals(await json(folder, "api/shop/uptime.json"), {
    schemaVersion: 1,
    label: "uptime",
    message: "no data",
    color: "lightgrey",
  });
  assertEquals((await json(folder, "api/shop/response-time-day.json"))["message"], "no data");
  const commit = await tip(folder);
  const second = await runTask("response-time", { folder });
  assertEquals([second.code, await tip(folder)], [0, commit]);
  assertStringIncludes(second.stdout, "nothing new");
  assertEquals(await status(folder), "");
});

Deno.test("days that are over are rolled up, and only checks go that are older than they are kept", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 38, 33);
  const first = await runTask("response-time", { folder });
  assertEquals(first.code, 0, first.stderr);
  const paths = await pathsAt(folder);
  const logs = paths.filter((path) => path.startsWith("history/checks/"));
  assertEquals(logs, [35, 34, 33].map((days) => `history/checks/${dateOf(daysAgo(days))}.csv`));
  const days = async () => {
    const daily = paths.filter((path) => path.startsWith("history/daily/"));
    return (await Promise.all(daily.map((path) => Deno.readTextFile(join(folder, path))))).join("");
  };
  const rolled = await days();
  const whole = parseDays(rolled).get("shop")!.get(dateOf(daysAgo(38)))!;
  assertEquals([whole.checks, whole.observedTime, whole.downTime], [288, 86_400, 0]);
  const second = await runTask("response-time", { folder });
  assertEquals([second.code, await days()], [0, rolled]);
});

Deno.test("what waits beside the branch counts, in a clone of one commit, and GitHub is not asked", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url }, ONCE_A_DAY),
  });
  let asked = 0;
  await using github = httpServer(() => new Response(`no ${++asked}`, { status: 500 }));
  const env = {
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: "ghs_0123456789",
    GITHUB_REPOSITORY: "octo/status",
  };
  const folder = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  for (let run = 0; run < 2; run++) await runTask("update", { folder });
  const fresh = await cloneRemote(remote, join(scratch.path, "fresh"), "--depth=1");
  const ended = await runTask("response-time", { folder: fresh, env });
  assertEquals(ended.code, 0, ended.stderr);
  const { windows } = await json(fresh, "api/shop/statistics.json") as {
    windows: Record<string, { checks: number }>;
  };
  assertEquals(windows["day"]!.checks, 2);
  assertEquals(asked, 0);
  assertEquals(await git(fresh, "rev-parse", "--is-shallow-repository"), "true");
  assertEquals(await tip(remote, "main"), await tip(fresh));
});

Deno.test("where somebody else was faster, everything is made anew from what they brought", async () => {
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

Deno.test("a job shows the numbers of all sites on its page", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 4, 2);
  const env = { GITHUB_ACTIONS: "true" };
  const ended = await runTask("response-time", { folder, env });
  assertEquals(ended.code, 0, ended.stderr);
  const summary = await Deno.readTextFile(join(folder, ".git", "monitor", "summary.md"));
  assertStringIncludes(summary, "### Statistics of 1 site");
  assertStringIncludes(summary, "| Site | Uptime 24h | Uptime 7d |");
  assertStringIncludes(summary, "| Shop | – | 100% |");
});

Deno.test("a dry run tells what would be written, and writes nothing", async () => {
  await using scratch = await makeScratch();
  const folder = await repositoryWith(scratch.path, 3, 1);
  const before = [await tip(folder), await status(folder)];
  const ended = await runTask("response-time", { folder, args: ["--dry-run"] });
  assertEquals(ended.code, 0, ended.stderr);
  assertStringIncludes(ended.stdout, "--- api/shop/uptime.json");
  assertEquals([await tip(folder), await status(folder)], before);
});

thoroughly(
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

thoroughly("a log of which no row can be read stays, however old it is", async () => {
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

thoroughly(
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

thoroughly("where no site of the configuration can be used, nothing is written", async () => {
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

Deno.test("badges of a site that is gone go too, and nothing else that is in their folder", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(scratch.path, {
    ".monitorrc.yml": configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:1" }),
  });
  await runTask("response-time", { folder });
  await Deno.writeTextFile(join(folder, "api", "forum", "notes.txt"), "mine");
  await commitFile(folder, "api/forum/notes.txt", "mine");
  await commitFile(folder, ".monitorrc.yml", SHOP);
  const ended = await runTask("response-time", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  const left = (await pathsAt(folder)).filter((path) => path.startsWith("api/forum/"));
  assertEquals(left, ["api/forum/notes.txt"]);
});

Deno.test("a file where our folder belongs is named, and stays", async () => {
  await using scratch = await makeScratch();
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP, api: "a script" });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const ended = await runTask("response-time", { folder });
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "api: it is a file of the branch; move it away");
  assertEquals(await git(remote, "show", "main:api"), "a script");
});
