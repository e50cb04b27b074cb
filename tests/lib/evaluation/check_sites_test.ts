import { assert, assertEquals, assertRejects } from "@std/assert";
import { closedPort, httpServer, rawServer } from "../../helpers/servers.ts";
import { configOf, type Keys } from "../../helpers/sites.ts";
import { VirtualClock } from "../../helpers/virtual_clock.ts";
import { probe } from "../../../lib/checks/mod.ts";
import type { Observation } from "../../../lib/checks/observation.ts";
import { Canaries, countFailedRuns } from "../../../lib/evaluation/canaries.ts";
import { checkSites, type EarlierRuns } from "../../../lib/evaluation/check_sites.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import { type Clock, systemClock } from "../../../lib/io/clock.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { check, NONE, UNTOUCHED } from "../../helpers/checked_sites.ts";

/** Real time, except that the test ends the run, and retries never come. */
function runningOut(): { clock: Clock; runOut: () => void; onWait: (action: () => void) => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let onWait = () => {};
  const wait = (milliseconds: number, signal?: AbortSignal) => {
    if (milliseconds === 240_000) return promise;
    if (signal === undefined) return systemClock.wait(milliseconds);
    // The limit of a slot is no wait for an attempt.
    if (milliseconds !== 5_000) onWait();
    return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const clock = { ...systemClock, wait };
  return { clock, runOut: resolve, onWait: (action) => onWait = action };
}

Deno.test("checkSites returns results in the order of the configuration and reports each as it arrives", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await using server = httpServer(async ({ url }) => {
    if (url.endsWith("/1")) await released;
    return new Response("text", { status: url.endsWith("/2") ? 500 : 200 });
  });
  const reported: string[] = [];
  const results = await check([1, 2, 3].map((path) => ({ url: `${server.url}/${path}` })), {
    onResult({ site, state }) {
      reported.push(`${site.name} ${state}`);
      if (reported.length === 2) release();
    },
  });
  assertEquals(results.map(({ site, state }) => `${site.name} ${state}`), [
    "Site 1 up",
    "Site 2 down",
    "Site 3 up",
  ]);
  assertEquals(reported.toSorted(), ["Site 1 up", "Site 2 down", "Site 3 up"]);
  assertEquals(reported.at(-1), "Site 1 up");
});

Deno.test("first attempts don't wait for the history, except those of sites that may rest", async () => {
  const history = Promise.withResolvers<EarlierRuns>();
  const asked: string[] = [];
  await using server = httpServer(({ url }) => {
    asked.push(new URL(url).pathname);
    history.resolve({
      canaries: NONE,
      isKnownDown: () => false,
      restsUntil: ({ slug }) =>
        slug === "site-2" ? Temporal.Now.instant().add({ minutes: 5 }) : undefined,
    });
    return new Response("ok");
  });
  const paths = ["/early", "/resting", "/limited"];
  const results = await checkSites(
    await configOf(paths.map((path) => ({ url: server.url + path }))),
    {
      ...UNTOUCHED,
      clock: systemClock,
      earlier: history.promise,
      mayRest: ({ slug }) => slug !== "site-1",
      onResult() {},
    },
  );
  assertEquals(asked, ["/early", "/limited"]);
  assertEquals(results.map(({ missing }) => missing), [undefined, "resting", undefined]);
});

Deno.test("a history that can't be opened fails the checks, and no site has a result", async () => {
  const reported: ProbeResult[] = [];
  await using server = httpServer(() => new Response("ok"));
  const config = await configOf([{ url: server.url }, { url: server.url }], { concurrency: 1 });
  const checking = checkSites(config, {
    ...UNTOUCHED,
    clock: systemClock,
    earlier: Promise.reject(new Error("no branch is checked out")),
    onResult: (result) => reported.push(result),
  });
  await assertRejects(() => checking, Error, "no branch is checked out");
  assertEquals(reported, []);
});

Deno.test("checkSites checks as many sites at once as concurrency allows", async () => {
  for (const concurrency of [1, 3]) {
    let open = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    await using server = httpServer(async () => {
      most = Math.max(most, ++open);
      if (open === concurrency) full.resolve();
      await full.promise;
      open--;
      return new Response("ok");
    });
    const sites = Array(12).fill({ url: server.url });
    const results = await check(sites, { top: { concurrency } });
    assertEquals(results.map(({ state }) => state), sites.map(() => "up"));
    assertEquals(most, concurrency);
  }
});

Deno.test("checkSites starts the time of an attempt when it is made, not when it is due", async () => {
  await using server = httpServer(() => new Response("ok"));
  const results = await check([{ url: server.url }, { url: server.url }], {
    top: { concurrency: 1 },
  });
  const [first, second] = results.map(({ began, confirmed }) => [began, confirmed]);
  assert(Temporal.Instant.compare(second![0]!, first![1]!) >= 0);
});

