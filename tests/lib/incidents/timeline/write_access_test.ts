import { assertEquals, assertStringIncludes } from "@std/assert";
import { IncidentLife } from "../../../helpers/incident_life.ts";
import { MemoryStore } from "../../../helpers/memory_store.ts";
import {
  FAULTS,
  type GitHubServer,
  githubServer,
  refusalOf,
} from "../../../helpers/github_server.ts";
import { readAlong, type ReadOptions, writtenOn } from "../../../helpers/timelines.ts";

const ACCESS = "GET /repos/acme/status/collaborators/*/permission";
const TODAY = Temporal.Instant.from("2026-11-22T10:00:00Z");

/** An open incident on whose issue everybody may comment, among them a member of the organization. */
async function outage(server: GitHubServer) {
  const store = new MemoryStore();
  const life = await IncidentLife.begin(server, {}, store);
  await life.run(0, "up");
  await life.run(5, "down");
  await server.person("acme").unlock(1);
  const member = server.account("stranger");
  member.association = "MEMBER";
  const read = async (options: ReadOptions = {}) => {
    const timelines = await readAlong(store, server, { time: TODAY, ...options });
    return { ...timelines, written: Object.values(writtenOn(timelines)).flat() };
  };
  const asked = () => server.asked.filter((one) => one.includes("/collaborators/"));
  return { store, member, read, asked };
}

Deno.test("timelines contain comments by people with write access, and not by every member of the organization", async () => {
  await using server = await githubServer();
  const { member, read } = await outage(server);
  const person = server.person("stranger");
  await person.comment(1, "Resolved: I only read here");
  await server.person("acme").comment(1, "It is the router.");
  await server.person("monitor-bot").comment(1, "Identified: a cable");
  for (const permission of ["read", "none"] as const) {
    member.permission = permission;
    assertEquals((await read()).written, ["It is the router.", "identified: a cable"]);
  }
  for (const permission of ["write", "admin"] as const) {
    await using other = await githubServer();
    const { member, read } = await outage(other);
    member.permission = permission;
    await other.person("stranger").comment(1, "Resolved: I may write");
    assertEquals((await read()).written, ["resolved: I may write"]);
    assertEquals(other.violations, []);
  }
  // A collaborator with read access.
  member.association = "COLLABORATOR";
  member.permission = "read";
  await person.comment(1, "So do I");
  assertEquals((await read()).written, ["It is the router.", "identified: a cable"]);
  assertEquals(server.violations, []);
});

Deno.test("a permission is requested once per person and day, never for strangers and the owner", async () => {
  await using server = await githubServer();
  const { member, read, asked } = await outage(server);
  member.permission = "write";
  for (const text of ["one", "two"]) {
    await server.person("stranger").comment(1, text);
    await server.person("acme").comment(1, `${text}, too`);
  }
  const own = ["GET /repos/acme/status/collaborators/stranger/permission"];
  assertEquals((await read()).written.length, 4);
  assertEquals(asked(), own);
  await server.person("stranger").comment(1, "three");
  member.permission = "read";
  assertEquals((await read({ time: TODAY.add({ hours: 13 }) })).written.length, 5);
  assertEquals(asked(), own);
  // A permission lost by the next day counts from the next change on.
  await server.person("acme").comment(1, "four");
  assertEquals((await read({ time: TODAY.add({ hours: 14 }) })).written, [
    "one, too",
    "two, too",
    "four",
  ]);
  assertEquals(asked(), [...own, ...own]);
  member.association = undefined;
  await server.person("stranger").comment(1, "five");
  await read({ time: TODAY.add({ hours: 40 }) });
  assertEquals(asked().length, 2);
});

