import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { namesIn } from "../../helpers/names_in.ts";
import { runProcess, runTask } from "../../helpers/program.ts";
import { rowsIn } from "../../helpers/repositories.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import {
  makeUpptimeRepository,
  type UpptimeCommitted,
  upptimeRecord as record,
} from "../../helpers/upptime_repository.ts";
import { parseDays } from "../../../lib/history/daily_log.ts";
import { parseIncident } from "../../../lib/history/incident.ts";
import { parseRecord } from "../../../lib/history/record.ts";
import {
  BLOG,
  contents,
  importInto,
  may,
  SHOP,
  upptimeConfig as config,
} from "../../helpers/upptime_import.ts";

Deno.test("import writes nothing through committed links that lead out of the clone", async () => {
  for (const [link, target] of [["history/checks", "../../outside"], [".github", "../outside"]]) {
    await using scratch = await makeScratch();
    const folder = join(scratch.path, "status");
    const outside = join(scratch.path, "outside");
    await Deno.mkdir(outside);
    await makeUpptimeRepository(folder, [{
      at: may(1),
      files: {
        ".upptimerc.yml": config({ Shop: SHOP }),
        "history/shop.yml": record({ url: SHOP, at: may(1) }),
      },
    }]);
    await Deno.symlink(target!, join(folder, link!));
    await git(folder, "add", link!);
    await git(folder, "commit", "--quiet", "-m", "Link");
    // The permissions of the task don't hold links back.
    const { code, stderr } = await runProcess("import", { folder, args: ["upptime"] });
    assertEquals([code, await namesIn(outside)], [1, []]);
    const fault =
      `${link} is a link that leads out of this folder, to ${outside}; put a folder in its place`;
    assertStringIncludes(stderr.replace(/\s+/g, " "), fault);
  }
});

Deno.test("import upptime imports every check, rolls days up, and turns failures into incidents", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const start = "2026-01-02T03:04:05.000Z";
  const shop = (at: string, rest: Partial<Parameters<typeof record>[0]> = {}) => ({
    at,
    files: { "history/shop.yml": record({ url: SHOP, at, start, ...rest }) },
  });
  await makeUpptimeRepository(folder, [
    { at: may(1, "09:00"), files: { ".upptimerc.yml": config({ Shop: SHOP }) } },
    shop(may(1)),
    shop(may(2), { status: "down", code: 503, ms: 70 }),
    shop(may(2, "11:30"), { ms: 130 }),
    // JavaScript's own date format.
    shop(may(3), { status: "degraded", ms: 9000, at: "Sun May 03 2026 10:00:00 GMT+0000 (UTC)" }),
    shop(may(3, "10:20")),
    shop("2026-06-20T10:00:00.000Z"),
  ]);
  const before = await contents(folder);
  assertEquals((await importInto(folder, "--dry-run")).versions, 6);
  assertEquals(await contents(folder), before);
  const report = await importInto(folder);
  assertEquals([report.versions, report.outcomes.check, report.incidents], [6, 6, 2]);
  const [last, ...others] = await rowsIn(folder);
  assertEquals(others, []);
  assertEquals([last!.slug, last!.state, last!.ms, last!.location], ["shop", "up", 100, "upptime"]);
  const days = parseDays([await Deno.readTextFile(join(folder, "history/daily/2026.csv"))]);
  const [first, second, third] = days.get("shop")!;
  assertEquals([first!.up, second!.down, second!.downTime], [1, 1, 90 * 60]);
  assertEquals([third!.degraded, third!.degradedTime], [1, 20 * 60]);
  assertEquals(second!.responseTimes.count, 1);
  const [down, slow] = await Promise.all(
    ["2026-05-02-shop", "2026-05-03-shop"].map(async (id) =>
      parseIncident(await Deno.readTextFile(join(folder, `history/incidents/${id}.yml`)))!
    ),
  );
  assertEquals([down!.kind, down!.code, down!.error], ["down", 503, "answered 503"]);
  assertEquals(down!.end, Temporal.Instant.from(may(2, "11:30")));
  assertEquals(slow!.kind, "degraded");
  const kept = parseRecord(await Deno.readTextFile(join(folder, "history/shop.yml")))!;
  assertEquals(kept.startTime, Temporal.Instant.from(start));
  const after = await contents(folder);
  assertEquals((await importInto(folder)).written, []);
  assertEquals(await contents(folder), after);
});

