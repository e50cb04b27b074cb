import { assertEquals, assertRejects } from "@std/assert";
import { GitHubError } from "../../../lib/github/github.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { FAULTS, githubServer, refusalOf } from "../../helpers/github_server.ts";

const ISSUES = "/repos/acme/status/issues";
const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

Deno.test("comments are read again after a bad gateway, and a refusal is an error", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  server.fault(`GET ${ISSUES}/comments`, FAULTS.badGateway);
  assertEquals(await github.repositoryComments(ALWAYS), []);
  server.fault(`GET ${ISSUES}`, refusalOf(410, "Issues are disabled for this repo"));
  const refused = await assertRejects(() => github.issuesLabeled("incident"), GitHubError);
  assertEquals(refused.kind, "misconfigured");
});
