import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { GitHubError } from "../../../lib/github/github.ts";
import { limitedFetch } from "../../../lib/github/limits.ts";
import { unreachableReason } from "../../../lib/github/refusal.ts";
import { makeAuthority, makeCertificate } from "../../helpers/certificates.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { PROJECT, runProcess } from "../../helpers/program.ts";
import { proxyServer } from "../../helpers/proxy.ts";
import { makeScratch } from "../../helpers/scratch.ts";
import { closedPort, httpServer, rawServer } from "../../helpers/servers.ts";

const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

/** Why an address gives no answer, without the host that ends it. */
async function why(url: string, proxy?: string): Promise<string> {
  using client = proxy === undefined ? undefined : Deno.createHttpClient({ proxy: { url: proxy } });
  const ask = limitedFetch(2_000, new AbortController().signal);
  try {
    await ask(`${url}/repos/reset/proxy`, { client } as RequestInit);
  } catch (error) {
    const { host } = new URL(url);
    return unreachableReason(error, url).replace(` (${host})`, "");
  }
  return "it answers";
}

Deno.test("each reason why GitHub is unreachable is reported in words, whatever the repository's name", async () => {
  await using plain = httpServer(() => new Response("x"));
  await using unknown = httpServer(() => new Response("x"), { certificate: makeCertificate() });
  await using odd = await rawServer((socket) => socket.once("data", () => socket.end("SSH\r\n")));
  await using closing = await rawServer((socket) => socket.once("data", () => socket.end()));
  await using resetting = await rawServer((socket) =>
    socket.once("data", () => socket.resetAndDestroy())
  );
  await using torn = await rawServer((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"))
  );
  await using refusing = await proxyServer({ refusesWith: 403 });
  await using login = await proxyServer({ login: "me:x" });
  assertEquals(
    await Promise.all([
      why(plain.url),
      why(`http://127.0.0.1:${closedPort()}`),
      why(`https://127.0.0.1:${plain.port}`),
      why(unknown.url),
      why(odd.url),
      why(closing.url),
      why(resetting.url),
      why(torn.url),
      why("https://api.example.invalid", refusing.url),
      why("https://api.example.invalid", login.url),
    ]),
    [
      "it answers",
      "connection refused",
      "the answer is not TLS",
      "its certificate is not trusted",
      "the answer is not HTTP",
      "connection closed",
      "connection reset",
      "connection closed",
      "the proxy refused",
      "the proxy refused",
    ],
  );
});

Deno.test("an invalid API address is rejected before any request", async () => {
  for (const url of ["api.github.com", "ghe.example:443/api/v3", "https://"]) {
    const opened = { url, repository: "acme/status", token: "ghp_x" };
    const github = openedGitHub(opened);
    const why = "GITHUB_API_URL is not an address; set it to one such as https://api.github.com";
    const labels = await assertRejects(() => github.repositoryComments(ALWAYS), GitHubError);
    assertEquals([labels.kind, labels.message], [
      "misconfigured",
      `Cannot read the comments in acme/status: ${why}`,
    ]);
    const { message } = await assertRejects(() => github.dispatch("setup"), GitHubError);
    assertEquals(message, `Cannot start the workflows for "setup" in acme/status: ${why}`);
  }
});

Deno.test("an invalid repository name is rejected before any request", async () => {
  for (const repository of ["acme", "acme/", "/status", "acme/status/x", "acme/..", "a b/c"]) {
    const opened = { url: "http://127.0.0.1:9", repository, token: "ghp_x" };
    const { message } = await assertRejects(
      () => openedGitHub(opened).repositoryComments(ALWAYS),
      GitHubError,
    );
    assertEquals(
      message,
      `Cannot read the comments in ${repository}: that is no repository; set GITHUB_REPOSITORY to one, as owner/name, or owner and repo`,
    );
  }
});

Deno.test("an invalid token is rejected before any request, and never shown", async () => {
  await using server = await rawServer(() => {});
  const opened = { url: server.url, repository: "acme/status", token: "ghp_€uro\nx" };
  const { message, kind } = await assertRejects(
    () => openedGitHub(opened).repositoryComments(ALWAYS),
    GitHubError,
  );
  assertEquals([kind, message], [
    "misconfigured",
    "Cannot read the comments in acme/status: the token has characters that no token has; save it anew as the secret HOST_PAT",
  ]);
});

const MAIN = join(PROJECT, "tests/helpers/github_program.ts");

Deno.test("with the permissions of its task a run opens an issue, says nothing else, and finds Upptime's token", async () => {
  await using folder = await makeScratch();
  await using server = await githubServer();
  const { HOST_PAT, ...env } = server.env;
  const { code, stdout, stderr } = await runProcess("update", {
    ...{ folder: folder.path, main: MAIN },
    env: { ...env, GITHUB_TOKEN: " ", GH_PAT: `${HOST_PAT}\n` },
  });
  assertEquals([code, stderr], [0, ""]);
  assertEquals(JSON.parse(stdout), { number: 1, tokens: [HOST_PAT] });
  assertEquals([server.asked, server.violations], [["POST /repos/acme/status/issues"], []]);
});

Deno.test("GitHub with a certificate of a private authority is reached once the authority is known", async () => {
  await using folder = await makeScratch();
  const authority = makeAuthority();
  await folder.write("authority.pem", authority.cert);
  await using server = httpServer(
    () =>
      Response.json({
        ...{ number: 7, title: "", state: "open", user: null, labels: [] },
        ...{ created_at: "2026-11-21T10:00:00Z", updated_at: "2026-11-21T10:00:00Z" },
        repository_url: "https://example.com/repos/acme/status",
      }, { status: 201 }),
    { certificate: makeCertificate({ issuer: authority }) },
  );
  const { stdout } = await runProcess("update", {
    ...{ folder: folder.path, main: MAIN },
    env: {
      ...{ GITHUB_API_URL: server.url, HOST_PAT: "ghp_x", GITHUB_REPOSITORY: "acme/status" },
      NODE_EXTRA_CA_CERTS: join(folder.path, "authority.pem"),
    },
  });
  assertEquals(JSON.parse(stdout).number, 7);
});

Deno.test("the GitHub client is loaded only with the first request", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--quiet", join(PROJECT, "lib/github/open_github.ts")],
    cwd: PROJECT,
    stderr: "null",
  }).output();
  interface Module {
    specifier: string;
    dependencies?: { specifier: string; code?: { specifier: string }; isDynamic?: boolean }[];
  }
  const modules: Module[] = JSON.parse(new TextDecoder().decode(stdout)).modules;
  const dependencies = modules.flatMap(({ dependencies = [] }) => dependencies);
  const packages = dependencies.filter(({ code }) =>
    /octokit/.test(code?.specifier ?? "") &&
    code!.specifier.startsWith("npm:")
  );
  const loaders = dependencies.filter(({ isDynamic }) => isDynamic).map(({ specifier }) =>
    specifier
  );
  assert(packages.length >= 2);
  assertEquals(loaders, ["./octokit.ts"]);
  const client = modules.find(({ specifier }) => specifier.endsWith("/github/octokit.ts"))!;
  assertEquals(packages.filter((one) => !client.dependencies!.includes(one)), []);
});
