import { assertEquals } from "@std/assert";
import { probe } from "../../../lib/checks/mod.ts";
import type { Site } from "../../../lib/config/config.ts";
import { CHECK_NAMES } from "../../../lib/config/checks/mod.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { settingsWith } from "../../helpers/own_settings.ts";
import { httpServer } from "../../helpers/servers.ts";

const URL_LINE = "    url: https://a.example\n";

async function read(keys: string, top = "") {
  const { config, problems } = await parseConfig(`sites:\n  - name: A\n${keys}${top}`);
  return {
    sites: config?.sites ?? [],
    config,
    reported: problems.map((one) => formatProblem(one, one.severity)),
  };
}

/** Keys of a site, the reported problems, and the monitored values. */
const KEPT: readonly [keys: string, reported: string[], site: Partial<Site>][] = [
  [
    "    url: mc.example\n    port: 25565\n    check: minecraft\n",
    [`error:5:5 sites[0].check: expected one of ${
      CHECK_NAMES.join(", ")
    }, found "minecraft": the check is tcp-ping instead`],
    { check: "tcp-ping", url: "mc.example" },
  ],
  [
    "    url: wss://a.example\n    check: websockets\n",
    [`error:4:5 sites[0].check: expected one of ${
      CHECK_NAMES.join(", ")
    }, found "websockets": the check is ws instead`],
    { check: "ws" },
  ],
  [
    `${URL_LINE}    maxResponseTime: fast\n`,
    ['error:4:5 sites[0].maxResponseTime: expected a length of time from 1 ms to 1 h, such as 30s or 15m, found "fast"'],
    { maxResponseTime: 2000 },
  ],
  [
    "    url: lysator.example/x\n",
    ['notice:3:5 sites[0].url: has no scheme and is read as "http://lysator.example/x", as curl does: write https:// before it if the site has it'],
    { url: "http://lysator.example/x" },
  ],
  [
    "    url: localhost:8080\n    assignees: bob\n    tags: shop\n",
    ['notice:3:5 sites[0].url: has no scheme and is read as "http://localhost:8080", as curl does: write https:// before it if the site has it'],
    { url: "http://localhost:8080", assignees: ["bob"], tags: ["shop"] },
  ],
];

Deno.test("a site with a wrong key that is not its url is monitored without that key", async () => {
  for (const [keys, reported, expected] of KEPT) {
    const { sites, reported: actual } = await read(keys, "defaults:\n  maxResponseTime: 2000\n");
    assertEquals(actual, reported, keys);
    assertEquals(sites.length, 1, keys);
    for (const [key, value] of Object.entries(expected)) {
      assertEquals(sites[0]![key as keyof Site], value, keys);
    }
  }
});

Deno.test("a request uses the valid headers and assertions", async () => {
  let seen: Headers | undefined;
  await using server = httpServer(({ headers }) => {
    seen = headers;
    return new Response("fine");
  });
  const { sites, reported } = await read(`    url: ${server.url}
    headers: ["X-Right: 1", "wrong"]
    assert: ["body contains fine", "body equals fine", "body contains more"]
`);
  assertEquals(reported.map((text) => text.split(":", 3).slice(0, 2).join(":")), [
    "error:4",
    "error:5",
  ]);
  const { failure } = await probeOnce(sites[0]!);
  assertEquals(seen?.get("x-right"), "1");
  assertEquals(failure?.reason.includes("more"), true, failure?.reason);
});

Deno.test("a tcp-ping without a port uses that of its url, or is unknown in every run", async () => {
  await using server = httpServer(() => new Response("fine"));
  const port = new URL(server.url).port;
  const bare = await read("    url: a.example\n    check: tcp-ping\n");
  assertEquals(bare.reported, [
    "error:2:5 sites[0].port: a tcp-ping check needs a port, such as port: 5432",
  ]);
  const { failure } = await probeOnce(bare.sites[0]!);
  assertEquals(failure, {
    kind: "configuration",
    reason: "a tcp-ping check needs a port, such as port: 5432",
  });
  const withPort = await read(`    url: http://127.0.0.1:${port}\n    check: tcp-ping\n`);
  assertEquals(withPort.reported, []);
  assertEquals((await probeOnce(withPort.sites[0]!)).code, 200);
  assertEquals((await read("    url: https://a.example\n    check: tcp-ping\n")).reported, []);
});

Deno.test("Upptime's keys of the page and of accounts are accepted", async () => {
  const { config, reported } = await read(
    URL_LINE,
    `assignees: bob
status-website:
  cname: status.example.com
  baseUrl: $REPO
  metaTags:
    - property: og:title
      content: Acme
    - name: robots
      content: noindex
`,
  );
  assertEquals(reported, []);
  assertEquals(config?.assignees, ["bob"]);
  const { base, code } = await settingsWith({
    "status-website": {
      baseUrl: "$REPO",
      cname: "status.example.com",
      metaTags: [{ property: "article:author", content: "Acme" }],
    },
  }, { repository: "https://github.com/acme/status" });
  assertEquals(base, "/status/");
  assertEquals(code.metaTags, [{ name: "article:author", isProperty: true, content: "Acme" }]);
});

async function probeOnce(site: Site) {
  return await probe(site.target, {
    signal: new AbortController().signal,
    now: Temporal.Now.instant(),
    root: "/",
    userAgent: "monitor-action",
    secrets: new Secrets({}),
  });
}
