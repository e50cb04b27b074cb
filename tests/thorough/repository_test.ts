import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, commitFile, configText } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { writeHistory } from "../helpers/written_history.ts";

const CONFIG = "sites: [{ name: A, url: https://a.example }]\n";

const UPTIME = ".github/workflows/uptime.yml";

async function cloned(scratch: Scratch, config = CONFIG, name = ".monitorrc.yml") {
  const remote = await makeRemote(scratch.path, { [name]: config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const run = (args: string[] = [], env: Record<string, string> = {}) =>
    runTask("update-template", { folder, args, env });
  const at = (path: string) => git(remote, "cat-file", "blob", `main:${path}`);
  return { remote, folder, run, at };
}

Deno.test(
  "where GitHub does not tell of releases, the program's own version is taken",
  async () => {
    await using scratch = await makeScratch();
    await using api = httpServer(() => new Response("{}", { status: 404 }));
    const { run } = await cloned(scratch);
    const env = { GITHUB_API_URL: api.url.replace(/\/$/, ""), HOST_PAT: "t0ken" };
    const { code, stdout, stderr } = await run([], env);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^Workflows at monitor-action\/monitor-action@v1\.41\.0: 6 files written/m);
  },
);

Deno.test("update-template writes files where there is no repository", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  const { code } = await runTask("update-template", { folder: scratch.path });
  assert((await scratch.read(UPTIME)).includes("name: Uptime CI"));
  assertEquals(code, 0);
});

const SHOP_CONFIG = configText({ Shop: "http://127.0.0.1:1", Forum: "http://127.0.0.1:2" });

/** A clone of a remote in which two sites were checked, one of which is down. */
async function clone(scratch: Scratch, files: Readonly<Record<string, string>>): Promise<string> {
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

async function readme(folder: string, args: string[] = [], env = {}) {
  return await runTask("readme", { folder, args, env });
}

Deno.test(
  "the README of the monitored folder is filled, not the one in .github; graphs beside everything are linked",
  async () => {
    await using scratch = await makeScratch();
    const markers = "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n";
    const folder = await clone(scratch, { "README.md": markers });
    await Deno.mkdir(join(folder, ".github"));
    await commitFile(folder, ".monitorrc.yml", `graphs: { branch: same }\n${SHOP_CONFIG}`);
    await commitFile(folder, ".github/README.md", markers);
    await git(folder, "push", "--quiet");
    const { code, stdout, stderr } = await readme(folder);
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "in README.md: written");
    const text = await Deno.readTextFile(join(folder, "README.md"));
    assertStringIncludes(text, 'src="graphs/shop/response-time-week.png"');
    assertStringIncludes(text, "(history/shop.yml)");
    assertEquals(await Deno.readTextFile(join(folder, ".github", "README.md")), markers);
  },
);

Deno.test("no secret is in a README, whatever it is in", async () => {
  await using scratch = await makeScratch();
  const secrets = { KEY: "s3cret-value", ADDRESS: "https://hidden.acme.example" };
  await scratch.write(
    ".monitorrc.yml",
    `i18n: { status: "State s3cret-value" }
sites:
  - { name: Hidden, url: $ADDRESS }
  - { name: Shop s3cret-value, slug: shop, group: s3cret-value, url: "https://example.com/?key=$KEY" }
`,
  );
  await scratch.write("README.md", "<!-- monitor: summary -->\n<!-- /monitor: summary -->\n");
  const ended = await readme(scratch.path, [], { SECRETS_CONTEXT: JSON.stringify(secrets) });
  assertEquals(ended.code, 0, ended.stderr);
  const text = await Deno.readTextFile(join(scratch.path, "README.md"));
  assertStringIncludes(text, "Shop \\*\\*\\*");
  for (const secret of Object.values(secrets)) assert(!text.includes(secret), text);
});
