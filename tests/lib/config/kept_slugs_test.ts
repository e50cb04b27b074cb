import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { folderWorkspace } from "../../../lib/io/workspace.ts";
import { loadConfig } from "../../../lib/config/load.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { makeScratch } from "../../helpers/scratch.ts";

const UPPTIME_RECORD =
  "url: https://a.example\nstatus: up\ncode: 200\nresponseTime: 81\nlastUpdated: 2023-08-08T23:03:29.660Z\nstartTime: 2022-04-11T07:37:56.000Z\ngenerator: Upptime <https://github.com/upptime/upptime>\n";
const OUR_RECORD = UPPTIME_RECORD.replace(/generator: .*/, "generator: monitor-action v1.41.0");

/** Slugs of sites with the names given, in a folder with the files given. */
async function slugs(names: readonly string[], files: Record<string, string>): Promise<string[]> {
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
  assertEquals(await slugs(NAMES, {}), OURS);
  assertEquals(await slugs(NAMES, { "history/plain.yml": OUR_RECORD }), OURS);
  assertEquals(await slugs(NAMES, { ".upptimerc.yml": "" }), UPPTIMES);
  assertEquals(await slugs(NAMES, { "history/other.yml": UPPTIME_RECORD }), UPPTIMES);
  const workflow = "jobs:\n  a:\n    steps:\n      - uses: upptime/uptime-monitor@v1.41.0\n";
  assertEquals(await slugs(NAMES, { ".github/workflows/uptime.yml": workflow }), UPPTIMES);
});

Deno.test("a site keeps the slug of its record, once everything of Upptime's is gone", async () => {
  assertEquals(
    await slugs(NAMES, { "history/pop-3.yml": OUR_RECORD, "history/api.yml": OUR_RECORD }),
    ["pop-3", "curc-xdmod", "shop-eu", "api", "鸭鸭梨", "plain"],
  );
  assertEquals(
    await slugs(["POP3", "Shop (EU)"], {
      ".upptimerc.yml": "",
      "history/pop3.yml": OUR_RECORD,
      "history/shop-(eu).yml": OUR_RECORD,
    }),
    ["pop3", "shop-(eu)"],
  );
});

Deno.test("a record that another site has by its own name is never taken from it", async () => {
  const files = { "history/pop-3.yml": OUR_RECORD };
  assertEquals(await slugs(["POP3", "POP 3"], files), ["pop3", "pop-3"]);
  assertEquals(await slugs(["POP3", "POP 3"], { ...files, ".upptimerc.yml": "" }), [
    "pop3",
    "pop-3",
  ]);
});
