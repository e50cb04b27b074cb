import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ManualIncident } from "../../../lib/history/manual_incident.ts";
import { parseRunState } from "../../../lib/history/run_state.ts";
import { IncidentLife } from "../../helpers/incident_life.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { FAULTS, type GitHubServer, githubServer } from "../../helpers/github_server.ts";
import { keepMidnightOut } from "../../helpers/midnight.ts";
import { readAlong, writtenOn } from "../../helpers/timelines.ts";

const ISSUES = "/repos/acme/status/issues";
const [LABELLED, COMMENTS] = [`GET ${ISSUES}`, `GET ${ISSUES}/comments`];

/** A history with an open incident of Shop, whose issue is number 1. */
async function outage(server: GitHubServer) {
  const store = new MemoryStore();
  const life = await IncidentLife.begin(server, {}, store);
  await life.run(0, "up");
  await life.run(5, "down");
  const [id] = [...(await readAlong(store, undefined)).incidents.keys()];
  return { store, life, id: id! };
}

/** The requests to GitHub that some work makes. */
async function asks(server: GitHubServer, work: () => Promise<unknown>): Promise<string[]> {
  const { length } = server.requests;
  await work();
  return server.asked.slice(length);
}

/** Loses the last read state. */
function forget(store: MemoryStore) {
  const { runState } = parseRunState(store.pending);
  const { timelines: _, ...rest } = JSON.parse(store.pending.get("memory.json")!);
  assert(runState?.timelines !== undefined);
  store.pending = new Map([...store.pending, ["memory.json", JSON.stringify(rest)]]);
}

Deno.test("comments become the timeline in one commit; edited and deleted ones follow, post-mortems come after the end, and nothing new takes two requests and no commit", async () => {
  await using server = await githubServer();
  const { store, life, id } = await outage(server);
  const owner = server.person("acme");
  const read = () => readAlong(store, server);
  const first = await owner.comment(1, "**Investigating:** we look");
  await owner.comment(1, "It is the router.");
  const { length } = store.commits;
  assertEquals(await asks(server, read), [LABELLED, COMMENTS]);
  assertEquals(store.commits.length, length + 1);
  assertEquals(store.commits.at(-1)!.message, "Bring along the timeline of 1 incident [skip ci]");
  assertEquals(store.commits.at(-1)!.paths, [`history/incidents/${id}.yml`]);
  assertEquals(writtenOn(await readAlong(store, undefined)), {
    [id]: ["investigating: we look", "It is the router."],
  });

  const before = store.pending;
  assertEquals(await asks(server, read), [LABELLED, COMMENTS]);
  assertEquals([store.commits.length, store.pending], [length + 1, before]);

  await owner.editComment(first, "Identified:\r\n\r\n- a cable\r\n- a rat");
  await read();
  assertEquals(writtenOn(await readAlong(store, undefined))[id], [
    "identified: - a cable\n- a rat",
    "It is the router.",
  ]);
  await owner.deleteComment(first);
  assertEquals(writtenOn(await read())[id], ["It is the router."]);

  await life.run(5, "up");
  await owner.comment(1, "Post-mortem: the rat was fed");
  assertEquals(writtenOn(await read())[id], ["It is the router.", "post-mortem: the rat was fed"]);
  await life.run(5, "down");
  await owner.comment(1, "MONITORING: again");
  assertEquals(writtenOn(await read())[id]!.at(-1), "monitoring: again");
  const { incidents } = await readAlong(store, undefined);
  assertEquals([...incidents.values()].map(({ end }) => end), [undefined]);
  await life.run(5, "up");
  assertEquals(writtenOn(await readAlong(store, undefined))[id]!.length, 3);
  assertEquals(server.violations, []);
});

Deno.test("comments by strangers and by the monitor are left out, even with a phase", async () => {
  await using server = await githubServer();
  const { store, life, id } = await outage(server);
  await server.person("acme").unlock(1);
  await server.person("stranger").comment(1, "Resolved: trust me");
  await server.person("monitor-bot").comment(1, "Identified: written by hand, with its token");
  await server.person("acme").comment(1, "<!-- a note to myself -->");
  await life.run(5, "up");
  const { incidents } = await readAlong(store, server);
  assertEquals(writtenOn({ incidents })[id], ["identified: written by hand, with its token"]);
  assertEquals((await server.issue(1)).comments.length, 4);
});

