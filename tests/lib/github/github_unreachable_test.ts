import { assertEquals, assertRejects } from "@std/assert";
import { limitedFetch } from "../../../lib/github/limits.ts";
import { GitHubError } from "../../../lib/github/github.ts";
import { unreachableReason } from "../../../lib/github/refusal.ts";
import { makeCertificate } from "../../helpers/certificates.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { proxyServer } from "../../helpers/proxy.ts";
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

Deno.test("why GitHub can't be reached is told in words, whatever the repository is called", async () => {
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

Deno.test("an address of the API that can't be one is told before anything is asked", async () => {
  for (const url of ["api.github.com", "ghe.example:443/api/v3", "https://"]) {
    const opened = { url, repository: "acme/status", token: "ghp_x" };
    const github = openedGitHub(opened);
    const why = "GITHUB_API_URL is no address; set it to one such as https://api.github.com";
    const labels = await assertRejects(() => github.repositoryComments(ALWAYS), GitHubError);
    assertEquals([labels.kind, labels.message], [
      "misconfigured",
      `Cannot read the comments in acme/status: ${why}`,
    ]);
    const { message } = await assertRejects(() => github.dispatch("setup"), GitHubError);
    assertEquals(message, `Cannot start the workflows for "setup" in acme/status: ${why}`);
  }
});

Deno.test("a repository that can't be one is told before anything is asked", async () => {
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

Deno.test("a token that can't be one is told before anything is asked, and not shown", async () => {
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
