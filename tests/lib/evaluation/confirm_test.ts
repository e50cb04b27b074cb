import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Condition, State } from "../../../lib/state.ts";
import { confirm } from "../../../lib/evaluation/confirm.ts";
import type { SiteState, Streak } from "../../../lib/evaluation/results.ts";
import { NOW, resultOf } from "../../helpers/outcomes.ts";
import { type Keys, siteOf } from "../../helpers/sites.ts";

/** Results of runs: `u`p, `s`low, `w`arm (below the limit, but not enough to end degraded), `d`own, `?` none; capitals in maintenance. */
type Runs = string;

const RESULTS: Record<string, { state: "up" | "degraded" | "down" | "unknown"; ms?: number }> = {
  u: { state: "up", ms: 100 },
  s: { state: "degraded", ms: 1500 },
  w: { state: "up", ms: 900 },
  d: { state: "down" },
  "?": { state: "unknown" },
};

/** Plays runs five minutes apart; for each the state, and in which run that began. */
async function play(
  runs: Runs,
  keys: Keys = {},
): Promise<{ states: string; results: SiteState[]; since: number[] }> {
  const site = await siteOf({ url: "https://example.com", maxResponseTime: 1000, ...keys });
  let condition: Condition | undefined;
  let streak: Streak | undefined;
  const results: SiteState[] = [];
  for (const [number, letter] of [...runs].entries()) {
    const time = NOW.add({ minutes: 5 * number });
    const { state, ms } = RESULTS[letter.toLowerCase()]!;
    const isWindow = letter !== letter.toLowerCase();
    const probed = resultOf(site, state, {
      began: time,
      confirmed: time,
      responseTime: ms,
      error: state === "up" ? undefined : "not well",
    });
    const confirmed = confirm(probed, {
      condition,
      streak: streak && structuredCloneOf(streak),
      ...isWindow ? { window: { until: windowEnd(runs, number), expected: "down" } } : {},
    });
    ({ streak } = confirmed);
    const { state: result } = confirmed;
    if (result.state !== "unknown" && result.state !== "maintenance") condition = result.state;
    results.push(result);
  }
  const letters: Record<State, string> = {
    up: "u",
    degraded: "e",
    down: "d",
    maintenance: "m",
    unknown: "?",
  };
  return {
    states: results.map(({ state }) => letters[state]).join(""),
    results,
    since: results.map(({ began }) => began.since(NOW).total("minutes") / 5),
  };
}

/** A minute before the first run outside of the window. */
function windowEnd(runs: Runs, from: number): Temporal.Instant {
  const rest = [...runs].slice(from).findIndex((letter) => letter === letter.toLowerCase());
  return NOW.add({ minutes: 5 * (from + rest) - 1 });
}

/** A streak contains only what a file can store. */
function structuredCloneOf(streak: Streak): Streak {
  return { ...streak, slow: [...streak.slow] };
}

async function states(runs: Runs, keys?: Keys): Promise<string> {
  return (await play(runs, keys)).states;
}

Deno.test("a site is down with the first failing run, or with as many in a row as it asks for", async () => {
  assertEquals(await states("uduu"), "uduu");
  assertEquals(await states("uddddu", { failureThreshold: 3 }), "uuuddu");
  assertEquals(await states("uddudd", { failureThreshold: 3 }), "uuuuuu");
  assertEquals(await states("ddd", { failureThreshold: 3 }), "??d");
});

Deno.test("an outage starts with the first failing attempt of the runs that confirmed it", async () => {
  const { since, results } = await play("uuddd", { failureThreshold: 3 });
  assertEquals(since[4], 2);
  assertEquals(results[2]!.error, "failing, 1 of 3 runs: not well");
  assertEquals(results[3]!.error, "failing, 2 of 3 runs: not well");
  assertEquals(results.map(({ confirmedBy }) => confirmedBy).at(-1), 3);
});

