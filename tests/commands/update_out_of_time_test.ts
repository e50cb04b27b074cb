import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runProcess } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer, rawServer } from "../helpers/servers.ts";

Deno.test("a run that is out of time warns how many sites it did not check, and the next runs start with them", async () => {
  await using scratch = await makeScratch();
  await using hanging = await rawServer(() => {});
  await using server = httpServer(() => new Response("ok"));
  const sites = [
    ...Array.from({ length: 90 }, (_, index) => ({ name: `Hangs ${index}`, url: hanging.url })),
    { name: "Last", url: server.url },
  ];
  const config = { canaries: [], concurrency: 4, runDeadline: 1, sites };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const states: string[] = [];
  for (let run = 1; run <= 3 && states.at(-1) !== "up"; run++) {
    const { stdout, stderr } = await runProcess("update", {
      folder: scratch.path,
      args: ["--json"],
    });
    const known: { sites: { state: string; error: string }[] } = JSON.parse(stdout);
    const last = known.sites.at(-1)!;
    states.push(last.state);
    const notAsked = known.sites.filter(({ error }) => error?.startsWith("not asked")).length;
    assertMatch(
      stderr,
      /Only \d+ of 91 sites were checked within the 1 s of runDeadline \(.*\): raise runDeadline or concurrency/,
    );
    if (notAsked > 0) {
      assertStringIncludes(stderr, `(${notAsked} not asked, which come first in the next run; `);
    }
    if (run === 1) assertEquals(last.error, "not asked: the run was out of time");
  }
  assertEquals(states[0], "unknown");
  assert(states.includes("up"), `the last site was ${states}`);
});

Deno.test("a run that may open no more files blames no site for that", async () => {
  await using scratch = await makeScratch();
  await using hanging = await rawServer(() => {});
  const sites = Array.from({ length: 300 }, (_, index) => ({
    name: `Hangs ${index}`,
    url: hanging.url,
  }));
  const config = { canaries: [], concurrency: 150, runDeadline: 3, retry: { delays: [] }, sites };
  await scratch.write(".monitorrc.yml", JSON.stringify(config));
  const { stdout, stderr } = await runProcess("update", {
    folder: scratch.path,
    args: ["--json"],
    shell: 'ulimit -n 200; exec "$0" "$@"',
  });
  const known: { sites: { state: string }[] } = JSON.parse(stdout);
  assertEquals(new Set(known.sites.map(({ state }) => state)), new Set(["unknown"]));
  assertMatch(
    stderr,
    /are unknown, .*: this process may open no more files \(EMFILE\): lower concurrency/,
  );
});
