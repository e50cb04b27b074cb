import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { loadConfig } from "../../../lib/config/load.ts";
import { toSlug } from "../../../lib/config/slug.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { folderWorkspace } from "../../../lib/io/workspace.ts";
import { readDoc } from "../../helpers/docs.ts";
import { makeScratch } from "../../helpers/scratch.ts";

Deno.test("a slug is the lower-case name, with hyphens for spaces and characters unsafe in paths and URLs", () => {
  const cases: Readonly<Record<string, string>> = {
    "Google": "google",
    "My  Site": "my-site",
    " blanks \t\u00a0": "blanks",
    "Two\nlines": "two-lines",
    "../../etc/passwd": "-..-etc-passwd",
    ".hidden": "hidden",
    "...": "",
    'a/b\\c:d*e?f"g<h>i|j#k%l&m': "a-b-c-d-e-f-g-h-i-j-k-l-m",
    "\u202egnp.exe\u0000": "-gnp.exe-",
    "E\u0301lan": "élan",
    "日本語 サイト": "日本語-サイト",
    "한국어": "한국어",
    "🚀": "🚀",
    "ДОМ": "дом",
    "v1.2 (EU)": "v1.2-eu",
    "(EU) [Shop](x){y}": "eu-shop-x-y",
    "上海（备用）": "上海-备用",
    "(.)": "",
    "a - b": "a---b",
    "--help": "--help",
  };
  for (const [name, slug] of Object.entries(cases)) assertEquals(toSlug(name), slug, name);
});

Deno.test("the docs show slugs as the program makes them", async () => {
  const [, section] = (await readDoc("docs/configuration.md")).split(/^## Slugs$/m);
  const rows = [...section!.split(/^## /m)[0]!.matchAll(/^\| `(.+?)` +\| `(.+?)` +\|$/gm)];
  assert(rows.length > 5);
  for (const [, name, slug] of rows) assertEquals(toSlug(name!), slug);
  const replaced = /characters `(.*?)`/.exec(section!)![1]!.split(" ");
  // Every other character of ASCII stays, except that brackets join the hyphens beside them.
  for (let code = 33; code < 127; code++) {
    const character = String.fromCharCode(code);
    const expected = replaced.includes(character) || "()[]{}".includes(character)
      ? "-"
      : character.toLowerCase();
    assertEquals(toSlug(`a${character}b`), `a${expected}b`);
  }
});

Deno.test("making a slug from a slug changes nothing", () => {
  for (const name of ["../A b", "İstanbul", "ǅ", "a\u200bb", "ﬀ", ". .a", "a."]) {
    assertEquals(toSlug(toSlug(name)), toSlug(name), name);
  }
});

const UPPTIME_RECORD =
  "url: https://a.example\nstatus: up\ncode: 200\nresponseTime: 81\nlastUpdated: 2023-08-08T23:03:29.660Z\nstartTime: 2022-04-11T07:37:56.000Z\ngenerator: Upptime <https://github.com/upptime/upptime>\n";
const OUR_RECORD = UPPTIME_RECORD.replace(/generator: .*/, "generator: monitor-action v1.41.0");

/** Slugs of sites with the names given, in a folder with the files given. */
async function slugsOf(names: readonly string[], files: Record<string, string>): Promise<string[]> {
  await using scratch = await makeScratch();
  const sites = names.map((name) => ({ name, url: "https://a.example" }));
  const config = files[".upptimerc.yml"] === undefined ? ".monitorrc.yml" : ".upptimerc.yml";
  await scratch.write(config, JSON.stringify({ sites }));
  for (const [path, text] of Object.entries(files)) {
    if (path === config) continue;
    await Deno.mkdir(join(scratch.path, path, ".."), { recursive: true });
    await scratch.write(path, text);
  }
  return await slugsIn(scratch.path);
}

async function slugsIn(root: string): Promise<string[]> {
  const { config } = await loadConfig(folderWorkspace(root), { root, secrets: new Secrets({}) });
  return config!.sites.map(({ slug }) => slug);
}

const NAMES = ["POP3", "cURC XdMoD", "Shop (EU)", "API 🎉", "鸭鸭梨", "plain"];
const UPPTIMES = ["pop-3", "c-urc-xd-mo-d", "shop-eu", "api", "鸭鸭梨", "plain"];
const OURS = ["pop3", "curc-xdmod", "shop-eu", "api-🎉", "鸭鸭梨", "plain"];

Deno.test("slugs are made by Upptime's rule in a repository that comes from it, else by ours", async () => {
  assertEquals(await slugsOf(NAMES, {}), OURS);
  assertEquals(await slugsOf(NAMES, { "history/plain.yml": OUR_RECORD }), OURS);
  assertEquals(await slugsOf(NAMES, { ".upptimerc.yml": "" }), UPPTIMES);
  assertEquals(await slugsOf(NAMES, { "history/other.yml": UPPTIME_RECORD }), UPPTIMES);
  const workflow = "jobs:\n  a:\n    steps:\n      - uses: upptime/uptime-monitor@v1.41.0\n";
  assertEquals(await slugsOf(NAMES, { ".github/workflows/uptime.yml": workflow }), UPPTIMES);
});

Deno.test("a site keeps the slug of its record, once everything of Upptime's is gone", async () => {
  assertEquals(
    await slugsOf(NAMES, { "history/pop-3.yml": OUR_RECORD, "history/api.yml": OUR_RECORD }),
    ["pop-3", "curc-xdmod", "shop-eu", "api", "鸭鸭梨", "plain"],
  );
  assertEquals(
    await slugsOf(["POP3", "Shop (EU)"], {
      ".upptimerc.yml": "",
      "history/pop3.yml": OUR_RECORD,
      "history/shop-(eu).yml": OUR_RECORD,
    }),
    ["pop3", "shop-(eu)"],
  );
});

Deno.test("a site never takes the record of another site", async () => {
  const files = { "history/pop-3.yml": OUR_RECORD };
  assertEquals(await slugsOf(["POP3", "POP 3"], files), ["pop3", "pop-3"]);
  assertEquals(await slugsOf(["POP3", "POP 3"], { ...files, ".upptimerc.yml": "" }), [
    "pop3",
    "pop-3",
  ]);
});

Deno.test("the displayed texts of a configuration contain no secret, and checked addresses stay complete", async () => {
  await using scratch = await makeScratch();
  const site = {
    name: "Shop of s3cret",
    slug: "s3cret",
    group: "At s3cret",
    url: "https://s3cret.example",
  };
  const texts = { "status-website": { introTitle: "s3cret" }, i18n: { up: "s3cret" } };
  await scratch.write(".monitorrc.yml", JSON.stringify({ sites: [site], ...texts }));
  const root = scratch.path;
  const secrets = new Secrets({ TOKEN: "s3cret" });
  const { config } = await loadConfig(folderWorkspace(root), { root, secrets });
  const { name, slug, group, url, target } = config!.sites[0]!;
  assertEquals([name, slug, group, url, target.url], [
    ...["Shop of ***", "s3cret", "At ***", "https://***.example", "https://s3cret.example"],
  ]);
  assertEquals([config!.i18n, config!["status-website"]!.introTitle], [{ up: "***" }, "***"]);
});
