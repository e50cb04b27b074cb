import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { type ProgramResult, runTask } from "../helpers/program.ts";
import { configText, makeRepository, pathsAt } from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { makeCertificate } from "../helpers/certificates.ts";
import { httpServer, rawServer } from "../helpers/servers.ts";
import { githubServer } from "../helpers/github_server.ts";
import { thoroughly } from "../helpers/thorough.ts";

const SECRET = "s3cr&t/välue=1";
/** How a secret may look where it was put into something. */
const SPELLINGS = [
  SECRET,
  encodeURIComponent(SECRET),
  encodeURI(SECRET),
  new TextEncoder().encode(SECRET).toBase64(),
];

/** A server that is down and tells in every way what it was asked for. */
function tellingSite() {
  const asked: string[] = [];
  const server = httpServer((request) => {
    asked.push(decodeURIComponent(new URL(request.url).pathname));
    const location = `${server.url}/${encodeURIComponent(SECRET)}/again`;
    return new Response(SECRET, { status: 302, headers: { location } });
  });
  return { server, asked };
}

/** Everything a run left behind: output, files, commits. */
async function everything({ stdout, stderr }: ProgramResult, folder: string): Promise<string> {
  const files = (await pathsAt(folder)).filter((path) => /^(?:history|api)\//.test(path));
  const texts = await Promise.all(files.map((path) => git(folder, "show", `HEAD:${path}`)));
  const log = await git(folder, "log", "--format=%B");
  const job = ["outputs", "summary.md"].map((name) =>
    Deno.readTextFile(join(folder, ".git", "monitor", name)).catch(() => "")
  );
  return [stdout, stderr, log, ...texts, ...await Promise.all(job)].join("\n");
}

async function repository(scratch: Scratch, url: string): Promise<string> {
  return await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ [`Shop ${SECRET}`]: `${url}/$KEY`, "Broken": `${url}/$KEY/x` }),
  });
}

Deno.test("a secret stands in nothing that a run prints, stores, commits or hands on", async () => {
  for (const onGitHub of ["true", "false"]) {
    await using scratch = await makeScratch();
    const { server, asked } = tellingSite();
    await using _ = server;
    const folder = await repository(scratch, server.url);
    const result = await runTask("update", {
      folder,
      args: ["--verbose"],
      env: { SECRETS_CONTEXT: JSON.stringify({ KEY: SECRET }), GITHUB_ACTIONS: onGitHub },
    });
    assertEquals(result.code, 0, result.stderr);
    assertEquals(asked[0], `/${SECRET}`);
    const masks = result.stdout.split("\n").filter((line) => line.startsWith("::add-mask::"));
    assertEquals(masks, onGitHub === "true" ? [`::add-mask::${SECRET}`] : []);
    const left = (await everything(result, folder)).replaceAll(`::add-mask::${SECRET}`, "");
    assertStringIncludes(left, "***");
    assertStringIncludes(left, "/$KEY");
    for (const spelling of SPELLINGS) assert(!left.includes(spelling), `${spelling}\n${left}`);
  }
});

/** A server that puts a text where errors may come from: reason phrases, hosts and schemes of locations. */
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

thoroughly(
  "a secret that a server puts into a reason phrase, or into host or scheme of a redirect, is not repeated",
  async () => {
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
      assertEquals([result.code, (await pathsAt(folder)).length], [0, 22], result.stderr);
      const left = (await everything(result, folder)).toLowerCase();
      for (const secret of [...SPELLINGS, plain, encoded]) {
        assert(!left.includes(secret.toLowerCase()), `${secret}\n${left}`);
      }
    }
  },
);

thoroughly(
  "the credentials that a user and a password are encoded to are masked where a server repeats them",
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

thoroughly("--json and --dry-run print no secret", async () => {
  await using scratch = await makeScratch();
  const { server } = tellingSite();
  await using _ = server;
  const folder = await repository(scratch, server.url);
  for (const args of [["--json"], ["--dry-run"], ["--json", "--dry-run"]]) {
    const { code, stdout, stderr } = await runTask("update", {
      folder,
      args,
      env: { SECRETS_CONTEXT: JSON.stringify({ KEY: SECRET }) },
    });
    assertEquals(code, 0);
    for (const spelling of SPELLINGS) assert(!(stdout + stderr).includes(spelling), stdout);
    if (args[0] === "--json") assertEquals(JSON.parse(stdout).sites.length, 2);
  }
});

thoroughly(
  "--secrets reads a file of lines or of JSON, whose values win over the environment's",
  async () => {
    await using scratch = await makeScratch();
    const { server, asked } = tellingSite();
    await using _ = server;
    const folder = await repository(scratch, server.url);
    const files = {
      ".env": `# mine\nOTHER=x\nKEY="${SECRET}"\n`,
      "secrets.json": JSON.stringify({ KEY: SECRET }),
    };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(join(folder, name), text);
      asked.length = 0;
      const result = await runTask("update", {
        folder,
        args: ["--secrets", name],
        env: { SECRETS_CONTEXT: JSON.stringify({ KEY: "another" }) },
      });
      assertEquals(result.code, 0, result.stderr);
      assertEquals(asked[0], `/${SECRET}`);
      assert(!(await everything(result, folder)).includes(SECRET));
    }
  },
);

thoroughly(
  "secrets that can't be read are wrong usage, and nothing of them is printed",
  async () => {
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
        assertStringIncludes(
          stderr,
          "Cannot read secrets: expected a JSON object whose values are",
        );
        assert(!stderr.includes("s3cr"), stderr);
      }
    }
  },
);

thoroughly(
  "a job is handed what is down and what changed, and a summary, on GitHub alone",
  async () => {
    await using scratch = await makeScratch();
    await using site = httpServer(() => new Response(null, { status: 503 }));
    const folder = await makeRepository(join(scratch.path, "repository"), {
      ".monitorrc.yml": configText({ "Shöp": site.url }),
    });
    await runTask("update", { folder });
    assertEquals(await Deno.stat(join(folder, ".git", "monitor")).catch(() => "none"), "none");
    await runTask("update", { folder, env: { GITHUB_ACTIONS: "true" } });
    const read = (name: string) => Deno.readTextFile(join(folder, ".git", "monitor", name));
    assertEquals(await read("outputs"), 'down=["shöp"]\ndegraded=[]\nchanged=false\n');
    assertStringIncludes(
      await read("summary.md"),
      "| Shöp | 🟥 down (answered 503 Service Unavailable) since",
    );
  },
);

thoroughly("on GitHub, update in a sub-folder records as elsewhere", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  await makeRepository(scratch.path, { "readme": "" });
  await Deno.mkdir(join(scratch.path, "sub"));
  await scratch.write("sub/.monitorrc.yml", configText({ A: site.url }));
  const env = { GITHUB_ACTIONS: "true" };
  const { code, stdout } = await runTask("update", { folder: join(scratch.path, "sub"), env });
  assertEquals([code, await git(scratch.path, "rev-list", "--count", "HEAD")], [0, "2"], stdout);
});

thoroughly(
  "a secret in what people write of maintenance, in issues and in the configuration, stands nowhere else",
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
