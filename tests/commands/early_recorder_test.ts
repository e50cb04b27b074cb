import { assertEquals } from "@std/assert";
import { EarlyRecorder } from "../../commands/update/early.ts";
import type { CheckResult } from "../../lib/verdict/judge.ts";
import { settledResults } from "../../lib/verdict/settled.ts";
import { NOW, resultOf, siteNamed } from "../helpers/outcomes.ts";
import { VirtualClock } from "../helpers/virtual_clock.ts";

/** What happens to a site, at so many seconds: an attempt on it ends, or its check. */
type Step = [seconds: number, slug: string, what: "attempt" | "down" | "up"];

/** Lives through steps in their order; returns when which sites were recorded, as `1: shop post`. */
async function live(slugs: readonly string[], steps: readonly Step[]): Promise<string[]> {
  const clock = new VirtualClock(NOW);
  const recorded: string[] = [];
  const early = new EarlyRecorder({
    clock,
    slugs,
    record(results) {
      const seconds = (clock.elapsed() - NOW.epochMilliseconds) / 1000;
      recorded.push(`${seconds}: ${results.map(({ site }) => site.slug).join(" ")}`);
      return Promise.resolve(results);
    },
  });
  await clock.until((async () => {
    let now = 0;
    for (const [seconds, slug, what] of steps) {
      await clock.wait((seconds - now) * 1000);
      now = seconds;
      if (what === "attempt") early.attempted(slug);
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

Deno.test("a change waits for sites that are being confirmed, 20 seconds at most", async () => {
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
    ["50: shop", "59: post"],
  );
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