Deno.test("if the token can't read permissions, the owner and collaborators count, with one warning a day", async () => {
  await using server = await githubServer();
  const { member, read, asked } = await outage(server);
  member.permission = "write";
  server.fault(ACCESS, refusalOf(403, "Resource not accessible by personal access token"), {
    times: 99,
  });
  const warnings: string[] = [];
  const options = { warn: (text: string) => void warnings.push(text) };
  await server.person("stranger").comment(1, "from a member");
  await server.person("acme").comment(1, "from the owner");
  await server.person("monitor-bot").comment(1, "from somebody invited");
  const expected = ["from the owner", "from somebody invited"];
  assertEquals((await read(options)).written, expected);
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0]!, "Cannot see who may write in acme/status: ");
  assertStringIncludes(
    warnings[0]!,
    "only comments and issues of the owner and of invited collaborators count",
  );
  const { length } = asked();
  await server.person("stranger").comment(1, "again");
  assertEquals((await read(options)).written, expected);
  assertEquals([warnings.length, asked().length], [1, length]);
  member.association = "COLLABORATOR";
  await server.person("stranger").comment(1, "invited");
  assertEquals((await read(options)).written.length, 5);
});

Deno.test("while GitHub does not say who may write, timelines stay as they were, and are read later", async () => {
  await using server = await githubServer();
  const { member, read } = await outage(server);
  member.permission = "write";
  await server.person("acme").comment(1, "before");
  await read();
  await server.person("stranger").comment(1, "news");
  server.fault(ACCESS, FAULTS.unavailable, { times: 99 });
  const { written, stale } = await read();
  assertEquals(written, ["before"]);
  assertStringIncludes(String(stale), "Cannot see who may write in acme/status");
  server.forgetFaults();
  assertEquals((await read()).written, ["before", "news"]);
});

Deno.test("incidents that people report count if these have write access", async () => {
  await using server = await githubServer();
  const { member, read, asked } = await outage(server);
  await server.person("stranger").open({ title: "Mail is late" });
  await server.person("acme").label(2, "incident");
  const manual = async (time = TODAY) => {
    const { incidents } = await read({ time });
    return [...incidents.values()].flatMap((one) => one.kind === "manual" ? [one.name] : []);
  };
  for (const association of ["MEMBER", "COLLABORATOR", undefined] as const) {
    member.association = association;
    member.permission = "read";
    assertEquals(await manual(), [], association);
  }
  member.association = "MEMBER";
  member.permission = "write";
  assertEquals(await manual(), [], "The answer of this day is kept.");
  assertEquals(asked().length, 1);
  const tomorrow = TODAY.add({ hours: 24 });
  assertEquals(await manual(tomorrow), ["Mail is late"]);
  // What is known stays if the token loses the right to ask.
  server.fault(ACCESS, refusalOf(403, "Resource not accessible by integration"), { times: 99 });
  assertEquals(await manual(tomorrow.add({ hours: 24 })), ["Mail is late"]);
  assertEquals(server.violations, []);
});

Deno.test("of what jobs write, only announcements count, whichever token reads them", async () => {
  await using server = await githubServer();
  const { read } = await outage(server);
  const marker = "\n\n<!-- monitor-announcement: 1a2b3c4d -->";
  const job = server.person("github-actions[bot]");
  await job.comment(1, "Identified: of another workflow");
  await job.comment(1, `**Identified:** announced${marker}`);
  await job.comment(1, `A copy of${marker} what somebody wrote`);
  await server.person("stranger").comment(1, `forged${marker}`);
  const labels = ["incident"];
  const open = { title: "Slow", body: `We know.${marker}`, labels };
  await job.open(open);
  await server.person("acme").label(await server.person("stranger").open(open), ...labels);
  for (const login of ["monitor-bot", "github-actions[bot]"]) {
    const { incidents, written } = await read({ login });
    assertEquals(written, ["identified: announced"], login);
    const manual = [...incidents.values()].filter(({ kind }) => kind === "manual");
    assertEquals(manual.map(({ issue }) => issue), [2], login);
  }
  assertEquals(server.violations, []);
});
