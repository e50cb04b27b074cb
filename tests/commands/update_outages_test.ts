import { assert, assertEquals, assertMatch } from "@std/assert";
import { alertRig, issueRig } from "../helpers/alert_rig.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer, rawServer } from "../helpers/servers.ts";
import { VirtualClock } from "../helpers/virtual_clock.ts";
import { EarlyRecorder } from "../../commands/shared/early_recorder.ts";
import { selectSettled } from "../../lib/evaluation/dependencies.ts";
import type { ProbeResult } from "../../lib/evaluation/results.ts";

Deno.test("the first run also reports a refused connection before a hanging site, if a canary answers", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const canary = stack.use(await rawServer((socket) => void socket.end()));
  const order: string[] = [];
  const reported = Promise.withResolvers<void>();
  const hook = stack.use(httpServer(async (request) => {
    order.push((await request.json()).events[0].site.slug);
    reported.resolve();
    return new Response();
  }));
  const hanging = stack.use(
    await rawServer((socket) => {
      socket.on("data", () => reported.promise.then(() => socket.destroy()));
      socket.on("close", () => order.push("Slow has not answered"));
    }),
  );
  const scene = stack.use(
    await alertRig(scratch, {
      sites: {
        Shop: { url: `http://127.0.0.1:${closedPort()}` },
        Slow: { url: hanging.url, requestTimeout: 60, retry: { delays: [] } },
      },
      notifications: [{ type: "webhook", url: hook.url }],
      top: { canaries: [new URL(canary.url).host] },
    }),
  );
  const { code, stderr } = await scene.update();
  assertEquals([code, stderr], [0, ""]);
  assertEquals(order, ["shop", "Slow has not answered", "slow"]);
});

Deno.test("update opens and closes an issue for an outage, and otherwise requests only announcements and open issues", async () => {
  await using scratch = await makeScratch();
  await using scene = await issueRig(scratch);
  const { github, update, turn } = scene;
  for (let run = 1; run <= 2; run++) {
    const { code, stdout, stderr } = await update();
    const asked = Array(run).fill("GET /repos/acme/status/issues");
    assertEquals([code, stderr, github.asked], [0, "", asked]);
    assertMatch(stdout, /^Checking 1 site$/m);
    assert(!stdout.includes("Incidents:"), stdout);
  }
  turn(503);
  const down = await update();
  assertEquals([down.code, down.stderr], [0, ""]);
  assertMatch(
    down.stdout,
    /^Done: open an issue for Shop \([\d-]+-shop\) → https:\/\/github\.com\/acme\/status\/issues\/1$/m,
  );
  const { length } = github.requests;
  assertEquals((await update()).code, 0);
  assertEquals(github.requests.length, length + 2);
  turn(200);
  const up = await update({}, "--json");
  assertEquals(up.code, 0);
  const [closed, ...others] = JSON.parse(up.stdout).carried;
  assertEquals([closed.state, closed.receipt], ["done", { issue: 1 }]);
  assertEquals(others.map(({ state }: { state: string }) => state), ["done"]);
  const [issue] = await github.issues();
  assertEquals([issue?.title, issue?.state, issue?.isLocked], ["🛑 Shop is down", "closed", true]);
  assertMatch(
    issue!.body,
    /^Shop has been \*\*down\*\* since .* UTC: answered 503 Service Unavail/,
  );
  assertMatch(
    issue!.comments[0]!.body,
    /^\*\*Resolved:\*\* Shop is up again(?: after [\d.]+ seconds?)?\./,
  );
  assertEquals([github.violations, github.dispatched], [[], ["static_site", "summary", "summary"]]);
});

Deno.test("a heartbeat service without failure pings gets no ping from a run without results", async () => {
  await using scratch = await makeScratch();
  const beats: string[] = [];
  await using switchServer = httpServer(({ url }) => {
    beats.push(url);
    return new Response();
  });
  await using rig = await alertRig(scratch, {
    top: { "heartbeat-url": `${switchServer.url}/beat` },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] } },
    secrets: { OTHER: "x" },
  });
  assertEquals([(await rig.update()).code, beats], [2, []]);
});

/** An event of a site, in seconds: one attempt ends, all attempts end, or its check ends. */
type Step = [seconds: number, slug: string, what: "attempt" | "judged" | "down" | "up"];

