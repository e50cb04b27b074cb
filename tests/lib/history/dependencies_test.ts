import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readHistories } from "../../../lib/history/read_histories.ts";
import { computeReport } from "../../../lib/statistics/report/report_of.ts";
import { DependentLife, type LivedRun, type Results } from "../../helpers/dependent_life.ts";
import type { Keys } from "../../helpers/sites.ts";

const ROUTER = { name: "Router", slug: "router" };
const SHOP = { name: "Shop", slug: "shop", dependsOn: "Router" };
const BLOG = { name: "Blog", slug: "blog", dependsOn: "Shop" };

/** Messages of each run, without reminders, and the changes of issues if they match. */
function messagesIn(runs: readonly LivedRun[]): string[] {
  return runs.map(({ messages }) =>
    messages.filter((message) => !message.includes("still")).join(", ")
  );
}

function issuesIn(runs: readonly LivedRun[]): string[] {
  return runs.map(({ issues }) => issues.join(", "));
}

/** What happened in each run, with a bar between two. */
function inOneLine(runs: readonly string[]): string {
  return runs.join(" | ").replaceAll(/ +/g, " ").trim();
}

async function play(
  sites: readonly Keys[],
  results: Results,
  answers?: Results,
): Promise<{ life: DependentLife; runs: LivedRun[]; messages: string[]; issues: string[] }> {
  const life = await DependentLife.begin(sites);
  const runs = await life.play(results, answers);
  return { life, runs, messages: messagesIn(runs), issues: issuesIn(runs) };
}

/** The stored incidents of a site: minutes from the first run to start and end, and the cause. */
function keptOf(life: DependentLife, slug: string) {
  const first = Temporal.Instant.from("2026-11-21T10:05:00Z");
  const minutes = (time?: Temporal.Instant) => time?.since(first).total("minutes");
  return [...life.incidents().values()].filter((one) => one.slug === slug)
    .map(({ start, end, cause, notified, affects, reopened }) => ({
      times: [minutes(start), minutes(end)],
      ...cause === undefined ? {} : { cause },
      ...notified === undefined ? {} : { notified },
      ...affects.length === 0 ? {} : { affects },
      ...reopened.length === 0 ? {} : { reopened: reopened.map(minutes) },
    }));
}

/** A story of some sites: their results, and the messages and changes of issues, run | run | run. */
interface Story {
  sites?: readonly Keys[];
  results: Results;
  answers?: Results;
  messages: string;
  issues: string;
  /** The stored incidents of the shop. */
  kept: unknown[];
}