Deno.test("checkSites ends a site that hangs when runDeadline is over", async () => {
  await using hanging = await rawServer(() => {});
  const [result] = await check([{ url: hanging.url }], { top: { runDeadline: 0.2 } });
  assertEquals([result!.state, result!.error], [
    "unknown",
    "the run was out of time before this site had answered",
  ]);
});

Deno.test("checkSites keeps finished results when the run ends before a site", async () => {
  const { clock, runOut } = runningOut();
  await using hanging = await rawServer(() => {});
  await using server = httpServer(({ url }) =>
    new Response("text", { status: url.endsWith("/500") ? 500 : 200 })
  );
  let verdicts = 0;
  const onResult = () => ++verdicts === 2 && runOut();
  const sites = [{ url: hanging.url }, { url: server.url }, { url: `${server.url}/500` }];
  const results = await check(sites, { clock, onResult });
  assertEquals(results.map(({ state }) => state), ["unknown", "up", "down"]);
});

Deno.test("checkSites also ends sites that are still queued", async () => {
  const { clock, runOut } = runningOut();
  await using hanging = await rawServer(() => runOut());
  const results = await check(Array(4).fill({ url: hanging.url }), {
    clock,
    top: { concurrency: 1 },
  });
  assertEquals(
    results.map(({ state, attempts }) => [state, attempts]),
    Array(4).fill(["unknown", 0]),
  );
});

Deno.test("checkSites uses the first attempt if the run ends before the next", async () => {
  const { clock, runOut, onWait } = runningOut();
  onWait(runOut);
  const port = closedPort();
  const sites = [{ url: `http://127.0.0.1:${port}`, retry: { delays: ["1h"] } }];
  const [result] = await check(sites, { clock });
  assertEquals([result!.state, result!.attempts, result!.error], [
    "down",
    1,
    `connection refused (127.0.0.1:${port})`,
  ]);
});

Deno.test("a check that throws does not affect other sites", async () => {
  await using server = httpServer(() => new Response("ok"));
  const config = await configOf([{ url: server.url }, { url: server.url }, { url: server.url }]);
  const results = await checkSites(config, {
    probeSite(site, context) {
      if (site === config.sites[1]) throw new TypeError("x is not a function");
      return probe(site.target, context);
    },
    ...UNTOUCHED,
    clock: systemClock,
    onResult() {},
  });
  assertEquals(results.map(({ state, error }) => [state, error]), [
    ["up", undefined],
    ["unknown", "the check itself failed: x is not a function"],
    ["up", undefined],
  ]);
});

Deno.test("checkSites confirms a failure over a new connection, unless the site is known to be down", async () => {
  let answers = 0;
  await using server = httpServer(() =>
    new Response("text", { status: ++answers < 3 ? 503 : 200 })
  );
  const site = { url: server.url, retry: { delays: [0.01, 0.01] } };
  const [blip] = await check([site]);
  assertEquals([blip!.state, blip!.attempts, answers], ["up", 3, 3]);
  answers = 0;
  const [down] = await check([site], { isKnownDown: true });
  assertEquals([down!.state, down!.attempts, answers], ["down", 1, 1]);
});

Deno.test("checkSites shows no secret in an error", async () => {
  const port = String(closedPort());
  const secrets = { PORT: port, FILE: "private/ca.pem", HOST: "nobody.invalid" };
  const cases: [keys: Keys, error: string][] = [
    [{ url: `http://127.0.0.1:${port}` }, "connection refused (127.0.0.1:***)"],
    [{ url: "http://127.0.0.1:$PORT" }, "connection refused"],
    [{ url: "https://127.0.0.1", ca: "$FILE" }, "cannot read the file ***: it does not exist"],
    [
      { url: "https://127.0.0.1", ca: "no\u202e\x1b[2J.pem" },
      "cannot read the file no [2J.pem: it does not exist",
    ],
  ];
  for (const [keys, error] of cases) {
    const [result] = await check([keys], { secrets });
    assertEquals(result!.error, error);
  }
  const [hidden] = await check([{ url: "https://$HOST/" }], { secrets });
  assert(!hidden!.error!.includes("invalid"), hidden!.error);
});

