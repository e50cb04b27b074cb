import { assertEquals } from "@std/assert";
import { DayClock } from "../helpers/day_clock.ts";
import {
  ACK_FOR,
  drawDay,
  isFailingAt,
  isQuietAt,
  type Plan,
  PLANS,
  reactionTimeOf,
  REOPEN_WITHIN,
  RUNS,
  type SiteDay,
  SITES,
  timeOf,
} from "../helpers/day_on_call.ts";
import { expectedOf } from "../helpers/day_on_call_model.ts";
import { type GitHubServer, githubServer } from "../helpers/github_server.ts";
import { httpServer } from "../helpers/servers.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { runTask } from "../helpers/program.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { type VendorServer, vendorServer } from "../helpers/vendors/vendor_server.ts";

const SEED = 20_261_121;

interface Receiver extends Plan {
  hook: VendorServer;
  /** Events as `run site event`, and the messages of each run. */
  received: string[];
  counts: number[];
  ids: string[];
}

/** Takes the messages that a channel has answered since the last run. */
function take({ hook, received, counts, ids, ...plan }: Receiver, run: number): void {
  const seen = hook.seen.splice(0);
  if (isFailingAt(plan, run)) return;
  counts[run] = seen.length;
  for (const { json, headers } of seen) {
    ids.push(headers["x-monitor-delivery"]!);
    for (const { type, news, reminder, site, text } of json.events) {
      const event = news ?? (reminder ? "reminder" : type === "up" ? "end" : type);
      received.push(`${run} ${site.name} ${event}${type === "notice" && !news ? text : ""}`);
    }
  }
}

/** Lets people acknowledge after a run. */
async function react(days: readonly SiteDay[], run: number, github: GitHubServer): Promise<void> {
  for (const { site, acknowledgings } of days) {
    for (const { by, comment } of acknowledgings.filter((one) => one.run === run)) {
      const issue = (await github.issues()).findLast(({ title, state }) =>
        state === "open" && title.includes(`${site.name} `)
      )!;
      if (comment === undefined) await github.person(by).look(issue.number);
      else await github.person(by).comment(issue.number, comment);
    }
  }
}

/** Removes as many of each item as another list has. */
function subtract(items: readonly string[], others: readonly string[]): string[] {
  const left = [...items];
  for (const other of others) {
    const index = left.indexOf(other);
    if (index >= 0) left.splice(index, 1);
  }
  return left;
}

/** Compares what a channel has received with what it must have. */
function judge({ received, counts, ids, ...plan }: Receiver, days: readonly SiteDay[]) {
  const expected = days.flatMap((day) => expectedOf(plan, day));
  const runs = Array.from({ length: RUNS - 1 }, (_, index) => index + 1);
  return {
    name: plan.name,
    missing: subtract(expected, received),
    surplus: subtract(received, expected),
    twice: ids.length - new Set(ids).size,
    inQuietHours: runs.filter((run) =>
      isQuietAt(plan, run) && plan.exceptsCritical !== true && counts[run]! > 0
    ),
    scatteredDigests: runs.filter((run) =>
      isQuietAt(plan, run - 1) && !isQuietAt(plan, run) && counts[run]! > 1
    ),
  };
}

function toFaultless({ name }: Receiver): ReturnType<typeof judge> {
  return { name, missing: [], surplus: [], twice: 0, inQuietHours: [], scatteredDigests: [] };
}

Deno.test("on a day with 40 incidents every channel is notified of exactly what it should be", async () => {
  await using stack = new AsyncDisposableStack();
  const clock = stack.use(new DayClock(timeOf(0)));
  const days = drawDay(seededRandom(SEED));
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  let run = 0;
  const server = stack.use(httpServer((request) => {
    const name = new URL(request.url).pathname.slice(1);
    const condition = days.find(({ site }) => site.name === name)!.conditions[run];
    return new Response(condition, { status: condition === "down" ? 503 : 200 });
  }));
  const receivers: Receiver[] = [];
  for (const plan of PLANS) {
    const hook = stack.use(await vendorServer({ status: 200 }));
    receivers.push({ ...plan, hook, received: [], counts: [], ids: [] });
  }
  const config = {
    retry: { delays: [0.05] },
    recheckDelay: 0.05,
    canaries: [],
    flapThreshold: 1,
    degradedRuns: [1, 1],
    reopenWithin: REOPEN_WITHIN,
    ackFor: `${ACK_FOR}m`,
    lockIssues: false,
    sites: SITES.map((site) => ({
      ...site,
      url: `${server.url}/${site.name}`,
      assert: [{ that: 'body not contains "degraded"', severity: "degraded" }],
    })),
    notifications: receivers.map(({ hook, keys }) => ({
      type: "webhook",
      url: hook.url,
      on: ["down", "degraded", "up"],
      ...keys,
      ...keys.after === undefined ? {} : { after: `${keys.after / 60_000}m` },
      ...keys.reminders === undefined
        ? {}
        : { reminders: keys.reminders.map((one) => `${one / 60_000}m`) },
    })),
  };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  for (; run < RUNS; run++) {
    clock.time = timeOf(run);
    for (const { hook, ...plan } of receivers) {
      const failure = plan.name === "backend" ? "reset" as const : { status: 503 };
      hook.answers.splice(0);
      if (isFailingAt(plan, run)) hook.answers.push(...Array(500).fill(failure));
    }
    const { code, stderr } = await runTask("update", {
      folder: scratch.path,
      env: github.env,
      clock,
    });
    const isFailing = receivers.some((plan) => isFailingAt(plan, run));
    if (!isFailing) assertEquals([code, stderr], [0, ""], `run ${run}`);
    for (const receiver of receivers) take(receiver, run);
    clock.time = reactionTimeOf(run);
    await react(days, run, github);
  }
  assertEquals(github.violations, []);
  assertEquals(
    receivers.map((receiver) => judge(receiver, days)),
    receivers.map(toFaultless),
    `seed ${SEED}`,
  );
});