const STORIES: Readonly<Record<string, Story>> = {
  "what it depends on recovers first": {
    results: { router: "uddduuu", shop: "udddddu" },
    messages: "| router down with Shop | | | router up, shop down after Router | | shop up",
    issues: "| open router | | | close router, open shop | | close shop",
    kept: [{ times: [5, 30] }],
  },
  "both recover in the same run": {
    results: { router: "uddu", shop: "uddu" },
    messages: "| router down with Shop | | router up",
    issues: "| open router | | close router",
    kept: [{ times: [5, 15], cause: "2026-11-21-router" }],
  },
  "it recovers first": {
    results: { router: "udddu", shop: "udduu" },
    messages: "| router down with Shop | | | router up",
    issues: "| open router | | | close router",
    kept: [{ times: [5, 15], cause: "2026-11-21-router" }],
  },
  "it fails later": {
    results: { router: "udddu", shop: "uuddu" },
    messages: "| router down | | | router up",
    issues: "| open router | affects router | | close router",
    kept: [{ times: [10, 20], cause: "2026-11-21-router" }],
  },
  "it failed before, and continues alone": {
    results: { router: "uuddu", shop: "udddd" },
    messages: "| shop down | router down | | router up",
    issues: "| open shop | open router | | close router",
    kept: [{ times: [5, undefined] }],
  },
  "it only gets slow": {
    results: { router: "uddu", shop: "ueee" },
    messages: "| router down with Shop | | router up, shop degraded after Router",
    issues: "| open router | | close router, open shop",
    kept: [{ times: [5, undefined] }],
  },
  "it gets worse after it was notified, and is held until the other is up": {
    results: { router: "uuddu", shop: "ueedd" },
    messages: "| shop degraded | router down | | router up, shop down after Router",
    issues: "| open shop | open router | affects router | close router, update shop",
    kept: [{ times: [5, undefined] }],
  },
  "it gets worse after it was notified, and recovers first": {
    results: { router: "uudddu", shop: "ueeduu" },
    messages: "| shop degraded | router down | | shop up | router up",
    issues: "| open shop | open router | affects router | close shop | close router",
    kept: [{ times: [5, 20], cause: "2026-11-21-router", notified: "degraded" }],
  },
  "it gets worse after it was notified, and is as it was when the other is up": {
    results: { router: "uuddduu", shop: "ueedeeu" },
    messages: "| shop degraded | router down | | | router up | shop up",
    issues: "| open shop | open router | affects router | | close router | close shop",
    kept: [{ times: [5, 30] }],
  },
  "what it depends on has no result": {
    results: { router: "ud??du", shop: "uddddd" },
    messages: "| router down with Shop | | | | router up, shop down after Router",
    issues: "| open router | | | | close router, open shop",
    kept: [{ times: [5, undefined] }],
  },
  "nothing is learnt of it when the other is up": {
    results: { router: "udduuu", shop: "udd?dd" },
    messages: "| router down with Shop | | router up | shop down after Router |",
    issues: "| open router | | close router | open shop |",
    kept: [{ times: [5, undefined] }],
  },
  "what it depends on is not confirmed as down yet": {
    sites: [{ ...ROUTER, failureThreshold: 3 }, SHOP],
    results: { router: "uddddu", shop: "uddddd" },
    messages: "| | | router down with Shop | | router up, shop down after Router",
    issues: "| | | open router | | close router, open shop",
    kept: [{ times: [5, undefined] }],
  },
  "what it depends on failed once and is up again": {
    sites: [{ ...ROUTER, failureThreshold: 3 }, SHOP],
    results: { router: "uduuu", shop: "udddu" },
    messages: "| | shop down | | shop up",
    issues: "| | open shop | | close shop",
    kept: [{ times: [5, 20] }],
  },
  "both are judged after several runs": {
    sites: [ROUTER, { ...SHOP, failureThreshold: 2 }],
    results: { router: "uddduu", shop: "uddddd" },
    messages: "| router down | | | router up, shop down after Router |",
    issues: "| open router | affects router | | close router, open shop |",
    kept: [{ times: [5, undefined] }],
  },
  "what it depends on fails in maintenance": {
    results: { router: "uDDdu", shop: "udddd" },
    messages: "| | | router down with Shop | router up, shop down after Router",
    issues: "| | | open router | close router, open shop",
    kept: [{ times: [14, undefined] }],
  },
  "what it depends on is up in maintenance": {
    results: { router: "uUUu", shop: "uddu" },
    messages: "| shop down | | shop up",
    issues: "| open shop | | close shop",
    kept: [{ times: [5, 15] }],
  },
  "maintenance ends and it continues alone": {
    results: { router: "uDDu", shop: "uddd" },
    messages: "| | | shop down",
    issues: "| | | open shop",
    kept: [{ times: [14, undefined] }],
  },
  "a chain: the root counts": {
    sites: [BLOG, SHOP, ROUTER],
    results: { router: "uddduu", shop: "uddddu", blog: "uddddu" },
    messages: "| router down with Blog and Shop | | | " +
      "router up, shop down with Blog after Router | shop up",
    issues: "| open router | | | open shop, close router | close shop",
    kept: [{ times: [5, 25], affects: ["blog"] }],
  },
  "a chain whose middle recovers": {
    sites: [ROUTER, SHOP, BLOG],
    results: { router: "uddddu", shop: "uddduu", blog: "uddddd" },
    messages: "| router down with Shop and Blog | | | blog down after Router ? | router up",
    issues: "| open router | | | open blog | close router",
    kept: [{ times: [5, 20], cause: "2026-11-21-router" }],
  },
  "one of several": {
    sites: [{ name: "A" }, { name: "B" }, { ...SHOP, dependsOn: ["A", "b"] }],
    results: { a: "uuuddu", b: "uddduu", shop: "uddddd" },
    messages: "| b down with Shop | | a down | b up | a up, shop down after A",
    issues: "| open b | | open a | affects a, close b | close a, open shop",
    kept: [{ times: [5, undefined] }],
  },
  "an address": {
    sites: [{ ...SHOP, dependsOn: "router.lan:22" }],
    results: { shop: "udddddu" },
    answers: { "router.lan:22": "?ddd?u?" },
    messages: "| | | | | shop down after router.lan:22 | shop up",
    issues: "| | | | | open shop | close shop",
    kept: [{ times: [5, 30] }],
  },
  "an address that takes connections explains nothing": {
    sites: [{ ...SHOP, dependsOn: "router.lan:22" }],
    results: { shop: "uddu" },
    answers: { "router.lan:22": "?uu?" },
    messages: "| shop down | | shop up",
    issues: "| open shop | | close shop",
    kept: [{ times: [5, 15] }],
  },
  "an address without a result explains nothing": {
    sites: [{ ...SHOP, dependsOn: "router.lan:$PORT" }],
    results: { shop: "uddu" },
    messages: "| shop down | | shop up",
    issues: "| open shop | | close shop",
    kept: [{ times: [5, 15] }],
  },
  "nothing is learnt of it when the other is up, and that may be down again": {
    sites: [{ ...ROUTER, failureThreshold: 2 }, SHOP],
    results: { router: "uddudduu", shop: "udd?dddd" },
    messages: "| | router down with Shop | router up | " +
      "| router down with Shop | router up, shop down after Router |",
    issues: "| | open router | close router | | reopen router | close router, open shop |",
    kept: [{ times: [5, undefined] }],
  },
  "its own maintenance ends while the other is not sure to be down": {
    sites: [{ ...ROUTER, failureThreshold: 2 }, { ...SHOP, failureThreshold: 3 }],
    results: { router: "uuuddu", shop: "uDDddd" },
    messages: "| | | | router down with Shop | router up, shop down after Router",
    issues: "| | | | open router | close router, open shop",
    kept: [{ times: [14, undefined] }],
  },
  "it fails again while what it depends on is down": {
    results: { router: "uuudduu", shop: "uduuddd" },
    messages: "| shop down | shop up | router down | | router up, shop down after Router |",
    issues: "| open shop | close shop | open router | affects router | close router, reopen shop |",
    kept: [{ times: [5, undefined], reopened: [20] }],
  },
  "it fails again alone after it was held": {
    results: { router: "udduuu", shop: "udduud" },
    messages: "| router down with Shop | | router up | | shop down",
    issues: "| open router | | close router | | reopen shop",
    kept: [{ times: [5, undefined], reopened: [25] }],
  },
};

