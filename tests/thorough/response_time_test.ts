import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { wrapGit } from "../helpers/git_wrapper.ts";
import { runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  commitFile,
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
import { StillClock } from "../helpers/still_clock.ts";
import { LOCATION_REFS } from "../../lib/git/remote.ts";
import { sendLocationTexts } from "../../lib/history/store/location_texts.ts";

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

const WINDOWS = ["-day", "-month", "-week", "-year", ""];

function graphsOf(slug: string, ends: readonly string[]): string[] {
  return WINDOWS.flatMap((window) =>
    ends.map((end) => `graphs/${slug}/response-time${window}${end}`)
  )
    .sort();
}

Deno.test("results of a removed location leave the remote a day after its last run, no others", async () => {
  const noon = "2026-11-21T12:00:00Z";
  await using scratch = await makeScratch();
  const head = "locations: [{ name: Oslo, runner: [self-hosted, oslo] }]\n";
  const config = configText({ Shop: "http://127.0.0.1:1" }, head);
  const { remote, folder } = await remoteAndClone(scratch, config);
  const clock = new StillClock(noon);
  const send = async (id: string, hours: number, from = folder) => {
    const time = Temporal.Instant.from(noon).subtract({ hours });
    const author = { name: "Monitor", email: "monitor@example.com" };
    const texts = new Map([["results-1.json", `{"${id}":${hours}}`]]);
    await sendLocationTexts(from, { id, texts, author, run: "9f3c01ab", time, clock });
  };
  await git(remote, "branch", "staging", "main");
  const staging = await cloneRemote(remote, join(scratch.path, "staging"), "--branch=staging");
  await send("oslo", 100);
  await send("paris", 25);
  await send("rome", 23);
  await send("bonn", 100, staging);
  await git(remote, "update-ref", `${LOCATION_REFS}lima`, await tip(remote, "main"));
  const refs = async () =>
    (await git(remote, "for-each-ref", "--format=%(refname)", LOCATION_REFS)).split("\n")
      .map((ref) => ref.slice(LOCATION_REFS.length));
  const all = ["bonn", "lima", "oslo", "paris", "rome"];
  await commitFile(folder, ".monitorrc.yml", config.replace("Oslo, runner", "Oslo, runer"));
  await runTask("response-time", { folder, clock });
  assertEquals(await refs(), all);
  await commitFile(folder, ".monitorrc.yml", config);
  const { code, stdout } = await runTask("response-time", { folder, clock });
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Removed the results of 1 removed location: paris.");
  assertEquals(await refs(), ["bonn", "lima", "oslo", "rome"]);
});

Deno.test("five graphs and a sparkline per site and theme are drawn before the first check, and published in one commit", async () => {
  await using scratch = await makeScratch();
  const config = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:1" });
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"), "--depth=1");
  const before = await tip(remote, "main");
  const ended = await runTask("graphs", { folder });
  assertEquals(ended.code, 0, ended.stderr);
  assertStringIncludes(
    ended.stdout,
    "Drew 24 graphs: 24 changed, 0 removed. Published: monitor-graphs at origin.",
  );
  const all = [
    ...graphsOf("forum", [".png", "-dark.png"]),
    ...graphsOf("shop", [".png", "-dark.png"]),
    ...["forum", "shop"].flatMap((slug) =>
      ["", "-dark"].map((end) => `graphs/${slug}/response-time-sparkline${end}.svg`)
    ),
  ].sort();
  assertEquals(await pathsAt(remote, "monitor-graphs"), all);
  assertEquals(await git(remote, "rev-list", "--count", "monitor-graphs"), "1");
  assertEquals([await tip(remote, "main"), await status(folder)], [before, ""]);
  const [first] = graphsOf("shop", [".png"]);
  const bytes = await Deno.readFile(join(folder, first!));
  assertEquals([...bytes.subarray(16, 24)], [0, 0, 2, 88, 0, 0, 1, 144]);
});
