import { assert, assertEquals, assertRejects } from "@std/assert";
import { GitHubError } from "../../../lib/github/github_error.ts";
import { openedGitHub } from "../../helpers/opened_github.ts";
import { FAULTS, githubServer, refusalOf } from "../../helpers/github_server.ts";

const ISSUES = "/repos/acme/status/issues";
const ALWAYS = Temporal.Instant.fromEpochMilliseconds(0);

Deno.test("what is asked for again with its tag is unchanged, asked once and never retried; with the tag of another token it is read", async () => {
  await using server = await githubServer({ prefix: "/api/v3" });
  const owner = server.person("acme");
  const number = await owner.open({ title: "Payments are slow", labels: ["incident"] });
  await owner.comment(number, "Investigating: we look");
  const reads = (account: string) => {
    const github = openedGitHub({
      ...server,
      url: server.url,
      token: server.account(account).token,
    });
    return [
      (tag?: string) => github.issuesLabelled("incident", tag),
      (tag?: string) => github.changedIssue(number, tag),
      (tag?: string) => github.changedComments(ALWAYS, tag),
    ];
  };
  for (const [index, read] of reads("monitor-bot").entries()) {
    const first = await read();
    assert(first !== "unchanged" && first.tag !== undefined);
    const { length } = server.requests;
    assertEquals(await read(first.tag), "unchanged");
    assertEquals(server.requests.length, length + 1);
    const others = await reads("acme")[index]!(first.tag);
    assert(others !== "unchanged");
    assertEquals(others.value, first.value);
  }
  assertEquals(server.violations, []);
});

Deno.test("comments of all issues are read over all pages, the last changed first, each with its issue", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const owner = server.person("acme");
  const [one, other] = [await owner.open({ title: "One" }), await owner.open({ title: "Other" })];
  const ids: number[] = [];
  for (let count = 0; count < 130; count++) {
    ids.push(await owner.comment(count % 2 === 0 ? one : other, `Comment ${count}`));
  }
  await owner.editComment(ids[3]!, "Edited");
  await owner.deleteComment(ids[4]!);
  const found = await github.changedComments(ALWAYS);
  assert(found !== "unchanged");
  assertEquals(found.value.length, 129);
  const edited = found.value.find(({ id }) => id === ids[3]);
  assertEquals([edited?.issue, edited?.body, edited?.isTrusted], [other, "Edited", true]);
  const times = found.value.map(({ updated }) => updated.epochMilliseconds);
  assertEquals(times, times.toSorted((before, after) => after - before));
  assert(!found.value.some(({ id }) => id === ids[4]));
  assertEquals(server.asked, Array(2).fill(`GET ${ISSUES}/comments`));
  const later = Temporal.Now.instant().add({ hours: 1 });
  assertEquals(((await github.changedComments(later)) as { value: unknown[] }).value, []);
  assertEquals(
    (await github.changedIssue(one) as { value?: unknown }).value,
    await github.issue(one),
  );
  assertEquals((await github.issue(one))?.comments, 64);
  assertEquals(server.violations, []);
});

Deno.test("an issue that was deleted or moved is none, and other refusals are told", async () => {
  await using server = await githubServer();
  const github = openedGitHub(server);
  const owner = server.person("acme");
  const [deleted, moved] = [await owner.open({ title: "A" }), await owner.open({ title: "B" })];
  owner.delete(deleted);
  await owner.transfer(moved);
  for (const number of [deleted, moved]) {
    const found = await github.changedIssue(number, 'W/"1"');
    assert(found !== "unchanged");
    assertEquals(found.value, undefined);
  }
  server.fault(`GET ${ISSUES}/comments`, FAULTS.badGateway);
  assert(await github.changedComments(ALWAYS) !== "unchanged");
  server.fault(`GET ${ISSUES}`, refusalOf(410, "Issues are disabled for this repo"));
  const refused = await assertRejects(() => github.issuesLabelled("incident"), GitHubError);
  assertEquals(refused.kind, "setting");
});
