import { assertEquals } from "@std/assert";
import type { Observation } from "../../../lib/checks/observation.ts";
import { evaluateSite, type EvaluationOptions } from "../../../lib/evaluation/evaluate_site.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { StillClock } from "../../helpers/still_clock.ts";
import { type Keys, siteOf } from "../../helpers/sites.ts";

const UP: Observation = { code: 200, responseTime: 100 };
const SLOW: Observation = { code: 200, responseTime: 1500.4 };
const REFUSED = failing("network", "connection refused");
const BROKEN = failing("answer", "answered 500 Internal Server Error", 500);
const OURS = failing("configuration", "$KEY is not among the secrets");

function failing(
  kind: "network" | "answer" | "configuration",
  reason: string,
  code = 0,
): Observation {
  return { code, responseTime: 40, failure: { kind, reason } };
}

/** Judges a site whose attempts see the observations given, each after a second. */
async function judgeBy(
  observations: readonly Observation[],
  options: Partial<EvaluationOptions> & {
    keys?: Keys;
    clock?: StillClock;
    isKnownDown?: boolean;
  } = {},
): Promise<{ result: ProbeResult; clock: StillClock; attempts: number }> {
  const { keys = {}, clock = new StillClock(), isKnownDown = false, ...others } = options;
  const site = await siteOf({ url: "https://example.com", ...keys });
  let attempts = 0;
  const result = await evaluateSite(site, {
    clock,
    probe: () => {
      clock.pass(1000);
      return Promise.resolve(observations[attempts++]!);
    },
    turn: (attempt) => attempt(),
    earlier: () => Promise.resolve({ isKnownDown, isSingleAttempt: false }),
    onUnreached() {},
    deadline: new AbortController().signal,
    random: () => 0.5,
    ...others,
  });
  return { result, clock, attempts };
}

/** Seconds after ten o'clock. */
function at(seconds: number): string {
  return Temporal.Instant.from("2026-11-21T10:00:00Z").add({ seconds }).toString();
}

function summary({ state, attempts, code, began, confirmed }: ProbeResult): unknown[] {
  return [state, attempts, code, began.toString(), confirmed.toString()];
}

Deno.test("the first attempt that succeeds decides", async () => {
  const cases: [observations: Observation[], state: string, began: number, confirmed: number][] = [
    [[UP], "up", 0, 1],
    [[SLOW], "up", 0, 1],
    [[REFUSED, UP], "up", 6, 7],
    [[BROKEN, REFUSED, UP], "up", 32, 33],
    [[REFUSED, REFUSED, REFUSED], "down", 0, 33],
    [[REFUSED, BROKEN, BROKEN], "down", 0, 33],
    [[OURS], "unknown", 0, 1],
    [[REFUSED, OURS], "unknown", 6, 7],
  ];
  for (const [observations, state, began, confirmed] of cases) {
    const { result } = await judgeBy(observations);
    const { code } = observations.at(-1)!;
    assertEquals(summary(result), [state, observations.length, code, at(began), at(confirmed)]);
  }
});

Deno.test("a degradation is reported at once", async () => {
  const { result, attempts } = await judgeBy([{
    ...UP,
    degradation: "the certificate expires in 9 days",
  }]);
  assertEquals([result.state, result.error, attempts], [
    "degraded",
    "the certificate expires in 9 days",
    1,
  ]);
});

Deno.test("a site that is inverted is up if its check fails, and down if it succeeds", async () => {
  const opened = "the check succeeded, and inverted: true expects it to fail";
  const expired: Observation = { ...UP, degradation: "certificate expires in 9 days" };
  const cases: [observations: Observation[], state: string, error: string][] = [
    [[REFUSED], "up", "fails as expected: connection refused"],
    [[BROKEN], "up", "fails as expected: answered 500 Internal Server Error"],
    [[UP, SLOW, expired], "down", opened],
    [[UP, REFUSED], "up", "fails as expected: connection refused"],
    [[OURS], "unknown", "$KEY is not among the secrets"],
  ];
  for (const [observations, state, error] of cases) {
    const { result } = await judgeBy(observations, { keys: { inverted: true } });
    assertEquals([result.state, result.error, result.attempts], [
      state,
      error,
      observations.length,
    ]);
  }
});

Deno.test("an inverted site that times out is not slow", async () => {
  const late = { ...REFUSED, responseTime: 60_000 };
  const { result } = await judgeBy([late], { keys: { inverted: true, maxResponseTime: 1000 } });
  assertEquals([result.state, result.responseTime], ["up", undefined]);
});

Deno.test("a failure is retried after each of the site's delays", async () => {
  const cases: [keys: Keys, waits: number[]][] = [
    [{}, [5_000, 25_000]],
    [{ retry: { delays: [1, 2, "1m"] } }, [1_000, 2_000, 60_000]],
    [{ retry: { delays: [] } }, []],
  ];
  for (const [keys, waits] of cases) {
    const { result, clock, attempts } = await judgeBy(Array(10).fill(REFUSED), { keys });
    assertEquals(clock.waits, waits);
    assertEquals([result.state, result.attempts, attempts], ["down", attempts, waits.length + 1]);
  }
});

Deno.test("delays vary by the site's jitter", async () => {
  const cases: [jitter: number, random: number, waits: number[]][] = [
    [0.2, 0, [4_000, 20_000]],
    [0.2, 0.5, [5_000, 25_000]],
    [0.2, 1, [6_000, 30_000]],
    [0, 1, [5_000, 25_000]],
    [1, 0, [0, 0]],
  ];
  for (const [jitter, random, waits] of cases) {
    const { clock } = await judgeBy([REFUSED, REFUSED, REFUSED], {
      keys: { retry: { jitter } },
      random: () => random,
    });
    assertEquals(clock.waits.map(Math.round), waits);
  }
});