Deno.test("runs without a result neither break a streak nor count", async () => {
  assertEquals(await states("ud?d?d", { failureThreshold: 3 }), "uu?u?d");
  assertEquals(await states("us?s"), "uu?e");
});

Deno.test("a site is degraded when enough of its last good runs were slow, from the first of these on", async () => {
  assertEquals(await states("usuuus"), "uuuuuu");
  const { states: actual, since } = await play("ususs");
  assertEquals([actual, since[3]], ["uuuee", 1]);
  assertEquals(await states("sss"), "uee");
  assertEquals(await states("us", { degradedRuns: [1, 1] }), "ue");
  assertEquals(await states("ussssu", { degradedRuns: [3, 5] }), "uuueeu");
});

Deno.test("a site that is up says how many of the runs that make it degraded it has", async () => {
  const errors = async (runs: Runs, keys?: Keys) =>
    (await play(runs, keys)).results.map(({ error }) => error);
  assertEquals(await errors("us"), [undefined, "not well (1 of 2 slow runs)"]);
  assertEquals(await errors("sus", { degradedRuns: [3, 5] }), [
    "not well (1 of 3 slow runs)",
    undefined,
    "not well (2 of 3 slow runs)",
  ]);
  assertEquals(await errors("s", { maxResponseTime: 2000 }), ["not well (1 of 2 runs)"]);
  assertEquals((await errors("uss")).at(-1), "not well");
});

Deno.test("a site stops being degraded only if it is clearly faster than the limit", async () => {
  const { states: actual, results } = await play("usswwus");
  assertEquals(actual, "uueeeuu");
  assertMatch(
    results[3]!.error!,
    /^answered after 900 ms, which is not clearly faster than the 1000 ms/,
  );
  assertEquals(await states("uwww"), "uuuu");
  assertEquals(await states("ussw", { degradedLeave: 1 }), "uueu");
});

Deno.test("down overrides degraded at once, and runs that were slow before count on", async () => {
  assertEquals(await states("ussdu"), "uuedu");
  assertEquals(await states("usds"), "uude");
  assertEquals(await states("ussduus", { degradedRuns: [2, 5] }), "uueduue");
});

Deno.test("an outage that fewer locations than the quorum still see becomes a degradation, not a recovery", async () => {
  const site = await siteOf({ url: "https://example.com", degradedRuns: [2, 3] });
  const seen = (state: "up" | "down") => ({
    ...{ location: "Oslo", state, code: 200, attempts: 1, confirmed: NOW, isNew: true },
  });
  const after = (condition: Condition, state: "up" | "down") => {
    const result = resultOf(site, "degraded", { locations: [seen("up"), seen(state)] });
    return confirm(result, { condition, streak: { slow: [null, null], recent: "" } }).state.state;
  };
  assertEquals(after("down", "down"), "degraded");
  assertEquals(after("down", "up"), "up", "slow answers do not prolong an outage");
  assertEquals(after("up", "down"), "up", "degradedRuns applies");
});

Deno.test("a maintenance window pauses all streaks", async () => {
  assertEquals(await states("uDDuu"), "ummuu");
  assertEquals(await states("udDDdd", { failureThreshold: 3 }), "uummdd");
  assertEquals(await states("udUUdd", { failureThreshold: 3 }), "uummud");
});

Deno.test("a site that failed when its window ended is down at once, since the end of the window", async () => {
  const { states: actual, since } = await play("uDDd", { failureThreshold: 3 });
  assertEquals([actual, since[3]], ["ummd", 2.8]);
  const before = await play("udDDd", { failureThreshold: 3 });
  assertEquals([before.states, before.since[4]], ["uummd", 3.8]);
  const fresh = await play("uDUd", { failureThreshold: 3 });
  assertEquals(fresh.states, "ummu");
});

