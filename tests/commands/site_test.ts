import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { keptFiles, textsOf } from "../helpers/kept_files.ts";
import { namesIn } from "../helpers/names_in.ts";
import { runTask } from "../helpers/program.ts";
import { configText, makeRepository } from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { askedAt, NOWHERE, REPOSITORY } from "../helpers/site_rig.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";

const EXPORT = "site/status-page/export";

/** A folder without git in which two sites were checked for some hours, and one of them had an outage. */
async function checkedFolder(scratch: Scratch, top = ""): Promise<string> {
  const folder = join(scratch.path, "status");
  await Deno.mkdir(folder);
  const config = configText({ Shop: NOWHERE, Forum: NOWHERE }, top);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  const to = Temporal.Now.instant().subtract({ minutes: 2 });
  const outage = { from: to.subtract({ minutes: 50 }), to: to.subtract({ minutes: 20 }) };
  const sites = [{ slug: "shop" }, { slug: "forum", outages: [outage] }];
  await writeHistory(folder, sites, { from: to.subtract({ hours: 5 }), to });
  return folder;
}

async function site(folder: string, ...args: string[]) {
  const ended = await runTask("site", { folder, args });
  assertEquals(ended.code, 0, ended.stderr);
  return ended;
}

Deno.test("the page is complete; a second build changes no byte or time, and a new check changes only its files", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch);
  const first = await site(folder);
  assertMatch(
    first.stdout,
    /^Status page: \d+ pages? \((\d+) files, \1 written, 0 removed\), site\/status-page\/export\n$/,
  );
  const exported = join(folder, EXPORT);
  const before = await keptFiles(exported);
  for (
    const path of [
      ...["index.html", "style.css", "favicon.svg", "preview.png", "summary.json", "build.json"],
      ...[".nojekyll", "robots.txt", "api/shop/uptime.json", "api/forum/badge-status.svg"],
    ]
  ) assert(before.has(path), path);
  assert(!before.has("CNAME"));
  assert(!before.has("sitemap.xml"));
  const { built, checks } = JSON.parse(before.get("build.json")!.text);
  assert(built > checks);

  const second = await site(folder);
  assertStringIncludes(second.stdout, "files, nothing changed)");
  assertEquals(await keptFiles(exported), before);

  const time = Temporal.Now.instant();
  const log = join(folder, checksPath(time));
  const row = { time, run: "ffffffff", slug: "shop", state: "up", code: 200, ms: 50, attempts: 1 };
  const text = await Deno.readTextFile(log).catch(() => undefined);
  await Deno.writeTextFile(log, appendRows(text, [{ ...row, state: "up" }]));
  await site(folder);
  const after = await keptFiles(exported);
  const changed = [...after].filter(([path, { text }]) => before.get(path)?.text !== text);
  const paths = changed.map(([path]) => path);
  assert(paths.includes("build.json") && paths.includes("index.html"), paths.join());
  assert(!paths.some((path) => /style|favicon|robots/.test(path)), paths.join());
  const now = JSON.parse(after.get("build.json")!.text);
  assert(now.built > built && now.checks > checks);
  for (const [path, { written }] of after) {
    if (!paths.includes(path)) assertEquals(written, before.get(path)!.written, path);
  }
});

Deno.test("the page shows figures after a single check, and counts the last check of every site", async () => {
  await using scratch = await makeScratch();
  const folder = join(scratch.path, "status");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), configText({ Shop: NOWHERE }));
  const to = Temporal.Now.instant().subtract({ minutes: 1 });
  await writeHistory(folder, [{ slug: "shop" }], { from: to, to });
  await site(folder);
  const [shop] = JSON.parse(await Deno.readTextFile(join(folder, EXPORT, "summary.json")));
  assertEquals([shop.uptimeDay, shop.uptime], ["100%", "100%"]);
  assert(shop.timeDay > 0);
  const page = await Deno.readTextFile(join(folder, EXPORT, "index.html"));
  assertMatch(page, />100%</);
  assertMatch(page, />\d+ ms</);
});

Deno.test("--json prints one document with the changed files", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch);
  const { folder: place, written } = JSON.parse((await site(folder, "--json")).stdout);
  assertEquals(place, EXPORT);
  assert(written.length > 20);
  await Deno.writeTextFile(join(folder, EXPORT, "old.html"), "old");
  const again = JSON.parse((await site(folder, "--json")).stdout);
  assertEquals([again.removed, again.written.map(({ path }: { path: string }) => path).sort()], [
    ["old.html"],
    [],
  ]);
});

