import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Answer } from "../../../lib/github/answer.ts";
import { GitHubError } from "../../../lib/github/github.ts";
import { secondsToWait } from "../../../lib/github/answer.ts";
import { toRefusal } from "../../../lib/github/refusal.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { type GitHubAnswer, githubServer } from "../../helpers/github_server.ts";

const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

const NOW = Date.parse("2026-11-21T10:00:00Z");
const ATTEMPT = { what: "open an issue", repository: "acme/status", needs: "issues: write" };
const ISSUE = { title: "Shop is down", body: "", labels: [], assignees: [] };

/** The error for an answer of the API, after "Cannot open an issue in acme/status: ", and its kind. */
function refusal(
  status: number,
  message: string,
  more: Partial<Answer> = {},
  issue?: number,
): [kind: string, why: string] {
  const answer = { status, message, headers: {}, faults: [], isOfApi: true, ...more };
  const error = toRefusal({ ...ATTEMPT, issue }, answer, NOW);
  return [error.kind, error.message.replace("Cannot open an issue in acme/status: ", "")];
}

const TOKENS = "Settings > Developer settings > Personal access tokens";

Deno.test("every refusal of GitHub names the setting to change", () => {
  const cases: [found: [string, string], expected: [string, string]][] = [
    [refusal(401, "Bad credentials"), [
      "misconfigured",
      `the token is not accepted (Bad credentials): it has expired or was revoked; make a new one with the scope repo in ${TOKENS} and save it as the secret HOST_PAT`,
    ]],
    [refusal(403, "Resource not accessible by integration"), [
      "misconfigured",
      'the job\'s own token may not do that; add "issues: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT',
    ]],
    [
      refusal(403, "Resource not accessible by integration", {
        headers: { "x-accepted-github-permissions": "contents=write; workflows=write" },
      }),
      [
        "misconfigured",
        'the job\'s own token may not do that; add "contents: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT',
      ],
    ],
    [
      refusal(403, "Resource not accessible by personal access token", {
        headers: { "x-accepted-github-permissions": "issues=write; pull_requests=write" },
      }),
      [
        "misconfigured",
        `the token may not do that; give it the permission "issues: write" for this repository in ${TOKENS} > Fine-grained tokens`,
      ],
    ],
    [
      refusal(404, "Not Found", {
        headers: { "x-oauth-scopes": "gist, workflow", "x-accepted-oauth-scopes": "repo" },
      }),
      [
        "misconfigured",
        `the token has only the scope gist, workflow; give it the scope repo in ${TOKENS}`,
      ],
    ],
    [
      refusal(403, "Forbidden", {
        headers: { "x-oauth-scopes": "", "x-accepted-oauth-scopes": "public_repo, repo" },
      }),
      ["misconfigured", `the token has no scope; give it the scope repo in ${TOKENS}`],
    ],
    [refusal(403, "Repository was archived so is read-only."), [
      "misconfigured",
      "the repository is archived and can't be changed; unarchive it in Settings > General",
    ]],
    [
      refusal(403, "Must have admin rights to Repository.", {
        headers: { "x-oauth-scopes": "repo", "x-accepted-oauth-scopes": "repo" },
      }),
      [
        "misconfigured",
        "the account of the token may not write there; give it the role Write or more in Settings > Collaborators, or use a token of another account as HOST_PAT",
      ],
    ],
    [refusal(410, "Issues are disabled for this repo"), [
      "misconfigured",
      "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false",
    ]],
    [refusal(410, "Issues has been disabled in this repository."), [
      "misconfigured",
      "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false",
    ]],
    [refusal(404, "Not Found"), [
      "misconfigured",
      "the repository does not exist, or the token can't see it; check owner and repo, and give the token the scope repo if it is private",
    ]],
    [refusal(410, "This issue was deleted", {}, 7), ["permanent", "issue #7 no longer exists"]],
    [refusal(403, "Unable to create comment because issue is locked.", {}, 7), [
      "permanent",
      "the conversation is locked, and the account of the token has no right to write",
    ]],
    [
      refusal(
        403,
        "`acme` forbids access via a personal access token (classic).\nPlease use a GitHub App.",
      ),
      [
        "misconfigured",
        "the token may not do that (`acme` forbids access via a personal access token (classic). Please use a GitHub App.); use one with the scope repo as the secret HOST_PAT",
      ],
    ],
    [
      refusal(422, "Validation Failed", {
        faults: [{
          resource: "Label",
          code: "custom",
          field: "name",
          message: "name is too long (maximum is 50 characters)",
        }],
      }),
      ["permanent", "GitHub does not take it (name is too long (maximum is 50 characters))"],
    ],
    [
      refusal(422, "Validation Failed", {
        faults: [{ resource: "Issue", code: "missing_field", field: "title" }, {
          value: "nobody",
          resource: "Issue",
          field: "assignees",
          code: "invalid",
        }],
      }),
      [
        "permanent",
        'GitHub does not take it (title is missing field, assignees is invalid "nobody")',
      ],
    ],
    [refusal(422, "Problems parsing JSON"), [
      "permanent",
      "GitHub does not take it (Problems parsing JSON)",
    ]],
    [refusal(409, "Conflict"), ["permanent", "GitHub answered 409 (Conflict)"]],
    [refusal(500, "Server Error"), ["transient", "GitHub answered 500 (Server Error)"]],
    [refusal(502, "", { isOfApi: false }), ["transient", "GitHub answered 502"]],
    [refusal(200, "", { isOfApi: false }), [
      "misconfigured",
      "the answer (200) is not that of the API; check GITHUB_API_URL, and proxies on the way",
    ]],
    [refusal(407, "", { isOfApi: false }), [
      "misconfigured",
      "the answer (407) is not that of the API; check GITHUB_API_URL, and proxies on the way",
    ]],
    [refusal(301, "", { isOfApi: false }, 7), [
      "permanent",
      "issue #7 was moved to another repository",
    ]],
    [refusal(302, "", { isOfApi: false }), [
      "misconfigured",
      "the repository was moved or renamed; set owner and repo to where it is now",
    ]],
  ];
  for (const [found, expected] of cases) assertEquals(found, expected);
});