Deno.test("checkSites skips a site for as long as its Retry-After asks", async () => {
  let answers = 0;
  await using server = httpServer(() => {
    answers++;
    return new Response(null, { status: 429, headers: { "Retry-After": "600" } });
  });
  const [limited] = await check([{ url: server.url }], { isKnownDown: true });
  assertEquals([limited!.state, limited!.error, limited!.attempts], ["up", "rate limited", 1]);
  const { restUntil, confirmed } = limited!;
  assertEquals(restUntil!.since(confirmed).total("seconds"), 600);

  const [resting] = await check([{ url: server.url }], { restsUntil: restUntil });
  assertEquals([resting!.state, resting!.attempts, answers], ["unknown", 0, 1]);
  assertEquals(
    resting!.error,
    `it asked not to be checked before ${restUntil!.toString().slice(11, 16)} UTC`,
  );
  const [again] = await check([{ url: server.url }], {
    restsUntil: confirmed.subtract({ seconds: 1 }),
  });
  assertEquals([again!.state, answers], ["up", 2]);
  const [early] = await check([{ url: server.url }], {
    restsUntil: confirmed.add({ hours: 24 * 365 }),
  });
  assertEquals([early!.state, answers], ["up", 3]);
});

/** Canaries with prepared answers, and the number of their checks. */
function canariesOf(...answers: boolean[]): { canaries: Canaries; asked: () => number } {
  let asked = 0;
  const reaches = () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!);
  return {
    canaries: new Canaries({ addresses: ["canary:1"], reaches, distrusted: false }),
    asked: () => asked,
  };
}

const REFUSED = () => ({ url: `http://127.0.0.1:${closedPort()}` });

Deno.test("checkSites checks the canaries once if sites fail, else never", async () => {
  await using server = httpServer(() => new Response("ok"));
  const good = { url: server.url };
  for (
    const [sites, times] of [[[good, good], 0], [
      [REFUSED(), REFUSED(), good, good, good],
      1,
    ]] as const
  ) {
    const { canaries, asked } = canariesOf(true);
    await check(sites, { canaries });
    assertEquals(asked(), times);
  }
});

Deno.test("sites that can't be reached are unknown if the canaries can't be either", async () => {
  await using broken = httpServer(() => new Response(null, { status: 503 }));
  const { canaries } = canariesOf(false);
  const results = await check([REFUSED(), { url: broken.url }], { canaries });
  assertEquals(results.map(({ state }) => state), ["unknown", "down"]);
  assert(
    results[0]!.error!.startsWith(
      "the monitor's own network is at fault, its canaries can't be reached either: connection refused",
    ),
    results[0]!.error,
  );
});

Deno.test("an inverted site is unknown, not up, if the canaries can't be reached", async () => {
  const sites = [{ ...REFUSED(), inverted: true }];
  const states = async (...answers: boolean[]) =>
    (await check(sites, canariesOf(...answers))).map(({ state }) => state);
  assertEquals([await states(true), await states(false)], [["up"], ["unknown"]]);
});

Deno.test("checkSites checks the canaries again if half of the sites can't be reached", async () => {
  await using server = httpServer(() => new Response("ok"));
  const sites = [REFUSED(), REFUSED(), { url: server.url }];
  const own = canariesOf(true, false);
  assertEquals((await check(sites, { canaries: own.canaries })).map(({ state }) => state), [
    "unknown",
    "unknown",
    "up",
  ]);
  const theirs = canariesOf(true);
  assertEquals((await check(sites, { canaries: theirs.canaries })).map(({ state }) => state), [
    "down",
    "down",
    "up",
  ]);
  assertEquals([own.asked(), theirs.asked()], [2, 2]);
});

Deno.test("jobs are evaluated without a network, and don't make the canaries look wrong", async () => {
  const job = { check: "heartbeat", every: "1d", variable: "HEARTBEAT_JOB" };
  const { canaries } = canariesOf(false);
  const now = Temporal.Now.instant();
  const values = new Map([["HEARTBEAT_JOB", `ok ${now}`], ["HEARTBEAT_OTHER", `fail ${now}`]]);
  const results = await check([REFUSED(), job, { ...job, variable: "HEARTBEAT_OTHER" }], {
    canaries,
    readVariable: (name) => values.get(name),
  });
  assertEquals(results.map(({ state }) => state), ["unknown", "up", "down"]);
  assertEquals(countFailedRuns(2, true, results), 2);
});

Deno.test("checkSites ignores distrusted canaries", async () => {
  const canaries = new Canaries({
    addresses: ["canary:1"],
    reaches: () => Promise.resolve(false),
    distrusted: true,
  });
  assertEquals((await check([REFUSED()], { canaries })).map(({ state }) => state), ["down"]);
  assertEquals(await canaries.takeFailed(), true);
});