Deno.test("the owner's files are copied to the page's root; only some may replace ours, and none through a link", async () => {
  await using scratch = await makeScratch();
  const top = "status-website: { cname: status.acme.example }\n";
  const folder = await checkedFolder(scratch, top);
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  await Deno.mkdir(join(folder, "assets", "img"), { recursive: true });
  const write = (path: string, content: string | Uint8Array) =>
    Deno.writeFile(
      join(folder, "assets", path),
      typeof content === "string" ? new TextEncoder().encode(content) : content,
    );
  await write("img/logo.png", bytes);
  await write("robots.txt", "User-agent: *\nDisallow: /\n");
  await write("index.html", "mine");
  await write("api", "mine");
  await write(".gitkeep", "");
  await Deno.symlink("/etc/passwd", join(folder, "assets", "passwd"));
  const { stderr } = await site(folder);
  const warnings = stderr.split("\n").filter((line) => line.startsWith("warning:"));
  assertEquals(warnings, [
    "warning: assets/passwd is left out: it is a link, or no file",
    "warning: assets/api is left out: the page already has a file or folder there",
    "warning: assets/index.html is left out: the page already has a file or folder there",
  ]);
  assertEquals(await Deno.readFile(join(folder, EXPORT, "img/logo.png")), bytes);
  const kept = await keptFiles(join(folder, EXPORT));
  assertEquals(kept.get("robots.txt")!.text, "User-agent: *\nDisallow: /\n");
  assertEquals(kept.get("CNAME")!.text, "status.acme.example\n");
  assertStringIncludes(kept.get("sitemap.xml")!.text, "<loc>https://status.acme.example/</loc>");
  assertEquals(
    ["passwd", ".gitkeep", "index.html"].map((path) => kept.get(path)?.text === "mine"),
    [false, false, false],
  );
});

Deno.test("files that are missing are named, and the page keeps its logo and font", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(
    scratch,
    "status-website: { logoUrl: a.svg, logoDark: b.svg, font: c.woff2 }\n",
  );
  await Deno.mkdir(join(folder, "assets"));
  await Deno.writeTextFile(join(folder, "assets/a.svg"), "<svg/>");
  const { stderr } = await site(folder);
  for (const [key, name] of [["logoDark", "b.svg"], ["font", "c.woff2"]]) {
    assertStringIncludes(
      stderr,
      `warning: .monitorrc.yml status-website.${key}: assets/${name} is missing\n`,
    );
  }
  const files = await keptFiles(join(folder, EXPORT));
  const page = files.get("index.html")!.text;
  assertStringIncludes(page, 'src="a.svg"');
  for (const text of [page, files.get("style.css")!.text]) {
    assert(!/b\.svg|c\.woff2/.test(text));
  }
});

Deno.test("an assets/ that is a link or a file is skipped with a message", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch);
  const assets = join(folder, "assets");
  await Deno.mkdir(join(scratch.path, "others"));
  await Deno.writeTextFile(join(scratch.path, "others", "private.txt"), "private");
  const said = "warning: assets is left out: it is a link, or no folder\n";
  await Deno.symlink(join(scratch.path, "others"), assets);
  assertEquals((await site(folder)).stderr, said);
  await Deno.remove(assets);
  await Deno.writeTextFile(assets, "mine");
  assertEquals((await site(folder)).stderr, said);
  assert(!(await keptFiles(join(folder, EXPORT))).has("private.txt"));
});

Deno.test("no file of the page contains a secret, wherever it is configured", async () => {
  await using scratch = await makeScratch();
  const secrets = {
    ADDRESS: "https://hidden.acme.example/health",
    KEY: 's3cr<e>&"t',
    WORD: "class",
  };
  const folder = join(scratch.path, "status");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    join(folder, ".monitorrc.yml"),
    `status-website: { name: 'Acme ${secrets.KEY}' }
sites:
  - { name: Hidden, url: $ADDRESS }
  - { name: 'Shop ${secrets.KEY} first class', slug: shop, url: "https://example.com/?key=$KEY", link: 'https://example.com/${secrets.KEY}' }
`,
  );
  const to = Temporal.Now.instant();
  const from = to.subtract({ minutes: 30 });
  const error = `GET ${secrets.ADDRESS} failed, sent ${secrets.KEY}`;
  const outages = [{ from, error }];
  await writeHistory(folder, [{ slug: "hidden", outages }, { slug: "shop", outages }], {
    from: to.subtract({ hours: 2 }),
    to,
  });
  const env = { SECRETS_CONTEXT: JSON.stringify(secrets) };
  const ended = await runTask("site", { folder, env });
  assertEquals(ended.code, 0, ended.stderr);
  const kept = await keptFiles(join(folder, EXPORT));
  for (const [path, { text }] of kept) {
    const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    for (const secret of [secrets.ADDRESS, "hidden.acme.example", secrets.KEY, "s3cr"]) {
      assert(!plain.includes(secret), `${path}: ${secret}`);
    }
  }
  const page = kept.get("index.html")!.text;
  // Secrets equal to words of the page's source leave it intact.
  assert(page.includes('<main id="content">') && page.includes('<li class="site"'));
  assert(page.includes("first ***"));
});

