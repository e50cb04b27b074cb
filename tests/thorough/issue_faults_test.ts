import { assert, assertEquals } from "@std/assert";
import { FAULTS, type GitHubServer, githubServer } from "../helpers/github_server.ts";
import { IncidentLife } from "../helpers/incident_life.ts";

/** Time limit of a request in milliseconds: short only if one is never answered, for busy machines. */
const LIMIT = { usual: 60_000, hanging: 1_500 };

const ALL = {
  "500": FAULTS.serverError,
  "502": FAULTS.badGateway,
  "429 with Retry-After": FAULTS.tooMany(1),
  "a secondary limit": FAULTS.secondaryLimit(1),
  "a reset": "reset",
  "a hang": "hang",
} as const;

type Name = keyof typeof ALL;

const NAMES = Object.keys(ALL) as Name[];

/** GitHub's answers that execute nothing. */
const REFUSALS: readonly Name[] = ["429 with Retry-After", "a secondary limit"];

/** The turn of an incident in which requests fail. */
const TURNS = ["open", "worse", "close", "reopen"] as const;

type Turn = typeof TURNS[number];

const STATES = {
  open: { before: ["up"], state: "degraded" },
  worse: { before: ["up", "degraded"], state: "down" },
  close: { before: ["up", "down"], state: "up" },
  reopen: { before: ["up", "down", "up"], state: "down" },
} as const;

/** Requests that each turn makes without any fault, those that start workflows apart. */
async function requestsOf(turn: Turn): Promise<string[]> {
  await using github = await githubServer();
  const { before, state } = STATES[turn];
  const life = await IncidentLife.begin(github);
  for (const one of before) await life.run(5, one);
  const { length } = github.asked;
  await life.run(5, state);
  return github.asked.slice(length).filter((one) => !one.endsWith("/dispatches"));
}

/** Asserts that the issue has every change of a turn once. */
async function assertIssueComplete(github: GitHubServer, turn: Turn, what: string) {
  const [issue, ...others] = await github.issues();
  assertEquals(others.filter(({ state }) => state === "open"), [], what);
  assertEquals(others, [], what);
  const { state, isLocked, labels, comments } = issue!;
  const expected = { open: 0, worse: 1, close: 1, reopen: 2 }[turn];
  assertEquals(comments.length, expected, what);
  assertEquals([state, isLocked], [turn === "close" ? "closed" : "open", true], what);
  assertEquals([...labels].sort(), ["shop", "status"], what);
}

/** Lives through a turn in which the nth request fails so many times, and the run after it. */
async function live(
  turn: Turn,
  nth: number,
  name: Name,
  options: { isDone: boolean; times: number },
) {
  await using github = await githubServer();
  const { before, state } = STATES[turn];
  const life = await IncidentLife.begin(github);
  for (const one of before) await life.run(5, one);
  let seen = 0;
  let hit: string | undefined;
  github.fault(
    ({ method, path }) => {
      if (path.endsWith("/dispatches")) return false;
      const request = `${method} ${path}`;
      if (++seen === nth) hit = request;
      return request === hit;
    },
    ALL[name],
    options,
  );
  const { isDone, times } = options;
  const what = `${turn}: request ${nth}, ${name}, ${times} times${
    isDone ? ", done all the same" : ""
  }`;
  await life.run(5, state, { pace: { request: LIMIT[name === "a hang" ? "hanging" : "usual"] } });
  const lost = await life.waiting();
  assert(lost.every(({ failure, claim }) => failure !== undefined && claim === undefined), what);
  if (times === 1) assertEquals(lost, [], what);
  hit = undefined;
  seen = Infinity;
  await life.run(5, state, { pace: { request: LIMIT.usual } });
  assertEquals(await life.waiting(), [], what);
  await assertIssueComplete(github, turn, what);
  assertEquals(github.violations, [], what);
}

for (const turn of TURNS) {
  Deno.test(`whatever request fails in whatever way, an issue has every change once in the end: ${turn}`, async () => {
    const requests = await requestsOf(turn);
    for (const [index] of requests.entries()) {
      for (const [number, name] of NAMES.entries()) {
        for (const often of [1, 50]) {
          for (const isDone of [false, true]) {
            // Each request meets some of the faults, and the next request others.
            if (isDone && REFUSALS.includes(name)) continue;
            const share = index + number + often + Number(isDone) * 3;
            if (share % 6 !== 0) continue;
            await live(turn, index + 1, name, { isDone, times: often });
          }
        }
      }
    }
  });
}

Deno.test("fifty sites that go down at once get an issue each, and GitHub makes their labels with them", async () => {
  await using github = await githubServer();
  const sites = Array.from({ length: 50 }, (_, index) => (
    { name: `Site ${index}`, url: "https://shop.example/", tags: ["eu"] }
  ));
  const life = await IncidentLife.begin(github, { sites });
  const all = (state: "up" | "down") =>
    Object.fromEntries(life.config.sites.map(({ slug }) => [slug, state]));
  await life.run(5, all("up"));
  await life.run(5, all("down"));
  assertEquals(await life.waiting(), []);
  const made = github.requests.filter(({ method, path }) =>
    method === "POST" && path.endsWith("/labels")
  );
  assertEquals(made.length, 0);
  const titles = (await github.issues()).map(({ title }) => title).sort();
  assertEquals(titles, sites.map(({ name }) => `🛑 ${name} is down`).sort());
  await life.run(5, all("up"));
  assertEquals(await life.waiting(), []);
  assertEquals(new Set((await github.issues()).map(({ state }) => state)), new Set(["closed"]));
  assertEquals([github.violations, github.dispatched.length], [[], 3]);
});