Deno.test("an import separates sites that share a file, and follows renamed and moved sites", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const version = (file: string, url: string, at: string): UpptimeCommitted => ({
    at,
    files: { [`history/${file}.yml`]: record({ url, at }) },
  });
  await makeUpptimeRepository(folder, [
    {
      at: may(1, "00:00"),
      files: {
        ".upptimerc.yml": config({ Google: "https://www.google.com" }),
        "history/google.yml": record({ url: "https://www.google.com", at: "2020-09-01T00:00:00Z" }),
      },
    },
    // Two names without a letter of Latin share the file ".yml".
    {
      at: may(1, "01:00"),
      files: {
        ".upptimerc.yml": config({ 商店: SHOP, 博客: BLOG, Old: "https://old.example.com" }),
        "history/google.yml": null,
      },
    },
    version("", SHOP, may(1, "02:00")),
    version("", BLOG, may(1, "02:01")),
    version("", SHOP, may(2, "02:00")),
    version("old", "https://old.example.com", may(2, "03:00")),
    // The old site moves to the blog's address, and is renamed later; the blog moves as well.
    {
      at: may(3, "00:00"),
      files: {
        ".upptimerc.yml": config({ 商店: SHOP, 博客: "https://b.example.com", Old: BLOG }),
      },
    },
    version("old", BLOG, may(3, "01:00")),
    version("", "https://b.example.com", may(3, "01:01")),
    {
      at: may(4, "00:00"),
      files: {
        ".upptimerc.yml": config({ 商店: SHOP, 博客: "https://b.example.com", News: BLOG }),
        "history/old.yml": null,
      },
    },
    version("news", BLOG, may(4, "01:00")),
    version("gone", "https://gone.example.com", may(4, "02:00")),
  ]);
  const report = await importInto(folder);
  const sites = report.sites.map((
    { slug, checks, archived }: { slug: string; checks: number; archived: boolean },
  ) => [slug, checks, archived]);
  assertEquals(sites, [
    ["商店", 2, false],
    ["博客", 2, false],
    ["news", 3, false],
    ["gone", 1, true],
  ]);
  assertEquals(report.outcomes.template, 1);
  assertEquals(report.deletions, 2);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Move");
  const { stdout } = await runTask("status", { folder, args: ["--archived"] });
  assertMatch(stdout, /^gone +2026-05-04 to 2026-05-04 +1 check/);
});

Deno.test("each version that is not a check is listed with its reason, and a gap is no incident", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const path = "history/shop.yml";
  const first = record({ url: SHOP, at: may(1) });
  const side = (at: string) => record({ url: SHOP, at }).trimEnd();
  await makeUpptimeRepository(folder, [
    { at: may(1, "00:00"), files: { ".upptimerc.yml": config({ Shop: SHOP }) } },
    { at: may(1), files: { [path]: first } },
    { at: may(1, "12:00"), files: { [path]: null } },
    { at: may(1, "13:00"), files: { [path]: first } },
    { at: may(2), files: { [path]: "notes: mine\n" } },
    {
      at: may(3),
      files: {
        [path]: `<<<<<<< HEAD\n${side(may(3))}\n=======\n${side(may(3, "10:05"))}\n>>>>>>> x\n`,
      },
    },
    {
      at: may(4),
      files: { [path]: record({ url: SHOP, at: may(4), status: "down", code: 0, ms: 0 }) },
    },
    { at: may(20), files: { [path]: record({ url: SHOP, at: may(20) }) } },
  ]);
  const { outcomes, notImported, versions } = await importInto(folder);
  assertEquals(versions, 7 - 1);
  assertEquals([outcomes.check, outcomes.repeated, outcomes.foreign], [4, 1, 1]);
  const log = await git(folder, "log", "--format=%H", "--", path);
  const commits = notImported.map(({ commit }: { commit: string }) => commit);
  assert(commits.every((commit: string) => log.includes(commit)));
  const incident = parseIncident(
    await Deno.readTextFile(join(folder, "history/incidents/2026-05-04-shop.yml")),
  )!;
  assertEquals(incident.end, Temporal.Instant.from(may(5, "12:00")));
  const days = parseDays([await Deno.readTextFile(join(folder, "history/daily/2026.csv"))]);
  assertEquals(days.get("shop")!.at(-1)!.from, Date.parse("2026-05-05"));
});

