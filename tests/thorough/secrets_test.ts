import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeCertificate } from "../helpers/certificates.ts";
import { githubServer } from "../helpers/github_server.ts";
import { keptFiles } from "../helpers/kept_files.ts";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  makeRepository,
  pathsAt,
  pendingAt,
  remoteAndClone,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { everything, repository, SECRET, SPELLINGS, VALUE } from "../helpers/secrets_rig.ts";
import { httpServer, rawServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

Deno.test(
  "encoded credentials of a user and password are masked if a server repeats them",
  async () => {
    const encoded = new TextEncoder().encode("jo:s3cretw0rd").toBase64();
    const certificate = makeCertificate({ names: [encoded] });
    await using scratch = await makeScratch();
    await using server = httpServer(() => new Response("ok"), { certificate });
    const inHeader = `{ url: "${server.url}", headers: ["Authorization: Basic $USER:$PASS"] }`;
    const inUrl = `{ url: "${server.url.replace("//", "//$USER:$PASS@")}" }`;
    for (const [number, keys] of [inHeader, inUrl].entries()) {
      await Deno.writeTextFile(join(scratch.path, "authority.pem"), certificate.cert);
      const folder = await makeRepository(join(scratch.path, `repository ${number}`), {
        ".monitorrc.yml": `retry: { delays: [] }\ncanaries: []\nsites:\n  - ${
          keys.replace("{", "{ name: A, ca: ../authority.pem,")
        }\n`,
      });
      const env = { SECRETS_CONTEXT: JSON.stringify({ USER: "jo", PASS: "s3cretw0rd" }) };
      const result = await runTask("update", { folder, env });
      const left = await everything(result, folder);
      assertStringIncludes(left, "certificate is for ***, not for 127.0.0.1");
      assert(!left.toLowerCase().includes(encoded.toLowerCase()), left);
    }
  },
);

Deno.test("secrets that can't be read are wrong usage, and nothing of them is printed", async () => {
  await using scratch = await makeScratch();
  const folder = await repository(scratch, "http://127.0.0.1:1");
  for (const context of [`["${SECRET}"]`, `{"KEY": "${SECRET}"`, `{"KEY": {"a": "${SECRET}"}}`]) {
    await Deno.writeTextFile(join(folder, "file"), context);
    const runs = [
      await runTask("update", { folder, env: { SECRETS_CONTEXT: context } }),
      await runTask("update", { folder, args: ["--secrets", "file", "--verbose"] }),
    ];
    for (const { code, stdout, stderr } of runs) {
      assertEquals([code, stdout], [2, ""]);
      assertStringIncludes(stderr, "Cannot read secrets: expected a JSON object whose values are");
      assert(!stderr.includes("s3cr"), stderr);
    }
  }
});

Deno.test(
  "a secret in announcements, issues or the configuration appears nowhere else",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response(null, { status: 503 }));
    await using github = await githubServer();
    const from = (seconds: number) => Temporal.Now.instant().add({ seconds }).toString();
    const configured = { name: `Move ${SECRET}`, start: from(-60), duration: "1h" };
    const top = `maintenance: ${JSON.stringify([configured])}\n`;
    const folder = await makeRepository(join(scratch.path, "repository"), {
      ".monitorrc.yml": configText({ Shop: site.url }, top),
    });
    const number = await github.person("acme").open({
      title: `Swap ${SECRET}`,
      body: `<!--\nstart: ${from(-60)}\nend: ${
        from(600)
      }\nexpectedDown: shop, ${SECRET}\n-->\nIt is ${SECRET}.`,
      labels: ["maintenance"],
    });
    const env = {
      ...github.env,
      SECRETS_CONTEXT: JSON.stringify({ KEY: SECRET }),
      GITHUB_ACTIONS: "true",
    };
    const lists = (result: ProgramResult) => result.stdout + result.stderr;
    let left = "";
    for (const body of ["", `<!--\nstart: ${from(-60)}\nend: ${from(-30)}\n-->`]) {
      if (body !== "") await github.person("acme").edit(number, body);
      left += await everything(await runTask("update", { folder, env }), folder);
      left += lists(await runTask("maintenance", { folder, args: ["--json"], env }));
      left += lists(await runTask("incidents", { folder, args: ["--json"], env }));
      left += (await pathsAt(folder)).join("\n");
    }
    left = left.replaceAll(`::add-mask::${SECRET}`, "");
    for (const words of ["begins: Swap ***", "begins: Move ***", "text: It is ***.", '"***"']) {
      assertStringIncludes(left, words);
    }
    assertEquals((await github.issue(number)).state, "closed");
    for (const spelling of SPELLINGS) assert(!left.includes(spelling), `${spelling}\n${left}`);
  },
);

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
    `::warning file=.monitorrc.yml,line=13,col=5,title=Configuration::sites[0].url: contains credentials that everybody who can read the repository can see: save each as a secret with "monitor set-secret NAME", and write $NAME in its place\n`,
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