Deno.test("a failure of a site known to be down is not retried", async () => {
  const down = await judgeBy([REFUSED], { isKnownDown: true });
  assertEquals([down.result.state, down.attempts, down.clock.waits], ["down", 1, []]);
});

Deno.test("a recovery needs successThreshold successes and starts with the first", async () => {
  const cases: [observations: Observation[], keys: Keys, expected: unknown[]][] = [
    [[UP, UP], {}, ["up", 2, 200, at(0), at(7)]],
    [[UP, REFUSED], {}, ["down", 2, 0, at(6), at(7)]],
    [[UP, OURS], {}, ["unknown", 2, 0, at(6), at(7)]],
    [[UP], { successThreshold: 1 }, ["up", 1, 200, at(0), at(1)]],
    [[UP, UP, UP], { successThreshold: 3, recheckDelay: 60 }, ["up", 3, 200, at(0), at(123)]],
  ];
  for (const [observations, keys, expected] of cases) {
    const { result } = await judgeBy(observations, { keys, isKnownDown: true });
    assertEquals(summary(result), expected);
  }
  const run = new AbortController();
  const clock = new StillClock();
  const unsure = await judgeBy([UP, UP], {
    clock,
    isKnownDown: true,
    deadline: run.signal,
    turn: (attempt) => attempt().finally(() => run.abort()),
  });
  assertEquals([unsure.result.state, unsure.result.error], [
    "unknown",
    "the run was out of time before it was sure that this site is back",
  ]);
});

Deno.test("onUnreached is called at once, and the result says if any answer arrived", async () => {
  const cases: [observations: Observation[], unreached: boolean | undefined, calls: number][] = [
    [[REFUSED, REFUSED, REFUSED], true, 1],
    [[REFUSED, BROKEN, REFUSED], undefined, 1],
    [[BROKEN, BROKEN, BROKEN], undefined, 0],
    [[REFUSED, UP], undefined, 1],
    [[UP], undefined, 0],
  ];
  for (const [observations, unreached, calls] of cases) {
    let times = 0;
    const { result } = await judgeBy(observations, { onUnreached: () => times++ });
    assertEquals([result.unreached, times], [unreached, calls]);
  }
});

Deno.test("results contain the reason, and the response time of a success", async () => {
  const cases: [observations: Observation[], error?: string, responseTime?: number][] = [
    [[UP], undefined, 100],
    [[REFUSED, UP], undefined, 100],
    [[REFUSED, REFUSED, BROKEN], "answered 500 Internal Server Error"],
    [[OURS], "$KEY is not among the secrets"],
  ];
  for (const [observations, error, responseTime] of cases) {
    const { result } = await judgeBy(observations);
    assertEquals([result.error, result.responseTime], [error, responseTime]);
  }
});

Deno.test("an answer slower than maxResponseTime is degraded at once", async () => {
  const cases: [maxResponseTime: number, observation: Observation, error?: string][] = [
    [1_000, SLOW, "answered after 1500 ms, slower than the 1000 ms allowed"],
    [1_499, SLOW, "answered after 1500 ms, slower than the 1499 ms allowed"],
    [1_500, SLOW],
    [100, UP],
    [10, BROKEN, "answered 500 Internal Server Error"],
  ];
  for (const [maxResponseTime, observation, error] of cases) {
    const keys = { maxResponseTime, retry: { delays: [] } };
    const { result, attempts } = await judgeBy([observation], { keys });
    const state = error === undefined ? "up" : observation === SLOW ? "degraded" : "down";
    assertEquals([result.state, result.error, attempts], [state, error, 1]);
    if (state !== "down") assertEquals(result.responseTime, observation.responseTime);
  }
});

Deno.test("an attempt starts when it is its turn", async () => {
  const clock = new StillClock();
  const { result } = await judgeBy([REFUSED, REFUSED, REFUSED], {
    clock,
    turn(attempt) {
      clock.pass(10_000);
      return attempt();
    },
  });
  assertEquals(summary(result), ["down", 3, 0, at(10), at(63)]);
});

Deno.test("the attempts so far decide when the run is out of time", async () => {
  const run = new AbortController();
  run.abort();
  const before = await judgeBy([UP], { deadline: run.signal });
  assertEquals(summary(before.result), ["unknown", 0, 0, at(0), at(0)]);
  assertEquals(before.result.error, "not asked: the run was out of time");

  /** Out of time while the attempt with this number is made. */
  const judgeUntil = async (last: number, observations: Observation[]) => {
    const run = new AbortController();
    const clock = new StillClock();
    let attempts = 0;
    const probe = () => {
      if (++attempts === last) run.abort();
      clock.pass(1000);
      return Promise.resolve(observations[attempts - 1]!);
    };
    return summary((await judgeBy([], { clock, probe, deadline: run.signal })).result);
  };
  assertEquals(await judgeUntil(1, [REFUSED]), ["unknown", 0, 0, at(1), at(1)]);
  assertEquals(await judgeUntil(1, [UP]), ["up", 1, 200, at(0), at(1)]);
  assertEquals(await judgeUntil(2, [BROKEN, REFUSED]), ["down", 1, 500, at(0), at(1)]);
  assertEquals(await judgeUntil(2, [REFUSED, UP]), ["up", 2, 200, at(6), at(7)]);
});
