import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { systemClock } from "../../../lib/io/clock.ts";
import { GitHubError } from "../../../lib/github/github.ts";
import {
  MinutelyVariables,
  openRepositoryVariables,
} from "../../../lib/github/repository_variables.ts";
import { type GitHubServer, githubServer } from "../../helpers/github_server.ts";
import { FAST } from "../../helpers/opened_github.ts";
import { StillClock } from "../../helpers/still_clock.ts";

function opened({ url, repository, token }: Pick<GitHubServer, "url" | "repository" | "token">) {
  return openRepositoryVariables({
    ...{ api: url, repository, token, userAgent: "monitor-action/test", clock: systemClock },
    warn() {},
    pace: FAST,
  });
}

Deno.test("a variable is created once, then replaced, and found on any page", async () => {
  await using github = await githubServer();
  for (let number = 0; number < 40; number++) {
    github.settings.variables.set(`OTHER_${number}`, `${number}`);
  }
  const variables = opened(github);
  await variables.save("HEARTBEAT_A", "ok");
  assertEquals(github.settings.variables.get("HEARTBEAT_A"), "ok");
  await variables.save("HEARTBEAT_A", "fail");
  const all = await variables.list();
  assertEquals([all.size, all.get("OTHER_0"), all.get("HEARTBEAT_A")], [41, "0", "fail"]);
  assertEquals(github.violations, []);
});

Deno.test("variables can be listed for months, whatever time the requests take together", async () => {
  await using github = await githubServer();
  const { url, repository, token } = github;
  let elapsed = 0;
  const variables = openRepositoryVariables({
    ...{ api: url, repository, token, userAgent: "monitor-action/test", warn() {}, pace: FAST },
    clock: { ...systemClock, elapsed: () => elapsed += FAST.aside / 4 },
  });
  for (let round = 0; round < 20; round++) assertEquals((await variables.list()).size, 0);
});

Deno.test("a refusal names the permission that variables need, and a job's own token never has", async () => {
  await using github = await githubServer();
  const { url, repository } = github;
  const token = github.account("github-actions[bot]").token;
  const variables = opened({ url, repository, token });
  const reading = await assertRejects(() => variables.list(), GitHubError);
  assertStringIncludes(reading.message, "never allowed to (variables: read)");
  const writing = await assertRejects(() => variables.save("HEARTBEAT_A", "ok"), GitHubError);
  assertStringIncludes(writing.message, "Cannot set the variable HEARTBEAT_A in acme/status: ");
  assertStringIncludes(writing.message, "never allowed to (variables: write)");
});

Deno.test("variables are requested at most once a minute, whatever the number of reads and failures", async () => {
  const clock = new StillClock();
  let requests = 0;
  let answer: () => Map<string, string> = () => new Map([["HEARTBEAT_A", "ok"]]);
  const variables = new MinutelyVariables({
    async list() {
      requests++;
      return await Promise.resolve(answer());
    },
  }, clock);
  const seen = await Promise.all(["HEARTBEAT_A", "HEARTBEAT_B"].map((one) => variables.read(one)));
  assertEquals([seen, requests], [["ok", ""], 1]);
  clock.pass(59_999);
  await variables.read("HEARTBEAT_A");
  assertEquals(requests, 1);
  clock.pass(1);
  answer = () => {
    throw new Error("no answer");
  };
  for (let round = 0; round < 2; round++) {
    await assertRejects(() => variables.read("HEARTBEAT_A"), Error, "no answer");
  }
  assertEquals(requests, 2);
  clock.pass(60_000);
  answer = () => new Map([["HEARTBEAT_A", "fail"]]);
  assertEquals([await variables.read("HEARTBEAT_A"), requests], ["fail", 3]);
});
