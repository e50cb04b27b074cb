import { join } from "node:path";
import { runTask } from "./program.ts";
import { cloneRemote, configText } from "./repositories.ts";
import { git, makeRemote, type Scratch } from "./scratch.ts";
import { writeHistory } from "./written_history.ts";

export const CONFIG = "sites: [{ name: A, url: https://a.example }]\n";

export const UPTIME = ".github/workflows/uptime.yml";

export async function cloned(scratch: Scratch, config = CONFIG, name = ".monitorrc.yml") {
  const remote = await makeRemote(scratch.path, { [name]: config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const run = (args: string[] = [], env: Record<string, string> = {}) =>
    runTask("update-template", { folder, args, env });
  const at = (path: string) => git(remote, "cat-file", "blob", `main:${path}`);
  return { remote, folder, run, at };
}

export const SHOP_CONFIG = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:2" });

/** A clone of a remote in which two sites were checked, one of which is down. */
export async function clone(
  scratch: Scratch,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": SHOP_CONFIG, ...files });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const to = Temporal.Now.instant().subtract({ minutes: 2 });
  const outages = [{ from: to.subtract({ minutes: 20 }) }];
  const span = { from: to.subtract({ hours: 5 }), to };
  await writeHistory(folder, [{ slug: "shop" }, { slug: "forum", outages }], span);
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", "Check");
  await git(folder, "push", "--quiet");
  return folder;
}

export async function readme(folder: string, args: string[] = [], env = {}) {
  return await runTask("readme", { folder, args, env });
}

export const WRITING = ["update", "response-time", "graphs", "site", "readme"];

/** Files of a repository in which Upptime monitored a shop and a blog, of which only the shop is configured. */
export function upptimeFiles(url: string): Record<string, string> {
  const record = (address: string, generator = true) =>
    `url: ${address}\nstatus: down\ncode: 0\nresponseTime: 81\nlastUpdated: 2023-08-08T23:03:29.660Z\n` +
    // Early versions wrote times that no parser of ISO 8601 reads.
    `startTime: ${
      generator ? "2022-04-11T07:37:56.000Z" : "Mon Apr 11 2022 07:37:56 GMT+0000 (UTC)"
    }\n` +
    (generator ? "generator: Upptime <https://github.com/upptime/upptime>\n" : "");
  const badge = `{"schemaVersion":1,"label":"response time","message":"81 ms","color":"green"}`;
  const entry = (slug: string) => ({
    name: slug,
    url,
    slug,
    status: "up",
    uptime: "99.12%",
    uptimeDay: "1.00%",
  });
  return {
    ".upptimerc.yml": configText({ Shop: url }),
    "README.md": "# Status\n\n<!--start: status pages-->\nold\n<!--end: status pages-->\n",
    "history/shop.yml": record(url),
    "history/blog.yml": record("https://blog.example", false),
    "history/summary.json": JSON.stringify([entry("shop"), entry("blog")], null, 2),
    "history/LICENSE": "theirs\n",
    "api/shop/uptime.json": badge,
    "api/blog/response-time.json": badge,
    "api/blog/uptime-day.json": badge,
    "graphs/blog/response-time.png": "a picture",
  };
}

export async function contentsOf(folder: string): Promise<Map<string, string>> {
  const names = (await git(folder, "ls-files", "-z")).split("\0").filter((name) => name !== "");
  return new Map(
    await Promise.all(names.map(async (name): Promise<[string, string]> => [
      name,
      [...await Deno.readFile(join(folder, name))].join(),
    ])),
  );
}

export async function makeFolders(folder: string, files: Record<string, string>): Promise<void> {
  for (const path of Object.keys(files)) {
    await Deno.mkdir(join(folder, path, ".."), { recursive: true });
  }
}
