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
import type { Account } from "../../../helpers/github/accounts.ts";
import { LANGUAGE } from "../../../helpers/languages.ts";
import { openedGitHub } from "../../../helpers/opened_github.ts";
import { configOf } from "../../../helpers/sites.ts";

const ISSUES = "/repos/acme/status/issues";
const { sites } = await configOf([{ name: "Shop", url: "https://shop.example/" }]);
const SURROUNDINGS = { sites, timezone: "UTC", day: "2026-11-20" };

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

const PERMISSION = "GET /repos/acme/status/collaborators/*/permission";

/** Announces maintenance as a person in some relation to the repository, whose access may be changed. */
async function announceAs(
  server: GitHubServer,
  association: "MEMBER" | "COLLABORATOR",
): Promise<Account> {
  const account = server.account("stranger");
  account.association = association;
  const number = await server.person("stranger").open({ title: "Move", body: bodyFor(DAY) });
  await server.person("acme").label(number, "maintenance");
  return account;
}

const DAY = "2026-11-21";

Deno.test("announcements count if their authors have write access, whatever they are to the repository", async () => {
  for (const association of ["MEMBER", "COLLABORATOR"] as const) {
    await using server = await githubServer();
    const account = await announceAs(server, association);
    for (const permission of ["write", "admin"] as const) {
      account.permission = permission;
      assertEquals(await asked(server), [[[1, DAY]], []]);
    }
    for (const permission of ["read", "none"] as const) {
      account.permission = permission;
      const note =
        "Cannot start the maintenance that issue #1 announces: its author stranger has no write access; have somebody open it who has";
      assertEquals(await asked(server), [[], [note]]);
    }
    assertEquals(server.violations, []);
  }
});

Deno.test("announcements of the token's own app count, those of other apps don't", async () => {
  await using server = await githubServer();
  server.account("github-actions[bot]").permissions = { contents: "write", issues: "write" };
  await server.person("github-actions[bot]").open({ title: "Move", body: bodyFor(DAY) });
  await server.person("acme").label(1, "maintenance");
  const { url, repository } = server;
  const windowsFor = async (login: string) => {
    const { token } = server.account(login);
    const { windows } = await askAnnounced(openedGitHub({ url, repository, token }), SURROUNDINGS);
    return windows?.length;
  };
  assertEquals([await windowsFor("github-actions[bot]"), await windowsFor("monitor-bot")], [1, 0]);
});

Deno.test("a person's access is asked for once a day, and kept with that of commenters", async () => {
  await using server = await githubServer();
  const account = await announceAs(server, "MEMBER");
  account.permission = "write";
  const { repository } = server;
  let known: Awaited<ReturnType<typeof askAnnounced>>["access"];
  const read = async (day: string) => {
    const found = await askAnnounced(openedGitHub(server), {
      ...SURROUNDINGS,
      day,
      known: () => Promise.resolve(known),
    });
    known = found.access ?? known;
    const requests = server.asked.filter((one) => one.includes("/collaborators/")).length;
    return [found.windows?.length, requests];
  };
  assertEquals([await read("2026-11-20"), await read("2026-11-20")], [[1, 1], [1, 1]]);
  assertEquals(known, { repository, access: { day: "2026-11-20", people: { stranger: true } } });
  account.permission = "read";
  assertEquals([await read("2026-11-20"), await read("2026-11-21")], [[1, 1], [0, 2]]);
});

Deno.test("if GitHub does not tell who may write, announcements are unclear, and others count", async () => {
  const waits = "Maintenance that was known before still applies";
  const cases = [
    [FAULTS.serverError, "MEMBER", [[2, DAY]], [1], "so the maintenance that issue #1 announces"],
    [FAULTS.serverError, "COLLABORATOR", [[2, DAY]], [1], "announces waits. "],
    [refusalOf(403, "No"), "MEMBER", [[2, DAY]], [1], "not known if its author stranger may write"],
    // A token that may not ask: somebody has invited that person.
    [refusalOf(403, "No"), "COLLABORATOR", [[1, DAY], [2, DAY]], [], undefined],
  ] as const;
  for (const [fault, association, windows, unclear, note] of cases) {
    await using server = await githubServer();
    (await announceAs(server, association)).permission = "write";
    await announce(server, DAY);
    server.fault(PERMISSION, fault, { times: 99 });
    const found = await askAnnounced(openedGitHub(server), SURROUNDINGS);
    const read = found.windows?.map(({ issue, start }) => [issue, String(start).slice(0, 10)]);
    assertEquals(read, windows.map((one) => [...one]));
    assertEquals(found.unclear, [...unclear]);
    assertEquals(found.notes.map((one) => one.includes(note!) && one.endsWith(waits)), [
      ...note === undefined ? [] : [true],
    ]);
  }
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
  await using server = await githubServer();
  const openIssuesLabeled = () => Promise.reject(new TypeError("a bug"));
  const github = { ...openedGitHub(server), openIssuesLabeled };
  await assertRejects(() => askAnnounced(github, SURROUNDINGS), TypeError, "a bug");
});

Deno.test("an announcement for another monitored folder is neither a window nor a problem of this one", async () => {
  await using server = await githubServer();
  await announce(server, "2999-01-01");
  const folder = await configOf([{ name: "Blog", url: "https://blog.example/" }]);
  const surroundings = { ...SURROUNDINGS, sites: folder.sites, isPart: true };
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
  const second = closeAnnouncement({ name: "Router", until, issue: 1 }, {
    timezone: "UTC",
    language: LANGUAGE,
  });
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