Deno.test("a site that failed when its window ended and is checked much later fails since that check", async () => {
  const site = await siteOf({ url: "https://example.com", failureThreshold: 2 });
  const states = [23, 25].map((hours) => {
    const until = NOW.subtract({ hours });
    const streak = { slow: [], recent: "", window: { until, failing: true } };
    const { state, began } = confirm(resultOf(site, "down"), { condition: "up", streak }).state;
    return [state, began.equals(until)];
  });
  assertEquals(states, [["down", true], ["up", false]]);
});

Deno.test("a window that expects degraded allows only that, unless it ends an outage", async () => {
  const site = await siteOf({ url: "https://example.com", degradedRuns: [1, 1] });
  const window = { until: NOW.add({ hours: 1 }), expected: "degraded" } as const;
  const seen = (state: "up" | "degraded" | "down", condition: Condition) =>
    confirm(resultOf(site, state), { condition, window }).state.state;
  assertEquals(
    (["up", "degraded", "down"] as const).map((condition) => [
      seen("up", condition),
      seen("degraded", condition),
      seen("down", condition),
    ]),
    [["up", "maintenance", "down"], ["up", "maintenance", "down"], ["up", "degraded", "down"]],
  );
});

Deno.test("no state starts after its check, whatever is stored", async () => {
  const site = await siteOf({ url: "https://example.com", degradedRuns: [2, 3] });
  const ahead = NOW.add({ hours: 24 * 365 });
  const begins = (state: "down" | "degraded", streak: Partial<Streak>) =>
    confirm(resultOf(site, state), { condition: "up", streak: { slow: [], recent: "", ...streak } })
      .state.began;
  assertEquals(begins("down", { failing: { runs: 1, attempts: 3, since: ahead } }), NOW);
  assertEquals(begins("down", { window: { until: ahead, failing: true } }), NOW);
  assertEquals(begins("degraded", { slow: [ahead] }), NOW);
});

Deno.test("a site that keeps changing is flapping until it is stable again", async () => {
  const flapping = async (runs: Runs, keys?: Keys) =>
    (await play(runs, keys)).results.map(({ flapping }) => flapping ? "f" : ".").join("");
  assertEquals(await flapping("ud".repeat(8)), ".".repeat(11) + "f".repeat(5));
  assertEquals(await flapping("uuddd".repeat(10)), ".".repeat(50));
  const calm = await flapping("ud".repeat(10) + "u".repeat(20));
  assertEquals(calm, ".".repeat(11) + "f".repeat(14) + ".".repeat(15));
  const stuck = await flapping("ud".repeat(10) + "d".repeat(20));
  assertEquals(stuck, ".".repeat(11) + "f".repeat(19) + ".".repeat(10));
  const mostlyDown = await flapping("ud".repeat(10) + "dddddddddu".repeat(4));
  assert(mostlyDown.endsWith("....................") && mostlyDown.includes("f"), mostlyDown);
  const unlucky = await flapping("ud".repeat(10) + "uuuuud" + "u".repeat(6) + "d");
  assertEquals(unlucky, ".".repeat(11) + "f".repeat(20) + "..");
  assertEquals(await flapping("ud".repeat(8), { flapThreshold: 1 }), ".".repeat(16));
});

Deno.test("results that earlier runs have used count for no threshold again", async () => {
  const site = await siteOf({
    url: "https://example.com",
    failureThreshold: 2,
    degradedRuns: [2, 3],
  });
  const at = (minutes: number) => {
    const time = NOW.add({ minutes });
    return { began: time, confirmed: time, error: "not well" };
  };
  for (const state of ["down", "degraded"] as const) {
    const first = confirm(resultOf(site, state, at(0)), { condition: "up" });
    const repeated = confirm(resultOf(site, state, { ...at(5), isRepeated: true }), {
      condition: "up",
      streak: first.streak,
    });
    assertEquals([first.state.state, repeated.state.state], ["up", "up"]);
    const { streak } = repeated;
    const second = confirm(resultOf(site, state, at(10)), { condition: "up", streak });
    assertEquals([second.state.state, second.state.began], [state, NOW]);
  }
});