Deno.test("every form of GitHub's rate limit is recognized", () => {
  const date = "Sat, 21 Nov 2026 10:00:00 GMT";
  const reset = String(NOW / 1000 + 90);
  const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
  const cases: [status: number, message: string, headers: Record<string, string>, number?][] = [
    [429, "", {}, 60],
    [429, "", { "retry-after": "7" }, 7],
    [429, "", { "retry-after": "99999999999999999999" }, 3600],
    [429, "", { "retry-after": "Sat, 21 Nov 2026 10:02:00 GMT", date }, 120],
    [403, "API rate limit exceeded for user ID 1.", { ...spent, date }, 91],
    [429, "API rate limit exceeded for user ID 1.", spent, 91],
    [403, "You have exceeded a secondary rate limit.", {}, 60],
    [403, "You have triggered an abuse detection mechanism.", { "retry-after": "5" }, 5],
    [403, "Resource not accessible by integration", spent, undefined],
    [500, "", { "retry-after": "5" }, undefined],
  ];
  for (const [status, message, headers, seconds] of cases) {
    assertEquals(secondsToWait({ status, message, headers }, NOW), seconds, message);
  }
});

/** Message and kind of an error. */
async function refused(work: Promise<unknown>): Promise<string> {
  const { kind, message } = await assertRejects(() => work, GitHubError);
  return `${kind}: ${message}`;
}

Deno.test("switched-off issues and an archived repository are reported by every request", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const number = await server.person("acme").open({ title: "One" });
  server.state.hasIssues = false;
  const off =
    "its issues are switched off; switch Issues on in Settings > General > Features, or set issues: false";
  for (const work of [() => github.createIssue(ISSUE), () => github.issue(number)]) {
    assertEquals((await refused(work())).split(": ").slice(2).join(": "), off);
  }
  server.state.hasIssues = true;
  server.state.isArchived = true;
  assertEquals(
    await refused(github.changeIssue(number, { isOpen: false })),
    "misconfigured: Cannot change issue #1 in acme/status: the repository is archived and can't be changed; unarchive it in Settings > General",
  );
  server.state.isArchived = false;
  server.state.isPrivate = true;
  const hidden =
    "the repository does not exist, or the token can't see it; check owner and repo, and give the token the scope repo if it is private";
  const blind = openedGitHub({
    ...server,
    url: server.url,
    token: server.account("stranger").token,
  });
  for (
    const work of [
      () => blind.issue(number),
      () => blind.changeIssue(number, { title: "x" }),
      () => blind.issuesSince(Temporal.Instant.fromEpochMilliseconds(0)),
      () => blind.dispatch("graphs"),
    ]
  ) {
    const error = await refused(work());
    assertEquals(error.slice(-hidden.length), hidden);
  }
  assertEquals(
    await refused(openedGitHub({ ...server, url: server.url, token: "ghp_old" }).account()),
    `misconfigured: Cannot find out whose token it is in acme/status: the token is not accepted (Bad credentials): it has expired or was revoked; make a new one with the scope repo in ${TOKENS} and save it as the secret HOST_PAT`,
  );
  assertEquals(server.violations, []);
});

