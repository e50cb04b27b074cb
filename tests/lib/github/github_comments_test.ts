import { assertEquals, assertRejects } from "@std/assert";
import { GitHubError } from "../../../lib/github/github.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { FAULTS, githubServer, refusalOf } from "../../helpers/github_server.ts";

const ISSUES = "/repos/acme/status/issues";
const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

Deno.test("comments of all issues are read over all pages, each with its issue", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const owner = server.person("acme");
  const [one, other] = [await owner.open({ title: "One" }), await owner.open({ title: "Other" })];
  const ids: number[] = [];
  for (let count = 0; count < 104; count++) {
    ids.push(await owner.comment(count % 2 === 0 ? one : other, `Comment ${count}`));
  }
  await owner.editComment(ids[3]!, "Edited");
  await owner.deleteComment(ids[4]!);
  const found = await github.repositoryComments(ALWAYS);
  assertEquals(found.length, 103);
  const [edited] = found.filter(({ body }) => body === "Edited");
  assertEquals([edited?.issue, edited?.isTrusted], [other, true]);
  assertEquals(server.asked, Array(2).fill(`GET ${ISSUES}/comments`));
  assertEquals(await github.repositoryComments(Temporal.Now.instant().add({ hours: 1 })), []);
  assertEquals((await github.comments(one)).length, 51);
  assertEquals(server.violations, []);
});

Deno.test("comments are read again after a bad gateway, and a refusal is an error", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  server.fault(`GET ${ISSUES}/comments`, FAULTS.badGateway);
  assertEquals(await github.repositoryComments(ALWAYS), []);
  server.fault(`GET ${ISSUES}`, refusalOf(410, "Issues are disabled for this repo"));
  const refused = await assertRejects(() => github.issuesLabeled("incident"), GitHubError);
  assertEquals(refused.kind, "misconfigured");
});