Deno.test("each version of both sides of a merge counts once, as in git log --raw", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const commit = (day: number, parents: number[], sites: Readonly<Record<string, string>>) => ({
    ...{ at: may(day), parents },
    files: Object.fromEntries(
      Object.entries(sites).map(([file, url]) => [
        `history/${file}.yml`,
        record({ url, at: may(day) }),
      ]),
    ),
  });
  await makeUpptimeRepository(folder, [
    { at: may(1), files: { ".upptimerc.yml": config({ Shop: SHOP, Blog: BLOG }) } },
    commit(2, [1], { shop: SHOP, blog: BLOG }),
    commit(3, [2], { shop: SHOP }),
    commit(4, [2], { blog: BLOG }),
    // A merge takes the version of the other side, and may resolve a conflict differently.
    commit(5, [4, 3], { shop: SHOP }),
    commit(6, [5], { shop: SHOP, "group/deep": SHOP }),
  ]);
  const raw = await git(folder, "log", "--raw", "--no-renames", "--format=", "--", "history/*.yml");
  const { versions, outcomes } = await importInto(folder, "--dry-run");
  assertEquals(versions, raw.split("\n").filter((line) => / [AM]\t/.test(line)).length);
  assertEquals([versions, outcomes.check, outcomes.repeated], [6, 5, 1]);
});

Deno.test("impossible times and numbers of a version are replaced, and the template's start is not the owner's", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const google = "https://www.google.com";
  const start = "2020-09-21T00:00:00.000Z";
  const files = (name: string, at: string, rest = {}) => ({
    [`history/${name}.yml`]: record({ url: name === "google" ? google : SHOP, at, ...rest }),
  });
  await makeUpptimeRepository(folder, [
    { at: may(1), files: files("google", "2020-10-01T00:00:00.000Z", { start }) },
    { at: may(1), files: { ".upptimerc.yml": config({ Google: google, Shop: SHOP }) } },
    { at: may(2), files: files("google", may(2), { start }) },
    { at: may(2), files: files("shop", "yesterday", { ms: NaN }) },
    { at: may(3), files: files("shop", "9999-01-01T00:00:00.000Z", { ms: -3 }) },
    { at: may(4), files: files("shop", "1970-01-01T00:00:00.000Z", { ms: Infinity }) },
    { at: "1980-01-01T00:00:00Z", files: files("shop", "1980-01-01T00:00:00.000Z") },
  ]);
  const { outcomes, sites } = await importInto(folder);
  assertEquals([outcomes.check, outcomes.template, outcomes.undated], [4, 1, 1]);
  const first = sites.map(({ startTime }: { startTime: string }) => startTime);
  assertEquals(first, [may(2), "2025-01-01T00:00:00.000Z"]);
  const rows = (await rowsIn(folder)).filter(({ slug }) => slug === "shop");
  const seen = rows.map(({ time, ms }) => [time.epochMilliseconds, ms]);
  assertEquals(seen.sort(), [2, 3, 4].map((day) => [Date.parse(may(day)), undefined]));
  assertEquals((await importInto(folder)).written, []);
});

