import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  closeAnnouncement,
  createAnnouncementHandler,
} from "../../../../lib/incidents/maintenance/close_announcement.ts";
import { askAnnounced } from "../../../../lib/incidents/maintenance/windows.ts";
import { systemClock } from "../../../../lib/io/clock.ts";
import { EffectError, findObstacle, type Receipt } from "../../../../lib/outbox/effect.ts";
import { createHandlers } from "../../../../lib/pipeline/execute_effects.ts";
import {
  announceEnded,
  bodyUntil,
  commentOf,
  executeEffect,
  issueState,
  minutesAway,
} from "../../../helpers/announcement_rig.ts";
import {
  FAULTS,
  type GitHubServer,
  githubServer,
  refusalOf,
} from "../../../helpers/github_server.ts";
import { openedGitHub } from "../../../helpers/opened_github.ts";
import { configOf } from "../../../helpers/sites.ts";

const ISSUES = "/repos/acme/status/issues";
const { sites } = await configOf([{ name: "Shop", url: "https://shop.example/" }]);
const SURROUNDINGS = { sites, timezone: "UTC" };

/** The text of an issue that announces two hours of maintenance on a day. */
function bodyFor(day: string): string {
  return `<!--\nstart: ${day} 10:00\nend: ${day} 12:00\nexpectedDown: shop\n-->\nWe move.`;
}

/** Announces maintenance on a day as the owner does, and returns the number of the issue. */
async function announce(server: GitHubServer, day: string): Promise<number> {
  const issue = { title: `On ${day}`, body: bodyFor(day), labels: ["maintenance"] };
  return await server.person("acme").open(issue);
}

/** The days of announcements, by the numbers of the issues, and the notes. */
async function asked(server: GitHubServer) {
  const { windows, notes } = await askAnnounced(openedGitHub(server), SURROUNDINGS);
  return [windows?.map(({ issue, start }) => [issue, String(start).slice(0, 10)]), notes];
}

Deno.test("windows are those of open issues with the label, whether ahead or over, in one request", async () => {
  await using server = await githubServer();
  assertEquals(await asked(server), [[], []]);
  const [past, ahead, closed, other] = [
    await announce(server, "2021-01-01"),
    await announce(server, "2999-01-01"),
    await announce(server, "2026-01-01"),
    await announce(server, "2026-01-02"),
  ];
  const acme = server.person("acme");
  await acme.close(closed);
  await acme.label(other, "shop");
  server.requests.length = 0;
  assertEquals(await asked(server), [[[past, "2021-01-01"], [ahead, "2999-01-01"]], []]);
  assertEquals(server.asked, [`GET ${ISSUES}`]);
  await acme.edit(ahead, bodyFor("2999-01-02"));
  await acme.edit(past, "<!-- start: never -->");
  const [windows, notes] = await asked(server);
  assertEquals(windows, [[ahead, "2999-01-02"]]);
  assertEquals((notes as string[]).length, 2);
  assertMatch((notes as string[])[0]!, /issue #1 is: line 1, start, is "never"; write a time/);
  assertEquals(server.violations, []);
});

Deno.test("announcements by strangers are ignored, even if labeled, and notify nobody", async () => {
  await using server = await githubServer();
  const stranger = server.person("stranger");
  for (const body of [bodyFor("2026-11-21"), "nonsense"]) {
    const number = await stranger.open({ title: "All down", body });
    await server.person("acme").label(number, "maintenance");
  }
  const own = await announce(server, "2026-11-22");
  assertEquals(await asked(server), [[[own, "2026-11-22"]], []]);
});

Deno.test("a hundred and one announcements are a hundred and one windows", async () => {
  await using server = await githubServer();
  for (let count = 0; count < 101; count++) await announce(server, "2026-11-21");
  const [windows] = await asked(server);
  assertEquals(windows?.length, 101);
});

Deno.test("GitHub that refuses, breaks or does not answer leaves windows unknown, and one note", async () => {
  await using server = await githubServer();
  await announce(server, "2026-11-21");
  const cannot = 'Cannot read the issues labeled "maintenance" in acme/status: ';
  const after = ". Maintenance that was known before still applies";
  const cases = [
    [FAULTS.serverError, "GitHub answered 500 (Server Error)"],
    ["hang", "all requests to GitHub together took longer than 0.3 s"],
    [FAULTS.primaryLimit(7_200), "GitHub asks to wait for 60 minutes"],
    [
      refusalOf(410, "Issues are disabled for this repo"),
      "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false",
    ],
    [
      refusalOf(403, "Resource not accessible by integration"),
      `the job's own token may not do that; add "issues: read" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT`,
    ],
  ] as const;
  for (const [fault, why] of cases) {
    server.fault(`GET ${ISSUES}`, fault, { times: 4 });
    const pace = fault === "hang" ? { aside: 300 } : {};
    const found = await askAnnounced(openedGitHub(server, { pace }), SURROUNDINGS);
    assertEquals(found, { notes: [cannot + why + after] });
    server.forgetFaults();
  }
  const { url, repository } = server;
  const expired = openedGitHub({ url, repository, token: "expired" });
  const { windows, notes } = await askAnnounced(expired, SURROUNDINGS);
  assert(windows === undefined && notes.length === 1);
});

Deno.test("an error that is not GitHub's is not hidden", async () => {
  const openIssuesLabeled = () => Promise.reject(new TypeError("a bug"));
  await assertRejects(() => askAnnounced({ openIssuesLabeled }, SURROUNDINGS), TypeError, "a bug");
});

Deno.test("an announcement for another monitored folder is neither a window nor a problem of this one", async () => {
  await using server = await githubServer();
  await announce(server, "2999-01-01");
  const folder = await configOf([{ name: "Blog", url: "https://blog.example/" }]);
  const surroundings = { sites: folder.sites, timezone: "UTC", isPart: true };
  const found = await askAnnounced(openedGitHub(server), surroundings);
  assertEquals([found.windows, found.unclear, found.notes.length], [[], [], 0]);
});

Deno.test("the issue of a finished window gets one comment and is closed, however often the effect runs", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  const closed = { state: "closed" as const, reason: "completed", comments: [commentOf(effect)] };
  const receipts: Receipt[] = [{ issue: 1 }, { issue: 1, isLeft: true }];
  for (const receipt of receipts) {
    assertEquals(await executeEffect(server, effect), receipt);
    assertEquals(await issueState(server), closed);
  }
  assertEquals(server.violations, []);
});