Deno.test("the page is built on a detached HEAD, without git, and with an unreachable remote", async () => {
  await using scratch = await makeScratch();
  const files = { ".monitorrc.yml": configText({ Shop: NOWHERE }) };
  const folder = await makeRepository(join(scratch.path, "detached"), files);
  await git(folder, "checkout", "--quiet", "--detach");
  const detached = await site(folder);
  assertStringIncludes(detached.stderr, "no branch is checked out (HEAD is detached)");
  const pages = textsOf(await keptFiles(join(folder, EXPORT)));
  assert(pages.length > 20);

  const without = await runTask("site", { folder, env: { PATH: "/nowhere" } });
  assertEquals(without.code, 0, without.stderr);

  const gone = await makeRepository(join(scratch.path, "gone"), files);
  await git(gone, "remote", "add", "origin", join(scratch.path, "no.git"));
  const away = await runTask("site", { folder: gone });
  assertEquals(away.code, 0, away.stderr);
});

Deno.test("site names an obstacle in its folder, and fails with an unusable configuration", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch);
  await Deno.writeTextFile(join(folder, "site"), "mine");
  const { code, stderr } = await runTask("site", { folder });
  assertEquals(code, 1);
  assertMatch(
    stderr,
    /^error: Cannot write site\/status-page\/export\/\S+: site is a file; move it away\n$/,
  );
  await Deno.writeTextFile(join(folder, ".monitorrc.yml"), "sites: [");
  assertEquals((await runTask("site", { folder })).code, 2);
});

Deno.test("a symbolic link in place of the page's folder is refused, and its target stays unchanged", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch);
  const elsewhere = join(scratch.path, "elsewhere");
  await Deno.mkdir(elsewhere);
  await Deno.writeTextFile(join(elsewhere, "kept.txt"), "mine");
  await Deno.mkdir(join(folder, "site"));
  await Deno.symlink(elsewhere, join(folder, "site", "status-page"));
  const { code, stderr } = await runTask("site", { folder });
  assertEquals([code, await namesIn(elsewhere)], [1, ["kept.txt"]]);
  assertMatch(stderr, /site\/status-page is a link, and what it leads to is not the page's/);
});

Deno.test("with skipGeneratingWebsite: true, site builds nothing and says so", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch, "skipGeneratingWebsite: true\n");
  const { stdout } = await site(folder);
  assertEquals(stdout, "No status page: skipGeneratingWebsite is true in the configuration.\n");
  assertEquals(await Deno.stat(join(folder, "site")).catch(() => "none"), "none");
});

Deno.test("secrets equal to words of the page's source break neither the page nor its settings", async () => {
  await using scratch = await makeScratch();
  const folder = await checkedFolder(scratch, "timezone: Europe/Berlin\n");
  const words = [
    "Europe/Berlin",
    "self",
    "none",
    "index",
    "style",
    "html",
    "down",
    "main",
    "script",
  ];
  const secrets = Object.fromEntries(words.map((word, index) => [`WORD${index}`, word]));
  const env = { SECRETS_CONTEXT: JSON.stringify(secrets) };
  const ended = await runTask("site", { folder, env });
  assertEquals(ended.code, 0, ended.stderr);
  const page = await Deno.readTextFile(join(folder, EXPORT, "index.html"));
  for (
    const part of [
      ...["<!DOCTYPE html>", "default-src 'none'", "style-src 'self'", 'href="style.css', "<main "],
      ...['href="history/shop/index.html"', 'src="script.js', "</html>"],
    ]
  ) assert(page.includes(part), part);
});

const RAW = "https://raw.githubusercontent.com/acme/status/HEAD/history/summary.json";

Deno.test("an open page of a public repository reads fresh states from it, as its policy allows", async () => {
  const { summary, sources, stderr, requests, record } = await askedAt(() => {});
  assertMatch(record!, /^https?:[^ ]*\/acme\/status\/commits\/main\/history\/incidents\/a\.yml$/);
  assertEquals([summary, sources, stderr], [RAW, "'self' https://raw.githubusercontent.com", ""]);
  assert(requests.includes(REPOSITORY));
});

Deno.test("an open page of a private repository reads only its own files, and the build warns why", async () => {
  const { summary, sources, stderr, record } = await askedAt((github) => {
    github.state.isPrivate = true;
  });
  assertEquals(record, undefined);
  assertEquals([summary, sources], ["summary.json", "'self'"]);
  assertEquals(
    stderr,
    "warning: pages.live is page and not repository here: the repository is private\n",
  );
});

Deno.test("serve rejects invalid options, and exits if the configuration is unusable", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", configText({ Shop: NOWHERE }));
  const serve = (...args: string[]) => runTask("serve", { folder: scratch.path, args });
  for (const port of ["65536", "-1", "http"]) {
    const { code, stderr } = await serve(`--port=${port}`);
    assertEquals([code, stderr.includes("give a number from 0 to 65535")], [2, true], stderr);
  }
  assertEquals((await runTask("site", { folder: scratch.path, args: ["--port=1"] })).code, 2);
  await using taken = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => new Response(),
  );
  const busy = await serve(`--port=${taken.addr.port}`);
  assertEquals(busy.code, 1);
  assertStringIncludes(busy.stderr, "another program has it; choose another one, or 0");
  await scratch.write(".monitorrc.yml", "sites: [");
  assertEquals((await serve("--port=0")).code, 2);
});
