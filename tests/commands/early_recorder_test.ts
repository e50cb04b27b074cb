import { assertEquals } from "@std/assert";
import { EarlyRecorder } from "../../commands/update/early.ts";
import type { CheckResult } from "../../lib/evaluation/judge.ts";
import { settledResults } from "../../lib/evaluation/settled.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { VirtualClock } from "../helpers/virtual_clock.ts";

/** What happens to a site, at so many seconds: an attempt on it ends, or all of them, or its check. */
type Step = [seconds: number, slug: string, what: "attempt" | "judged" | "down" | "up"];

/** Lives through steps in their order; returns when which sites were recorded, as `1: shop post`. `takes` are the seconds for that. */
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

Deno.test("a change waits no longer because the one before takes long to be recorded", async () => {
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

Deno.test("a change does not wait for a site whose attempts have ended, and which waits for one that it depends on", async () => {
  const steps: Step[] = [[1, "child", "attempt"], [1, "shop", "down"], [4, "child", "judged"]];
  assertEquals(await live(["shop", "child", "slow"], [...steps, [60, "slow", "up"]]), ["4: shop"]);
});

Deno.test("nothing is recorded early if all checks end within a moment, or if nothing changes", async () => {
  assertEquals(await live(["shop", "post"], [[2, "shop", "down"], [2.5, "post", "up"]]), []);
  assertEquals(await live(["shop", "post"], [[2, "shop", "up"], [90, "post", "down"]]), []);
});

Deno.test("what can't be known without other sites, or while the network is in doubt, is not settled", async () => {
  const result = async (
    slug: string,
    state: CheckResult["state"],
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
    settledResults(results, { isNetworkDoubtful, isPending: (slug) => slug === pending })
      .map(({ site }) => site.slug);
  assertEquals(settled(false, ""), ["blog", "shop", "router", "post", "wiki"]);
  assertEquals(settled(false, "mail"), ["blog", "shop", "router", "post"]);
  assertEquals(settled(true, "mail"), ["post"]);
});