Deno.test("the file of an unconfigured site is joined by its address, and our own configuration wins", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  const version = (file: string, url: string, day: number) => ({
    at: may(day),
    files: { [`history/${file}.yml`]: record({ url, at: may(day) }) },
  });
  const ours = config({ Laden: SHOP });
  await makeUpptimeRepository(folder, [
    version("shop", SHOP, 1),
    version("blog", BLOG, 2),
    {
      at: may(3),
      files: { ".upptimerc.yml": config({ Blog: BLOG }), ".monitorrc.yml": ours },
    },
    version("laden", SHOP, 4),
  ]);
  const { sites, configuration, removed } = await importInto(folder);
  const found = sites.map((
    { slug, checks, archived }: Record<string, unknown>,
  ) => [slug, checks, archived]);
  assertEquals(found, [["laden", 2, false], ["blog", 1, true]]);
  assertStringIncludes(configuration.changes[0], ".monitorrc.yml was there already");
  assertEquals(removed, [".upptimerc.yml"]);
  assertEquals(await Deno.readTextFile(join(folder, ".monitorrc.yml")), ours);
});

Deno.test("an import that can't be made says why and writes nothing", async () => {
  await using scratch = await makeScratch();
  const cases = [
    ["", undefined, "has no commits"],
    ["tab", "sites:\n\t- name: Shop\n\t  url: x\n", ".upptimerc.yml:2 a tab does not indent"],
    ["cut", 'sites:\n  - name: "Shop\n', '.upptimerc.yml:2 the " that opens here'],
    ["none", "", ".upptimerc.yml:1 the configuration is empty"],
    ["file", config({ Shop: SHOP }), "history is not a folder"],
  ] as const;
  for (const [name, text, message] of cases) {
    const folder = join(scratch.path, name || "empty");
    const own = { ".upptimerc.yml": text ?? "", ...name === "file" ? { history: "x" } : {} };
    const files = text === undefined ? [] : [{ at: may(1), files: own }];
    await makeUpptimeRepository(folder, files);
    const { code, stderr } = await runTask("import", { folder, args: ["upptime"] });
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, message);
    assertEquals((await contents(folder)).size, text === undefined ? 0 : Object.keys(own).length);
  }
});

Deno.test("a shallow clone is refused for import, and a partial one fetches all missing objects at once", async () => {
  await using scratch = await makeScratch();
  const origin = join(scratch.path, "origin");
  const versions = Array.from({ length: 30 }, (_, index): UpptimeCommitted => ({
    at: may(1 + index % 28, `05:${10 + index}`),
    message: `🟩 Shop is up (200 in ${100 + index} ms) [skip ci] [upptime]`,
    files: {
      "history/shop.yml": record({
        url: SHOP,
        ms: 100 + index,
        at: may(1 + index % 28, `05:${10 + index}`),
      }),
    },
  }));
  await makeUpptimeRepository(origin, [
    { at: may(1, "00:00"), files: { ".upptimerc.yml": config({ Shop: SHOP }) } },
    ...versions,
  ]);
  await git(origin, "config", "uploadpack.allowFilter", "true");
  await git(origin, "config", "uploadpack.allowAnySHA1InWant", "true");
  const url = `file://${origin}`;
  await git(scratch.path, "clone", "--quiet", "--depth=1", url, "shallow");
  const shallow = await runTask("import", {
    folder: join(scratch.path, "shallow"),
    args: ["upptime"],
  });
  assertEquals(shallow.code, 2);
  assertStringIncludes(shallow.stderr, "git fetch --unshallow");
  await git(scratch.path, "clone", "--quiet", "--filter=blob:none", url, "partial");
  const partial = await importInto(join(scratch.path, "partial"));
  assertEquals([partial.outcomes.check, partial.outcomes.message], [30, 0]);
  await git(scratch.path, "clone", "--quiet", "--filter=blob:none", url, "alone");
  await Deno.rename(origin, `${origin}-gone`);
  const alone = await importInto(join(scratch.path, "alone"));
  // The newest version came with the checkout.
  assertEquals([alone.outcomes.check, alone.outcomes.message], [1, 29]);
});