Deno.test("a token that lacks a permission is reported with the permission", async () => {
  await using server = await githubServer();
  const { token } = server.account("github-actions[bot]");
  const ofJob = openedGitHub({ ...server, url: server.url, token });
  server.account("github-actions[bot]").permissions = { contents: "write" };
  assertEquals(
    await refused(ofJob.createIssue(ISSUE)),
    'misconfigured: Cannot open an issue in acme/status: the job\'s own token may not do that; add "issues: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT',
  );
  server.account("github-actions[bot]").permissions = { issues: "write" };
  assertEquals(
    await refused(ofJob.dispatch("graphs")),
    'misconfigured: Cannot start the workflows for "graphs" in acme/status: the job\'s own token may not do that; add "contents: write" under permissions: in the workflow, or save a token of your own with the scope repo as the secret HOST_PAT',
  );
  server.account("monitor-bot").scopes = ["gist"];
  assertEquals(
    await refused(openedGitHub(server).createIssue(ISSUE)),
    `misconfigured: Cannot open an issue in acme/status: the token has only the scope gist; give it the scope repo in ${TOKENS}`,
  );
});

Deno.test("a deleted issue is read as none, and can't be changed", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const acme = server.person("acme");
  const [deleted, moved] = [await acme.open({ title: "One" }), await acme.open({ title: "Two" })];
  acme.delete(deleted);
  const there = await acme.transfer(moved);
  assertEquals(await github.issue(deleted), undefined);
  assertEquals(await github.issue(99), undefined);
  assertEquals((await server.issues()).map(({ number }) => number), []);
  assertEquals([await github.issue(moved), there], [undefined, 1]);
  assertEquals(await github.issuesSince(Temporal.Instant.fromEpochMilliseconds(0)), []);
  server.requests.length = 0;
  const change = { isOpen: false };
  assertEquals(
    await Promise.all([
      refused(github.changeIssue(deleted, change)),
      refused(github.changeIssue(99, change)),
      refused(github.changeIssue(moved, change)),
      refused(github.comment(moved, "x")),
    ]),
    [
      "permanent: Cannot change issue #1 in acme/status: issue #1 no longer exists",
      "permanent: Cannot change issue #99 in acme/status: issue #99 no longer exists",
      "permanent: Cannot change issue #2 in acme/status: issue #2 was moved to another repository",
      "permanent: Cannot comment on issue #2 in acme/status: issue #2 was moved to another repository",
    ],
  );
  assertEquals(server.asked.filter((one) => one.includes("elsewhere")), []);
});

Deno.test("an answer without a repository makes none public", async () => {
  await using server = await githubServer();
  const bodies = ["{}", "[]", "null", '{"full_name":"acme/status"}', '{"private":false}'];
  for (const body of bodies) {
    const headers = { "content-type": "application/json" };
    server.fault("GET /repos/acme/status", { status: 200, body, headers }, { times: 2 });
    const github = openedGitHub(server);
    for (const asked of [github.isPublic(), github.about()]) {
      assertMatch(
        await refused(asked),
        /^misconfigured: Cannot .* in acme\/status: the answer \(200\) is not that of the API; check GITHUB_API_URL/,
        body,
      );
    }
  }
});

Deno.test("an answer from something other than the API is reported as such, without the token", async () => {
  const html = { "content-type": "text/html" };
  const answers: GitHubAnswer[] = [
    { status: 200, body: "<html>Log in</html>", headers: html },
    { status: 200 },
    { status: 404, body: "<html>No such page</html>", headers: html },
  ];
  await using server = await githubServer();
  for (const answer of answers) {
    server.fault("GET *", answer);
    assertEquals(
      await refused(openedGitHub(server).repositoryComments(ALWAYS)),
      `misconfigured: Cannot read the comments in acme/status: the answer (${answer.status}) is not that of the API; check GITHUB_API_URL, and proxies on the way`,
    );
  }
});