Deno.test("set-secret names the right that a token lacks", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const bot = github.account("monitor-bot");
  const job = github.account("github-actions[bot]");
  const run = async (token: string) => {
    const env = { ...github.env, HOST_PAT: token };
    const options = { folder: scratch.path, args: ["A"], input: VALUE, env };
    const { code, stderr } = await runTask("set-secret", options);
    assertEquals(code, 1);
    assert(!stderr.includes("s3cret"));
    return stderr;
  };
  assertStringIncludes(
    await run(job.token),
    "the job's own token is never allowed to (secrets: read); save a token of your own with the scope repo as the secret HOST_PAT",
  );
  bot.scopes = ["read:user"];
  assertMatch(await run(bot.token), /only the scope read:user; give it the scope repo/);
  assertEquals([...github.settings.sealed.keys()], []);
});

Deno.test("a reference that differs from a secret in case is named by validate, by the run and in the incident", async () => {
  await using scratch = await makeScratch();
  const seen: (string | null)[] = [];
  await using site = httpServer((request) => {
    seen.push(request.headers.get("authorization"));
    return new Response(null, { status: 401 });
  });
  await using github = await githubServer();
  const keys = `, headers: ["Authorization: Bearer $api_token"] }`;
  const config = configText({ Shop: site.url }).replace(/\}\n$/, `${keys}\n`);
  const { folder } = await remoteAndClone(scratch, config);
  const env = {
    ...github.env,
    GITHUB_ACTIONS: "true",
    SECRETS_CONTEXT: JSON.stringify({ API_TOKEN: "s3cret-value" }),
  };
  const line = config.split("\n").findIndex((text) => text.includes("$api_token")) + 1;
  const column = config.split("\n")[line - 1]!.indexOf('"Authorization') + 1;
  const warning =
    `::warning file=.monitorrc.yml,line=${line},col=${column},title=Configuration::sites[0].headers[0]: $api_token is not replaced: names are case-sensitive, and the secret is $API_TOKEN\n`;
  assertStringIncludes((await runTask("validate", { folder, env })).stdout, warning);
  const { stdout } = await runTask("update", { folder, env });
  assertStringIncludes(stdout, warning);
  assertEquals(seen[0], "Bearer $api_token");
  const [issue] = await github.issues();
  assertStringIncludes(
    issue!.body,
    "**Hint:** No secret is named `api_token`, so `$api_token` is sent as written. The secret is `API_TOKEN`, and names are case-sensitive: write `$API_TOKEN`.",
  );
});

/** A server that puts a text into the sources of errors: reason phrases, hosts and schemes of locations. */
function reflectingSite(text: string) {
  const name = text.replace(/[^A-Za-z0-9.-]/g, "-");
  const answers: Record<string, string> = {
    phrase: `503 ${text}`,
    host: `302 Found\r\nLocation: http://${name}.invalid/`,
    escaped: `302 Found\r\nLocation: http://${encodeURIComponent(text)}.invalid/`,
    user: `302 Found\r\nLocation: http://${encodeURIComponent(text)}@127.0.0.1:1/`,
    scheme: `302 Found\r\nLocation: ${name}:/x`,
    none: `302 Found\r\nLocation: http://${text}:x:y/`,
  };
  return rawServer((socket) => {
    socket.once("data", (bytes) => {
      const path = /^GET \/(\w*)/.exec(bytes.toString("latin1"))?.[1] ?? "";
      socket.end(`HTTP/1.1 ${answers[path] ?? "500 x"}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
}

Deno.test("a secret that a server puts into a reason phrase, or into host or scheme of a redirect, is not repeated", async () => {
  const plain = "s3cretw0rd";
  const pair = `jo:${plain}`;
  const encoded = new TextEncoder().encode(pair).toBase64();
  for (const reflected of [plain, SECRET, pair, encoded]) {
    await using scratch = await makeScratch();
    await using server = await reflectingSite(reflected);
    const sites = ["phrase", "host", "escaped", "user", "scheme", "none"].map((path) =>
      `  - name: ${path}\n    url: ${server.url}/${path}\n    headers: ["Authorization: Basic $USER:$PASS", "X-Key: $KEY"]\n`
    );
    const folder = await makeRepository(join(scratch.path, "repository"), {
      ".monitorrc.yml": `retry: { delays: [] }\ncanaries: []\nsites:\n${sites.join("")}`,
    });
    const secrets = { USER: "jo", PASS: plain, KEY: SECRET };
    const result = await runTask("update", {
      folder,
      args: ["--verbose"],
      env: { SECRETS_CONTEXT: JSON.stringify(secrets) },
    });
    assertEquals([result.code, (await pathsAt(folder)).length], [0, 29], result.stderr);
    const left = (await everything(result, folder)).toLowerCase();
    for (const secret of [...SPELLINGS, plain, encoded]) {
      assert(!left.includes(secret.toLowerCase()), `${secret}\n${left}`);
    }
  }
});
