import { assertEquals } from "@std/assert";
import { systemClock } from "../../../lib/io/clock.ts";
import {
  readRepositorySettings,
  type RepositorySettings,
} from "../../../lib/github/repository_settings.ts";
import { FAST } from "../../helpers/opened_github.ts";
import { FAULTS, type GitHubServer, githubServer } from "../../helpers/github_server.ts";

const SINCE = Temporal.Instant.from("2026-11-15T00:00:00Z");

function read(
  { url, repository, token }: GitHubServer,
  more: { token?: string; budget?: number } = {},
): Promise<RepositorySettings> {
  return readRepositorySettings(
    {
      ...{ api: url, repository, token, userAgent: "monitor-action/test", clock: systemClock },
      ...more,
      warn() {},
      pace: { ...FAST, budget: more.budget ?? 20_000 },
    },
    "uptime.yml",
    SINCE,
  );
}

Deno.test("the settings of a repository are read as GitHub describes them", async () => {
  await using github = await githubServer();
  const { settings } = github;
  const names = Array.from({ length: 130 }, (_, index) => `SECRET_${index}`);
  for (const name of names) settings.sealed.set(name, "");
  settings.organizationSecrets = ["SHARED"];
  settings.workflows = [{ file: "uptime.yml", name: "Uptime CI", state: "disabled_inactivity" }];
  settings.runs = [0, 60, 900].map((minutes) => ({
    ...{ file: "uptime.yml", event: minutes === 60 ? "workflow_dispatch" : "schedule" },
    created: SINCE.add({ minutes: minutes - 1 }),
  }));
  settings.pages = { branch: "gh-pages", path: "/", cname: "up.example.com", isHttps: true };
  settings.rules = ["pull_request", "deletion", "pull_request"];
  settings.isProtected = false;
  settings.pushed = SINCE;
  assertEquals(await read(github), {
    repository: {
      value: {
        ...{ isPrivate: false, isArchived: false, hasIssues: true, branch: "main" },
        ...{ pushed: SINCE, mayPush: true, scopes: ["repo"] },
      },
    },
    hasActions: { value: true },
    workflows: { value: [{ path: ".github/workflows/uptime.yml", state: "disabled_inactivity" }] },
    scheduledRuns: { value: 1 },
    pages: {
      value: { source: { branch: "gh-pages", path: "/" }, cname: "up.example.com", isHttps: true },
    },
    secrets: { value: [...names, "SHARED"] },
    rules: { value: ["pull_request", "deletion"] },
    isProtected: { value: true },
  });
  settings.pages.buildType = "workflow";
  assertEquals((await read(github)).pages.value?.source, undefined);
  delete settings.pages;
  delete settings.isProtected;
  const { pages, isProtected } = await read(github);
  assertEquals([pages, isProtected], [{ value: undefined }, { value: false }]);
  assertEquals(github.violations, []);
});

Deno.test("a setting that the token can't read is unknown with the missing permission, and others are read", async () => {
  await using github = await githubServer();
  const job = github.account("github-actions[bot]");
  const { secrets, hasActions, repository } = await read(github, { token: job.token });
  assertEquals(repository.value?.scopes, undefined);
  assertEquals(hasActions, { value: true });
  assertEquals(secrets, {
    why:
      "Cannot see the names of secrets in acme/status: the job's own token is never allowed to (secrets: read); save a token of your own with the scope repo as the secret HOST_PAT",
    isWrong: true,
  });
});

Deno.test("if GitHub does not show the repository, no further requests are made", async () => {
  await using github = await githubServer();
  const { repository, pages } = await read(github, { token: "ghp_wrong" });
  assertEquals(repository.isWrong, true);
  assertEquals(pages, { why: "GitHub does not show the repository", isWrong: false });
  assertEquals(github.asked, ["GET /repos/acme/status"]);
});

Deno.test("no setting is known if GitHub fails, hangs or answers something else", async () => {
  await using github = await githubServer();
  const page = { status: 200, body: "<html></html>", headers: { "content-type": "text/html" } };
  for (const fault of [FAULTS.badGateway, "hang", "reset", page] as const) {
    github.forgetFaults();
    github.fault(({ path }) => path !== "/repos/acme/status", fault, { times: 100 });
    const facts = await read(github, { budget: 3_000 });
    assertEquals(facts.repository.value?.branch, "main");
    for (const name of ["hasActions", "workflows", "pages", "secrets", "rules"] as const) {
      assertEquals(facts[name].value, undefined, name);
    }
  }
});

Deno.test("an answer without a repository yields no facts, and no further requests are made", async () => {
  await using github = await githubServer();
  const headers = { "content-type": "application/json" };
  github.fault("GET *", { status: 200, body: "{}", headers }, { times: 99 });
  const { repository, ...rest } = await read(github);
  assertEquals(repository, {
    why:
      "Cannot see the repository in acme/status: the answer (200) is not that of the API; check GITHUB_API_URL, and proxies on the way",
    isWrong: true,
  });
  assertEquals(Object.values(rest).filter(({ value }) => value !== undefined), []);
  assertEquals(github.asked, ["GET /repos/acme/status"]);
});