Deno.test("an announcement that is reopened with another end is closed again after that", async () => {
  await using server = await githubServer();
  const first = await announceEnded(server);
  await executeEffect(server, first);
  const acme = server.person("acme");
  await acme.reopen(1);
  await acme.edit(1, bodyUntil(minutesAway(60)));
  assertEquals(await executeEffect(server, first), { issue: 1, isLeft: true });
  assertEquals((await issueState(server)).state, "open");
  const until = minutesAway(-1);
  await acme.edit(1, bodyUntil(until));
  const second = closeAnnouncement({ name: "Router", until, issue: 1 }, "UTC");
  assert(second.id !== first.id && second.queue === first.queue);
  assertEquals(await executeEffect(server, second), { issue: 1 });
  const { state, comments } = await issueState(server);
  assertEquals([state, comments], ["closed", [commentOf(first), commentOf(second)]]);
});

Deno.test("an announcement that somebody closed or unlabeled is left unchanged", async () => {
  const changes = {
    closed: (server: GitHubServer) => server.person("acme").close(1),
    unlabeled: (server: GitHubServer) => server.person("acme").label(1, "shop"),
  };
  for (const [name, change] of Object.entries(changes)) {
    await using server = await githubServer();
    const effect = await announceEnded(server);
    await change(server);
    assertEquals(await executeEffect(server, effect), { issue: 1, isLeft: true }, name);
    const { state, comments } = await issueState(server);
    assertEquals([state, comments], [name === "closed" ? "closed" : "open", []], name);
  }
});

Deno.test("an effect for a deleted or moved announcement is done", async () => {
  for (const fate of ["deleted", "moved"]) {
    await using server = await githubServer();
    const effect = await announceEnded(server);
    const acme = server.person("acme");
    if (fate === "deleted") acme.delete(1);
    else await acme.transfer(1);
    assertEquals(await executeEffect(server, effect), { isGone: true }, fate);
  }
});

Deno.test("somebody else's comment with our marker suppresses no comment of ours", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  await server.person("stranger").comment(1, commentOf(effect).body);
  await executeEffect(server, effect);
  const { state, comments } = await issueState(server);
  assertEquals([state, comments.length, comments[1]], ["closed", 2, commentOf(effect)]);
});

Deno.test("a missing token permission is named, and the planned effect waits for it", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  const account = server.account("github-actions[bot]");
  account.permissions = { contents: "write", issues: "read" };
  const { url, repository } = server;
  const github = openedGitHub({ url, repository, token: account.token });
  const handler = createAnnouncementHandler(github, { clock: systemClock });
  const planned = { ...effect, planned: Temporal.Now.instant() };
  const error = await assertRejects(
    async () => void await handler.execute(planned, []),
    EffectError,
  );
  assertEquals([error.message, error.kind], [
    `Cannot comment on issue #1 in acme/status: the job's own token may not do that; add "issues: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT`,
    "misconfigured",
  ]);
  account.permissions = { issues: "write" };
  assertEquals(await handler.execute(planned, []), { issue: 1 });
  const [comment, ...more] = (await issueState(server)).comments;
  assertEquals([comment?.author, more], ["github-actions[bot]", []]);
});

Deno.test("an announcement effect waits for a token, and one of another version is given up", async () => {
  await using server = await githubServer();
  const effect = await announceEnded(server);
  assertEquals(
    findObstacle(effect, createHandlers({ clock: systemClock })),
    "a token (HOST_PAT or GITHUB_TOKEN) and a repository of GitHub",
  );
  assertEquals(
    findObstacle(effect, createHandlers({ github: openedGitHub(server), clock: systemClock })),
    undefined,
  );
  const error = await assertRejects(
    async () => void await executeEffect(server, { ...effect, data: {} }),
    EffectError,
  );
  assertEquals(error.kind, "permanent");
});