for (const [name, story] of Object.entries(STORIES)) {
  Deno.test(`a site that depends on another: ${name}`, async () => {
    const { sites = [ROUTER, SHOP], results, answers } = story;
    const { life, messages, issues } = await play(sites, results, answers);
    assertEquals(inOneLine(messages), story.messages);
    assertEquals(inOneLine(issues), story.issues);
    assertEquals(keptOf(life, "shop"), story.kept);
  });
}

Deno.test("rows, results and incidents name the root cause, whose incident lists the affected ones", async () => {
  const { life, runs } = await play([BLOG, SHOP, ROUTER], {
    router: "uddu",
    shop: "uddd",
    blog: "uudd",
  });
  const reason = "connection refused (203.0.113.7:443)";
  assertEquals(runs.map(({ errors }) => [errors["shop"], errors["blog"]]), [
    [undefined, undefined],
    [`${reason}; it depends on Router, which is down`, undefined],
    Array(2).fill(`${reason}; it depends on Router, which is down`),
    [reason, `${reason}; it depends on Shop, which is down`],
  ]);
  const log = life.store.files.get("history/checks/2026-11-21.csv")!;
  assertStringIncludes(log, `,shop,down,0,,1,,,"${reason}; it depends on Router, which is down`);
  const [router] = keptOf(life, "router");
  assertEquals(router, { times: [5, 15], affects: ["shop", "blog"] });
  assertEquals([...life.incidents().values()].map(({ error }) => error), Array(3).fill(reason));
});

Deno.test("a suppressed site gets no reminders until its root cause is over", async () => {
  const { runs } = await play([ROUTER, SHOP], { router: "udddduuu", shop: "uddddddd" });
  assertEquals(runs.flatMap(({ messages }) => messages.filter((one) => one.includes("still"))), [
    "router still down",
    "shop still down",
  ]);
});

/** Changes of the configuration or of the run state while the router is down. */
const RELEASES: Readonly<
  Record<string, { sites: readonly Keys[]; results?: Record<string, string>; messages: string }>