/** Plays steps in order; returns when sites were recorded, as `1: shop post`, which takes `takes` seconds. */
async function live(
  slugs: readonly string[],
  steps: readonly Step[],
  takes = 0,
): Promise<string[]> {
  const clock = new VirtualClock(NOW);
  const recorded: string[] = [];
  const early = new EarlyRecorder({
    clock,
    slugs,
    async record(results) {
      const seconds = (clock.elapsed() - NOW.epochMilliseconds) / 1000;
      recorded.push(`${seconds}: ${results.map(({ site }) => site.slug).join(" ")}`);
      await clock.wait(takes * 1000);
      return results;
    },
  });
  await clock.until((async () => {
    let now = 0;
    for (const [seconds, slug, what] of steps) {
      await clock.wait((seconds - now) * 1000);
      now = seconds;
      if (what === "attempt") early.attempted(slug);
      else if (what === "judged") early.evaluated(slug);
      else early.add(resultOf(await siteNamed(slug, slug), what), what === "down");
    }
    await early.end();
  })());
  return recorded;
}

Deno.test("a change is recorded a second after it is confirmed if no other site fails, however long another one hangs", async () => {
  assertEquals(
    await live(["shop", "post", "slow"], [[0, "post", "up"], [2, "shop", "down"], [
      60,
      "slow",
      "down",
    ]]),
    ["3: post shop"],
  );
});

Deno.test("a change waits for sites that are being confirmed, 16 seconds at most", async () => {
  assertEquals(
    await live(["shop", "post", "slow"], [
      ...[[1, "shop", "attempt"], [1, "post", "attempt"]] as Step[],
      ...[[30, "shop", "down"], [41, "post", "down"], [60, "slow", "up"]] as Step[],
    ]),
    ["41: shop post"],
  );
  assertEquals(
    await live(["shop", "post", "slow"], [
      ...[[1, "shop", "attempt"], [1, "post", "attempt"]] as Step[],
      ...[[30, "shop", "down"], [58, "post", "down"], [90, "slow", "up"]] as Step[],
    ]),
    ["46: shop", "59: post"],
  );
});

Deno.test("the wait of a change does not grow if the one before takes long to be recorded", async () => {
  const steps: Step[] = [[1, "shop", "down"], [1.5, "slow", "attempt"], [3, "post", "down"]];
  assertEquals(await live(["shop", "post", "slow"], [...steps, [60, "slow", "up"]], 10), [
    "17: shop post",
  ]);
  const later: Step[] = [[1, "shop", "down"], [3, "slow", "attempt"], [4, "post", "down"]];
  assertEquals(await live(["shop", "post", "slow"], [...later, [60, "slow", "up"]], 10), [
    "2: shop",
    "20: post",
  ]);
});

Deno.test("a change waits neither for a site without attempts left, nor for a dependent site that waits for another", async () => {
  const steps: Step[] = [[1, "child", "attempt"], [1, "shop", "down"], [4, "child", "judged"]];
  assertEquals(await live(["shop", "child", "slow"], [...steps, [60, "slow", "up"]]), ["4: shop"]);
});

Deno.test("nothing is recorded early if all checks end within a second, or if nothing changes", async () => {
  assertEquals(await live(["shop", "post"], [[2, "shop", "down"], [2.5, "post", "up"]]), []);
  assertEquals(await live(["shop", "post"], [[2, "shop", "up"], [90, "post", "down"]]), []);
});

Deno.test("a result is not settled while it depends on other sites or the network is in doubt", async () => {
  const result = async (
    slug: string,
    state: ProbeResult["state"],
    dependsOn: string[] = [],
    more = {},
  ) => {
    const site = await siteNamed(slug, slug);
    return resultOf({ ...site, dependsOn: dependsOn.map((slug) => ({ slug })) }, state, more);
  };
  const router = await result("router", "down", [], { unreached: true });
  const shop = await result("shop", "down", ["router"]);
  const blog = await result("blog", "down", ["shop"]);
  const post = await result("post", "up", ["router"]);
  const wiki = await result("wiki", "down", ["mail"]);
  const results = [blog, shop, router, post, wiki];
  const settled = (isNetworkDoubtful: boolean, pending: string) =>
    selectSettled(results, { isNetworkDoubtful, isPending: (slug) => slug === pending })
      .map(({ site }) => site.slug);
  assertEquals(settled(false, ""), ["blog", "shop", "router", "post", "wiki"]);
  assertEquals(settled(false, "mail"), ["blog", "shop", "router", "post"]);
  assertEquals(settled(true, "mail"), ["post"]);
});
