import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  pathsAt,
  remoteAndClone,
  status,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
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

Deno.test("response-time counts pending checks in a clone of depth 1, without a request to GitHub", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": configText({ Shop: site.url }),
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
  const { remote, folder } = await remoteAndClone(scratch, SHOP);
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

Deno.test("with branch: same, graphs are committed next to the other files, with formats and theme as configured", async () => {
  await using scratch = await makeScratch();
  const config = configText(
    { Shop: "http://127.0.0.1:1" },
    "graphs: { branch: same, svg: true, dark: false }\n",
  );
  const { remote, folder } = await remoteAndClone(scratch, config);
  const to = Temporal.Now.instant();
  await writeHistory(folder, [{ slug: "shop" }], { from: to.subtract({ hours: 3 }), to });
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Write a history");
  await git(folder, "push", "--quiet");
  const ended = await runTask("graphs", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  const committed = (await pathsAt(remote, "main")).filter((path) => path.startsWith("graphs/"));
  const expected = ["", "-day", "-week", "-month", "-year"].flatMap((window) =>
    [".png", ".svg"].map((end) => `graphs/shop/response-time${window}${end}`)
  );
  const sparkline = "graphs/shop/response-time-sparkline.svg";
  assertEquals(committed, [...expected, sparkline].sort());
  assertEquals(await status(folder), "");
  const svg = await Deno.readTextFile(join(folder, "graphs/shop/response-time-day.svg"));
  assertStringIncludes(svg, "Shop");
});
