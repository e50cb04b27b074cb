import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { keptFiles } from "../helpers/kept_files.ts";
import { githubServer } from "../helpers/github_server.ts";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import { cloneRemote, pathsAt, pendingAt } from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const PASSWORD = "hunter2-pässwort";
const TOKEN = "ghp_literal0123456789";
const KEY = "literal-api-key";
const PAIR = new TextEncoder().encode(`monitor:${PASSWORD}`).toBase64();
const FORBIDDEN = [PASSWORD, encodeURIComponent(PASSWORD), "sswort", "hunter2", PAIR, TOKEN, KEY];

function assertClean(what: string, text: string): void {
  for (const word of FORBIDDEN) {
    const at = text.toLowerCase().indexOf(word.toLowerCase());
    assert(at < 0, `${what} shows ${word}: ${text.slice(Math.max(0, at - 200), at + 100)}`);
  }
}

Deno.test("credentials that are written out in addresses appear in no record, page, issue, message or line", async () => {
  await using scratch = await makeScratch();
  const authorizations = new Set<string | null>();
  await using site = httpServer((request) => {
    const { pathname, search } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    authorizations.add(authorization);
    const echo = `${authorization} ${search} ${PASSWORD}`;
    if (pathname === "/moved") {
      const location = `http://monitor:${encodeURIComponent(PASSWORD)}@127.0.0.1:1/?${KEY}`;
      return new Response(echo, { status: 302, headers: { location } });
    }
    return new Response(echo, { status: 503 });
  });
  await using vendor = await vendorServer({ status: 200 });
  await using github = await githubServer();
  const { host } = new URL(site.url);
  const login = `http://monitor:${PASSWORD}@${host}`;
  const name = (text: string) => JSON.stringify({ name: text, url: `${login}/${text}` });
  const config = `retry: { delays: [] }
recheckDelay: 0.05
canaries: []
heartbeat-url: ${login}/beat
notifications:
  - type: webhook
    url: ${vendor.url.replace("//", `//monitor:${PASSWORD}@`)}/in
  - type: webhook
    url: ${vendor.url}/in
    body: $SITE_URL $ERROR
sites:
  - name: Shop
    url: ${login}/shop?api_key=${KEY}&page=1
    assert: ['body contains "fine"']
  - name: Token
    url: http://${TOKEN}@${host}/token
  - ${name("moved")}
  - name: Behind
    url: http://127.0.0.1:1/
    proxy: http://monitor:${PASSWORD}@127.0.0.1:1
  - name: Odd
    url: http://monitor:hunter2#${PASSWORD}@${host}/
  - name: Pictured
    url: http://${host}/pictured
    icon: ${login}/icon.png
    link: ${login}/pictured
status-website:
  name: Status
  logoUrl: ${login}/logo.png
  navbar:
    - title: Admin
      href: ${login}/admin
`;
  const exposed = `url: ${login}/shop?api_key=${KEY}&page=1
status: down
code: 503
responseTime: 0
lastUpdated: 2026-01-02T00:00:00.000Z
startTime: 2026-01-02T00:00:00.000Z
generator: monitor-action v1.41.0
`;
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": config,
    "history/shop.yml": exposed,
    "history/gone.yml": exposed,
    "README.md": "<!--start: status pages-->\n<!--end: status pages-->\n",
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const env = { ...github.env, GITHUB_ACTIONS: "true" };
  const run = async (task: string, ...args: string[]): Promise<ProgramResult> => {
    const result = await runTask(task, { folder, args, env });
    assertClean(`${task} ${args.join(" ")}`, result.stdout + result.stderr);
    assertClean(
      `summary of ${task}`,
      await Deno.readTextFile(join(folder, ".git/monitor/summary.md")).catch(() => ""),
    );
    return result;
  };

  const validated = await run("validate");
  assertStringIncludes(
    validated.stdout,
    `::warning file=.monitorrc.yml,line=13,col=17,title=Configuration::sites[0].url: contains credentials that everybody who can read the repository can see: save them as secrets and write http://$SHOP_USER:$SHOP_PASSWORD@${host}/shop?api_key=$SHOP_KEY&page=1\n`,
  );
  assertEquals(validated.stdout.match(/contains credentials/g)?.length, 11);
  assertStringIncludes(validated.stdout, `can see: remove them: http://${host}/icon.png\n`);
  await run("validate", "--json");
  await run("update", "--dry-run", "--json");
  await run("update", "--verbose");
  assert(authorizations.has(`Basic ${PAIR}`));
  await run("readme");
  await run("site");
  await run("check", "Shop", "--json");
  await run("check", "moved", "--verbose");
  for (const task of ["status", "state", "notify-test"]) await run(task, "--json");

  await git(folder, "pull", "--quiet", "origin", "main");
  const paths = (await pathsAt(folder)).filter((path) => path !== ".monitorrc.yml");
  for (const path of paths) assertClean(path, await git(folder, "show", `HEAD:${path}`));
  assertClean("log", await git(folder, "log", "--format=%B"));
  assertClean("pending", JSON.stringify([...await pendingAt(remote)]));
  for (const [path, { text }] of await keptFiles(join(folder, "site"))) assertClean(path, text);
  assertEquals(
    await git(folder, "show", "HEAD:history/gone.yml"),
    exposed.replace(/.*\n/, `url: 'http://${host}/shop?page=1'\n`).trim(),
  );
  assertStringIncludes(
    await git(folder, "show", "HEAD:history/shop.yml"),
    `url: 'http://${host}/shop?page=1'\n`,
  );

  const issues = await github.issues();
  assert(issues.length >= 3);
  assertClean("issues", JSON.stringify(issues));
  assert(vendor.seen.some(({ text }) => text.includes(`http://${host}/shop?page=1`)));
  assertClean("messages", vendor.seen.map(({ text }) => text).join("\n"));
});