/** Sites, one of which depends on another and on an address, and the number of the address's checks. */
async function dependents(codes: [parent: number, child: number], attempts: boolean[]) {
  await using parent = httpServer(() => new Response(null, { status: codes[0] }));
  await using child = httpServer(() => new Response(null, { status: codes[1] }));
  const asked: string[] = [];
  const verdicts: string[] = [];
  const results = await check([
    { name: "Child", url: child.url, dependsOn: ["Parent", "$HOST:22"] },
    { name: "Other child", url: child.url, dependsOn: ["$HOST:22", "$HOST:$PORT", "$LOST:1"] },
    { name: "Parent", url: parent.url },
  ], {
    secrets: { HOST: "router.lan", PORT: "none" },
    clock: {
      ...systemClock,
      wait: (milliseconds) => new Promise((resolve) => milliseconds < 240_000 && resolve()),
    },
    reaches: (address) => Promise.resolve(attempts[asked.push(address) - 1]!),
    onResult: ({ site }) => verdicts.push(site.name),
  });
  const answers = results.map(({ addresses }) => addresses && Object.fromEntries(addresses));
  return { asked, answers, verdicts };
}

Deno.test("checkSites checks the addresses that failing sites depend on, each once, and again if it fails", async () => {
  const router = { "$HOST:22": false };
  const { asked, answers } = await dependents([200, 503], [false, false]);
  assertEquals([asked, answers], [["router.lan:22", "router.lan:22"], [router, router, undefined]]);
  const second = await dependents([200, 503], [false, true]);
  assertEquals(second.answers[0], { "$HOST:22": true });
});

Deno.test("checkSites checks no address if no site fails", async () => {
  const { asked, answers } = await dependents([200, 200], []);
  assertEquals([asked, answers], [[], [undefined, undefined, undefined]]);
});

Deno.test("checkSites checks no address if another site explains the failure, and reports that one first", async () => {
  const { asked, answers, verdicts } = await dependents([503, 503], [true]);
  assertEquals([asked, answers], [["router.lan:22"], [undefined, { "$HOST:22": true }, undefined]]);
  assert(verdicts.indexOf("Parent") < verdicts.indexOf("Child"));
});

Deno.test("sites that hang until their own time limit, known to be down or not, hold up no other for long", async () => {
  const start = Temporal.Instant.from("2026-11-21T10:00:00Z");
  for (const isDown of [false, true]) {
    const clock = new VirtualClock(start);
    const keys = Array.from({ length: 400 }, (_, index) => ({
      name: `Site ${index}`,
      url: "https://a.example",
    }));
    const { sites, ...config } = await configOf(keys, { runDeadline: 240, concurrency: 4 });
    const probeSite = async (site: (typeof sites)[number]): Promise<Observation> => {
      const hangs = Number(site.slug.slice("site-".length)) < 200;
      await clock.wait(hangs ? 40_000 : 100);
      const details = { code: hangs ? 0 : 200, responseTime: 100 };
      return hangs
        ? { ...details, failure: { kind: "network", reason: "no answer within 40 s" } }
        : details;
    };
    const ends: number[] = [];
    const work = checkSites({ ...config, sites }, {
      ...UNTOUCHED,
      probeSite,
      clock,
      earlier: Promise.resolve({
        canaries: NONE,
        isKnownDown: ({ slug }) => isDown && Number(slug.slice("site-".length)) < 200,
      }),
      onResult: ({ state }) => {
        if (state === "up") ends.push(clock.now().since(start).total("seconds"));
      },
    });
    const results = await clock.until(work);
    assertEquals(results.slice(200).map(({ state }) => state), Array(200).fill("up"));
    assertEquals(results.filter(({ missing }) => missing !== undefined), []);
    assert(Math.max(...ends) < (isDown ? 10 : 100), `the last was up after ${Math.max(...ends)} s`);
  }
});

Deno.test("the start of a failed answer's body is kept only if it may be, redacted and cut", async () => {
  const page = `\u202e<h1>Error</h1>\r\n\tat ${"shop ".repeat(96)}key=s3cret-value ${
    "x".repeat(5_000)
  }`;
  await using server = httpServer(({ url }) =>
    new Response(page, { status: url.endsWith("/well") ? 200 : 500 })
  );
  const secrets = new Secrets({ API_KEY: "s3cret-value" });
  const sites = ["/kept", "/not-kept", "/well"].map((path) => ({ url: server.url + path }));
  const [kept, ...others] = await checkSites(await configOf(sites, { retry: { delays: [] } }), {
    ...UNTOUCHED,
    clock: systemClock,
    secrets,
    keepsBody: ({ url }) => Promise.resolve(!url.endsWith("/not-kept")),
    onResult() {},
  });
  const body = kept!.body!;
  assertEquals(body.slice(0, 24), "<h1>Error</h1>\n\tat shop ");
  assertEquals([...body].length, 500);
  assert(!body.includes("s3c"), body);
  assertEquals(others.map((result) => result.body), [undefined, undefined]);
});
