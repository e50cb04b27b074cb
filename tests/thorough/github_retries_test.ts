import { assert, assertEquals, assertRejects } from "@std/assert";
import { USUAL_PACE } from "../../lib/github/limits.ts";
import { GitHubError } from "../../lib/github/github.ts";
import { eventually } from "../helpers/eventually.ts";
import { openedGitHub } from "../helpers/opened_github.ts";
import { FAULTS, githubServer } from "../helpers/github_server.ts";
import { StillClock } from "../helpers/still_clock.ts";

const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

const ISSUE = { title: "Shop is down", body: "", labels: [], assignees: [] };
const ISSUES = "/repos/acme/status/issues";

/** How an error is to be treated, with its message. */
async function refused(work: Promise<unknown>) {
  const { message, kind, mayHaveSucceeded, retryAfter } = await assertRejects(
    () => work,
    GitHubError,
  );
  return { message, kind, mayHaveSucceeded, retryAfter };
}

Deno.test("idempotent requests are retried up to three times if GitHub fails", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const number = await server.person("acme").open({ title: "One" });
  for (
    const fault of [FAULTS.serverError, FAULTS.badGateway, FAULTS.unavailable, "reset"] as const
  ) {
    server.requests.length = 0;
    server.fault("PATCH *", fault, { times: 3 });
    await github.changeIssue(number, { isOpen: false });
    assertEquals(server.requests.length, 4);
    server.fault("PATCH *", fault, { times: 4 });
    const { kind, mayHaveSucceeded } = await refused(github.changeIssue(number, { isOpen: false }));
    assertEquals([kind, mayHaveSucceeded], ["transient", true]);
    assertEquals(server.requests.length, 8);
  }
});

Deno.test("requests that create an issue or comment are sent once, and may succeed even if the answer is lost", async () => {
  await using server = await githubServer();
  const number = await server.person("acme").open({ title: "One" });
  let made = 1;
  for (const isDone of [false, true]) {
    for (const fault of [FAULTS.serverError, FAULTS.badGateway, "reset", "hang"] as const) {
      server.requests.length = 0;
      server.fault("POST *", fault, { isDone, times: 2 });
      const request = fault === "hang" ? 2_000 : 60_000;
      const github = openedGitHub(server, { pace: { request } });
      for (const work of [() => github.createIssue(ISSUE), () => github.comment(number, "x")]) {
        const { kind, mayHaveSucceeded } = await refused(work());
        assertEquals([kind, mayHaveSucceeded], ["transient", true]);
      }
      assertEquals(server.asked, [`POST ${ISSUES}`, `POST ${ISSUES}/${number}/comments`]);
      if (isDone) made++;
      // GitHub may still be at work when nobody waits for its answer any more.
      const count = async () => [
        (await server.issues()).length,
        (await server.issue(number)).comments.length,
      ];
      await eventually(async () => assertEquals(await count(), [made, made - 1]));
    }
  }
  assertEquals(server.violations, []);
});

Deno.test("a rate limit is waited for as long as GitHub asks, also before an issue is opened", async () => {
  const limits = [FAULTS.tooMany(30), FAULTS.secondaryLimit(30), FAULTS.primaryLimit(50)];
  await using server = await githubServer();
  for (const [index, limit] of limits.entries()) {
    server.requests.length = 0;
    const github = openedGitHub(server, { pace: { second: 2 } });
    const times: number[] = [];
    server.onRequest = (_, stage) => void (stage === "came" && times.push(performance.now()));
    server.fault("POST *", limit, { times: 2 });
    await github.createIssue(ISSUE);
    assertEquals(server.requests.length, 3);
    for (const [before, time] of times.slice(1).entries()) {
      assert(time - times[before]! >= 18 * 2, `asked again after ${time - times[before]!} ms`);
    }
    server.fault("POST *", limit, { times: 3 });
    const { kind, mayHaveSucceeded, retryAfter } = await refused(github.createIssue(ISSUE));
    assertEquals([kind, mayHaveSucceeded], ["transient", false]);
    assert(retryAfter! >= 18_000 && retryAfter! <= 50_000, `${retryAfter}`);
    assertEquals([server.requests.length, (await server.issues()).length], [6, index + 1]);
  }
});

Deno.test("a wait of more than a minute is left to a later run", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const cases = [
    [FAULTS.tooMany(61), "61 s", 61],
    [FAULTS.secondaryLimit(600), "10 minutes", 600],
  ] as const;
  for (const [limit, words, seconds] of cases) {
    server.requests.length = 0;
    server.fault("GET *", limit);
    assertEquals(await refused(github.repositoryComments(ALWAYS)), {
      message: `Cannot read the comments in acme/status: GitHub asks to wait for ${words}`,
      kind: "transient",
      mayHaveSucceeded: false,
      retryAfter: seconds * 1000,
    });
    assertEquals(server.requests.length, 1);
  }
});

Deno.test("each request to a hanging GitHub times out, and all of them within the budget", async () => {
  await using server = await githubServer();
  server.fault("GET *", "hang");
  const patient = openedGitHub(server, { pace: { request: 4_000 } });
  assertEquals(await patient.repositoryComments(ALWAYS), []);
  assertEquals(server.requests.length, 2);
  server.fault(() => true, "hang", { times: 99 });
  const hurried = openedGitHub(server, { pace: { request: 60, budget: 100 } });
  const { kind, message } = await refused(hurried.repositoryComments(ALWAYS));
  assertEquals([kind, message], [
    "transient",
    "Cannot read the comments in acme/status: all requests to GitHub together took longer than 0.1 s",
  ]);
  const asked = server.requests.length;
  assertEquals((await refused(hurried.createIssue(ISSUE))).mayHaveSucceeded, false);
  assertEquals((await refused(hurried.comment(1, "Late"))).kind, "transient");
  assertEquals(server.requests.length, asked);
});

Deno.test("the budget counts only the time spent in requests", async () => {
  await using server = await githubServer();
  let elapsed = 0;
  const clock = {
    now: () => Temporal.Now.instant(),
    elapsed: () => elapsed,
    wait: () => Promise.resolve(),
  };
  const github = openedGitHub(server, { clock, pace: { budget: 5_000 } });
  server.onRequest = () => void (elapsed += 1_000);
  await github.repositoryComments(ALWAYS);
  elapsed += 1_000_000;
  await github.repositoryComments(ALWAYS);
  assertEquals(
    (await refused(github.repositoryComments(ALWAYS).then(() => github.repositoryComments(ALWAYS))))
      .kind,
    "transient",
  );
});

Deno.test("ten writes are sent at once, every further one and every retry waits its turn, and reads don't", async () => {
  await using server = await githubServer();
  const clock = new StillClock();
  const github = openedGitHub(server, { clock, pace: { ...USUAL_PACE, second: 1 } });
  server.fault("POST *", FAULTS.tooMany(0));
  const comment = (text: string) => github.comment(1, text);
  await github.createIssue(ISSUE);
  await Promise.all(Array.from({ length: 8 }, (_, index) => comment(`No. ${index}`)));
  assertEquals([server.requests.length, clock.waits], [10, []]);
  await Promise.all([comment("Eleven"), github.repositoryComments(ALWAYS), comment("Twelve")]);
  assertEquals(clock.waits, [1_000, 1_000]);
  clock.pass(60_000);
  clock.waits.length = 0;
  await Promise.all(Array.from({ length: 12 }, (_, index) => comment(`No. ${index}`)));
  assertEquals(clock.waits, [1_000, 1_000]);
});
