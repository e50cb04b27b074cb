import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { thoroughly } from "../helpers/thorough.ts";

async function updateOf(config: unknown, env: Record<string, string> = {}, args: string[] = []) {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const result = await runTask("update", { folder: scratch.path, env, args });
  const history = await Array.fromAsync(Deno.readDir(`${scratch.path}/history`)).catch(() => []);
  return {
    ...result,
    records: history.map(({ name }) => name).filter((name) => /yml$/.test(name)),
  };
}

Deno.test("a paused site is not looked at, and nothing of it is written", async () => {
  const asked: string[] = [];
  await using server = httpServer(({ url }) => {
    asked.push(new URL(url).pathname);
    return new Response();
  });
  const { code, stdout, records } = await updateOf({
    sites: [
      { name: "A", url: `${server.url}/a` },
      { name: "B", url: `${server.url}/b`, paused: true },
    ],
  });
  assertEquals([code, asked, records], [0, ["/a"], ["a.yml"]]);
  assertStringIncludes(stdout, "Checking 1 site (1 paused)");
  const none = await updateOf({ sites: [{ name: "B", url: `${server.url}/b`, paused: true }] });
  assertEquals([none.code, none.stdout, none.records], [
    0,
    "Every site is paused: nothing is checked.\n",
    [],
  ]);
});

Deno.test("a request names the program and the page of the repository that monitors", async () => {
  let agent: string | null = null;
  await using server = httpServer(({ headers }) => {
    agent = headers.get("user-agent");
    return new Response();
  });
  const sites = [{ name: "A", url: server.url }];
  await updateOf({ sites, owner: "acme", repo: "status" });
  assertEquals(agent, "monitor-action/1.41.0 (+https://github.com/acme/status)");
  await updateOf({ sites }, {
    GITHUB_REPOSITORY: "me/uptime",
    GITHUB_SERVER_URL: "https://git.example.com",
  });
  assertEquals(agent, "monitor-action/1.41.0 (+https://git.example.com/me/uptime)");
  await updateOf({ sites });
  assertEquals(agent, "monitor-action/1.41.0");
});

thoroughly("the heartbeat is sent at the end of a run, also when sites are down", async () => {
  const beats: string[] = [];
  await using switchServer = httpServer(({ url, method }) => {
    beats.push(`${method} ${new URL(url).pathname}`);
    return new Response();
  });
  await using site = httpServer(() => new Response(null, { status: 500 }));
  const config = {
    "heartbeat-url": `${switchServer.url}/$BEAT`,
    retry: { delays: [] },
    canaries: [],
    sites: [{ name: "A", url: site.url }],
  };
  const secrets = { SECRETS_CONTEXT: '{"BEAT":"7f3a-91c2"}' };
  const { code, stdout, stderr } = await updateOf(config, secrets);
  assertEquals([code, beats], [0, ["GET /7f3a-91c2"]]);
  assert(!`${stdout}${stderr}`.includes("7f3a-91c2"));
  await updateOf(config, secrets, ["--dry-run"]);
  assertEquals(beats.length, 1);
});

thoroughly(
  "a heartbeat that can't be sent is a warning that holds no secret, and fails no run",
  async () => {
    await using gone = httpServer(() => new Response(null, { status: 404 }));
    await using site = httpServer(() => new Response());
    const sites = [{ name: "A", url: site.url }];
    const cases = [
      [`${gone.url}/$BEAT`, { BEAT: "7f3a-91c2" }, "it answered 404"],
      ["http://127.0.0.1:1/$BEAT", { BEAT: "7f3a-91c2" }, "it can't be reached"],
      ["https://hc.example.com/$BEAT", {}, "$BEAT is not among the secrets"],
      ["$BEAT", { BEAT: "no address" }, "its address is not valid"],
    ] as const;
    for (const [address, secrets, reason] of cases) {
      const { code, stderr } = await updateOf({ sites, "heartbeat-url": address }, {
        SECRETS_CONTEXT: JSON.stringify(secrets),
      });
      assertEquals([code, stderr], [0, `warning: The heartbeat could not be sent: ${reason}\n`]);
    }
  },
);

Deno.test("an address that is hidden is shown neither in the result nor in a commit's message", async () => {
  await using server = httpServer(() => new Response());
  const { stdout } = await updateOf(
    {
      sites: [
        { name: "A", url: server.url, hideUrl: true },
        { name: "B", url: server.url, link: "https://example.com" },
        { name: "C", url: "$ADDRESS" },
      ],
    },
    { SECRETS_CONTEXT: JSON.stringify({ ADDRESS: server.url }) },
    ["--json"],
  );
  const { sites } = JSON.parse(stdout);
  assertEquals(sites.map(({ url }: { url: string }) => url), [null, "https://example.com", null]);
});