Deno.test("the text of a comment is stored unchanged", async () => {
  await using server = await githubServer();
  const { store, id } = await outage(server);
  const texts = [
    "<script>alert(1)</script> ]]> --> &amp;",
    "\u202eabc\u2066 \u0000 \u0007 \x1b[31mred",
    "---",
    "- a: b",
    "a: b\n---\n...\n%YAML 1.2",
    "key: |\n  - text\n\n\n  # no comment",
    "null",
    "2026-11-21",
    "'single' \"double\" \\ `back` | > & * ! ? @ %",
    "👩‍👩‍👧 ünï 日本",
    "x".repeat(65_536),
    "word ".repeat(13_107).trim(),
  ];
  for (const text of texts) await server.person("acme").comment(1, text);
  await server.person("acme").comment(1, "one\r\ntwo\rthree");
  await server.person("acme").comment(1, "a \ud800 half");
  await server.person("acme").comment(1, "my key is hunter22");
  const redact = (text: string) => text.replaceAll("hunter22", "***");
  await readAlong(store, server, { redact });
  const expected = [...texts, "one\ntwo\nthree", "a \ufffd half", "my key is ***"];
  assertEquals(writtenOn(await readAlong(store, undefined))[id], expected);
  const { length } = store.commits;
  forget(store);
  await readAlong(store, server, { redact });
  assertEquals(store.commits.length, length);
});

Deno.test("more than a hundred comments are read page by page, and a deleted one is removed", async () => {
  await using server = await githubServer();
  const { store, id } = await outage(server);
  const owner = server.person("acme");
  const ids: number[] = [];
  for (let number = 1; number <= 110; number++) {
    ids.push(await owner.comment(1, `Update ${number}`));
  }
  assertEquals(await asks(server, () => readAlong(store, server)), [LABELLED, COMMENTS, COMMENTS]);
  const written = writtenOn(await readAlong(store, undefined))[id]!;
  assertEquals([written.length, written[0], written.at(-1)], [110, "Update 1", "Update 110"]);
  await owner.deleteComment(ids[49]!);
  const { incidents } = await readAlong(store, server);
  assertEquals(writtenOn({ incidents })[id]!.length, 109);
  assert(!writtenOn({ incidents })[id]!.includes("Update 50"));
  assertEquals(server.violations, []);
});

Deno.test("a labeled issue is a manual incident, whose file follows its changes and is removed with it", async () => {
  await keepMidnightOut();
  await using server = await githubServer();
  const { store } = await outage(server);
  const owner = server.person("acme");
  const read = async () => {
    await readAlong(store, server);
    const { incidents } = await readAlong(store, undefined);
    return [...incidents].filter(([, { kind }]) => kind === "manual") as [string, ManualIncident][];
  };
  const day = Temporal.Now.instant().toString().slice(0, 10);
  await server.person("stranger").open({ title: "I am an incident", labels: ["incident"] });
  await owner.open({ title: "Work", labels: ["incident", "maintenance"] });
  const number = await owner.open({
    title: "Payments are slow",
    body: "<!-- hidden -->\r\nThe bank is slow.",
    labels: ["incident", "Shop", "urgent"],
  });
  await owner.comment(number, "Investigating: we call");
  const [[id, manual]] = await read() as [[string, ManualIncident]];
  assertEquals(id, `${day}-issue-${number}`);
  const { start, updates, ...rest } = manual;
  assertEquals(rest, {
    ...{ kind: "manual", name: "Payments are slow", sites: ["shop"], issue: number },
    text: "The bank is slow.",
  });
  assert(start.since(Temporal.Now.instant()).total("minutes") < 1);
  assertEquals(updates.map(({ phase, text }) => [phase, text]), [["investigating", "we call"]]);

  await owner.retitle(number, "Payments fail");
  await owner.edit(number, "They do.");
  await owner.label(number, "incident");
  await owner.close(number);
  const [[, after]] = await read() as [[string, ManualIncident]];
  assertEquals(
    [after.name, after.text, after.sites, after.end !== undefined, after.updates.length],
    ["Payments fail", "They do.", [], true, 1],
  );
  await owner.reopen(number);
  assertEquals((await read())[0]![1].end, undefined);
  await owner.label(number, "question");
  assertEquals(await read(), []);
  await owner.label(number, "incident");
  assertEquals((await read())[0]![1].updates.length, 1);
  owner.delete(number);
  assertEquals(await read(), []);
  const moved = await owner.open({ title: "Moved", labels: ["incident"] });
  assertEquals((await read()).length, 1);
  await owner.transfer(moved);
  assertEquals(await read(), []);
  assertEquals(server.violations, []);
});