> = {
  "what it depends on is no longer monitored": {
    sites: [{ name: "Shop", slug: "shop" }],
    messages: "router gone, shop down after router ?",
  },
  "what it depends on is paused": {
    sites: [{ ...ROUTER, paused: true }, SHOP],
    messages: "shop down after Router ?",
  },
  "it depends on it no longer": {
    sites: [ROUTER, { name: "Shop", slug: "shop" }],
    messages: "shop down after Router ?",
  },
  "what it depends on is renamed": {
    sites: [{ name: "Gateway" }, { ...SHOP, dependsOn: "Gateway" }],
    results: { gateway: "d" },
    messages: "router gone, gateway down with Shop",
  },
  "it is renamed itself": {
    sites: [ROUTER, { ...SHOP, name: "Store", slug: "store" }],
    results: { store: "d" },
    messages: "",
  },
};

for (const [name, { sites, results, messages }] of Object.entries(RELEASES)) {
  Deno.test(`a failure that is suppressed by another site: ${name}`, async () => {
    const life = await DependentLife.begin([ROUTER, SHOP]);
    await life.play({ router: "udd", shop: "udd" });
    await life.configure(sites);
    const run = await life.run({ router: "d", shop: "d", ...results });
    assertEquals(messagesIn([run]), [messages]);
    const next = await life.run({ router: "d", shop: "d", ...results });
    assertEquals([messagesIn([next]), next.issues], [[""], []]);
  });
}

Deno.test("a suppressed failure stays suppressed after the run state is lost", async () => {
  const life = await DependentLife.begin([ROUTER, SHOP]);
  await life.play({ router: "udd", shop: "udd" });
  life.forget();
  const held = await life.run({ router: "d", shop: "d" });
  const released = await life.run({ router: "u", shop: "d" });
  life.forget();
  const over = await life.run({ router: "u", shop: "u" });
  const runs = [held, released, over];
  assertEquals(messagesIn(runs), [
    "router down with Shop",
    "router up, shop down after Router",
    "shop up",
  ]);
  assertEquals(issuesIn(runs), ["open router", "close router, open shop", "close shop"]);
});

Deno.test("an outage that was never notified ends without a notification, even if the run state was lost", async () => {
  const life = await DependentLife.begin([ROUTER, SHOP]);
  await life.play({ router: "udd", shop: "udd" });
  life.forget();
  const run = await life.run({ router: "d", shop: "u" });
  assertEquals([messagesIn([run]), issuesIn([run])], [["router down"], ["open router"]]);
});

Deno.test("a run that decides again after another's push takes the other's outage as the root cause", async () => {
  const life = await DependentLife.begin([ROUTER, SHOP]);
  await life.run({ router: "u", shop: "u" });
  const run = await life.run({ router: "?", shop: "d" }, {}, async () => {
    life.now = life.now.subtract({ minutes: 7 });
    assertEquals(messagesIn([await life.run({ router: "d", shop: "u" })]), ["router down"]);
  });
  assertEquals([messagesIn([run]), issuesIn([run])], [[""], ["affects router"]]);
  assertEquals(keptOf(life, "shop"), [{ times: [5, undefined], cause: "2026-11-21-router" }]);
});

Deno.test("the issue of an unsuppressed failure names its start and its former root cause", async () => {
  const { runs } = await play([ROUTER, SHOP, { ...BLOG, name: "<b>", dependsOn: "Router" }], {
    router: "uddu",
    shop: "uddd",
    blog: "uudu",
  });
  const [, opened, later, released] = runs.map(({ texts }) => texts);
  assertStringIncludes(
    opened!.get("router")!,
    "\n\n**Also failing**, because it depends on this: Shop.\n",
  );
  assertEquals(later!.get("router"), "**Also failing**, because it depends on this: \\<b\\>.\n");
  assertMatch(
    released!.get("shop")!,
    /^Shop has been \*\*down\*\* since 2026-11-21 10:10 UTC: connection/,
  );
  assertStringIncludes(
    released!.get("shop")!,
    "Notifications were suppressed until now: the cause was Router, which is up again.",
  );
  assertStringIncludes(
    released!.get("shop")!,
    "| First failing attempt | 2026-11-21 10:10:00 UTC |",
  );
});

Deno.test("statistics count a suppressed failure like any other outage", async () => {
  const { life } = await play([ROUTER, SHOP], { router: "uddduuu", shop: "udddduu" });
  const report = computeReport(
    life.config,
    await readHistories(await life.store.read(), life.config.sites),
    life.now,
  );
  const figures = report.sites.map((
    { statistics: { day } },
  ) => [day.down, day.outages, day.uptime]);
  assertEquals(figures, [[900, 1, 1 - 900 / 1801], [1200, 1, 1 - 1200 / 1801]]);
});