Deno.test("a label on a site's issue adds no incident, and a folder reads only issues about its sites or all", async () => {
  await using server = await githubServer();
  const { store } = await outage(server);
  const owner = server.person("acme");
  await owner.label(1, "status", "shop", "incident");
  const kinds = async (options = {}) =>
    [...(await readAlong(store, server, { readOnly: true, ...options })).incidents.values()]
      .map(({ kind, ...rest }) => "name" in rest ? rest.name : kind);
  assertEquals(await kinds(), ["down"]);
  for (const [title, ...labels] of [["All"], ["Ours", "shop"], ["Theirs", "blog"]]) {
    await owner.open({ title: title!, labels: ["incident", ...labels] });
  }
  assertEquals((await kinds({ folder: "eu/" })).sort(), ["All", "Ours", "down"]);
  assertEquals((await kinds({ folder: "" })).sort(), ["All", "Ours", "Theirs", "down"]);
});

Deno.test("after a failed request the timeline stays, and the next run completes it", async () => {
  await using server = await githubServer();
  const { store, life, id } = await outage(server);
  const owner = server.person("acme");
  await owner.comment(1, "One");
  await readAlong(store, server);
  await owner.comment(1, "Two");
  for (const path of [LABELLED, COMMENTS]) {
    const before = [store.pending, store.commits.length];
    server.fault(path, FAULTS.serverError, { times: 4 });
    const { stale, incidents } = await readAlong(store, server);
    assertStringIncludes(stale!.message, "GitHub answered 500");
    assertEquals(writtenOn({ incidents })[id], ["One"]);
    assertEquals([store.pending, store.commits.length], before);
  }
  const { repository } = server;
  const away = { repository, url: "http://127.0.0.1:9", account: () => server.account("acme") };
  const offline = await readAlong(store, away);
  assertStringIncludes(offline.stale!.message, "127.0.0.1:9");
  assertEquals(writtenOn(offline)[id], ["One"]);
  await readAlong(store, server);
  await life.run(5, "up");
  const manual = await owner.open({ title: "Slow", labels: ["incident"] });
  await owner.comment(1, "Three");
  await owner.comment(manual, "Four");
  server.fault(`GET ${ISSUES}/1/comments`, FAULTS.badGateway, { times: 4 });
  const half = await readAlong(store, server);
  assertStringIncludes(half.stale!.message, "502");
  assertEquals(Object.values(writtenOn(half)).map((texts) => texts.at(-1)), ["Two", "Four"]);
  const whole = await readAlong(store, server);
  assertEquals(whole.stale, undefined);
  assertEquals(Object.values(writtenOn(whole)).map((texts) => texts.at(-1)), ["Three", "Four"]);
  assertEquals(writtenOn(whole), writtenOn(await readAlong(store, undefined)));
  assertEquals(server.violations, []);
});

Deno.test("a lost state makes a run read everything again with the same result", async () => {
  await using server = await githubServer();
  const { store, life, id } = await outage(server);
  const owner = server.person("acme");
  await owner.comment(1, "One");
  const manual = await owner.open({ title: "Slow", labels: ["incident"] });
  await owner.comment(manual, "Two");
  await readAlong(store, server);
  await life.run(5, "up");
  const before = new Map(store.files);
  const { length } = store.commits;
  forget(store);
  assertEquals(await asks(server, () => readAlong(store, server)), [LABELLED, COMMENTS]);
  assertEquals([store.files, store.commits.length], [before, length]);
  assertEquals(writtenOn(await readAlong(store, undefined))[id], ["One"]);
  assertEquals(store.commits.length, length);
});

Deno.test("without an incident a run makes one request, and without a run state it still stores what it reads", async () => {
  await keepMidnightOut();
  await using server = await githubServer();
  const store = new MemoryStore();
  assertEquals(await asks(server, () => readAlong(store, server)), [LABELLED]);
  assertEquals([store.commits, store.pending.size], [[], 0]);
  const number = await server.person("acme").open({ title: "Slow", labels: ["incident"] });
  const asked = await asks(server, () => readAlong(store, server));
  assertEquals([asked, store.commits.length], [[LABELLED, COMMENTS], 1]);
  assertEquals(store.pending.size, 0);
  const day = Temporal.Now.instant().toString().slice(0, 10);
  assertEquals([...store.files.keys()], [`history/incidents/${day}-issue-${number}.yml`]);
  assertEquals((await readAlong(store, server)).files.size, 0);
});
