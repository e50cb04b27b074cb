import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Clock, systemClock } from "../../lib/io/clock.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";

const CONFIG = `canaries: []
issues: false
sites:
  - { name: Nightly backup, slug: backup, check: heartbeat, every: 1h, grace: 10m, file: beats/backup.txt }
  - { name: Import, check: heartbeat, every: 1d, variable: HEARTBEAT_IMPORT }
  - { name: Export, check: heartbeat, every: 1d, dispatch: export }
  - { name: Away, check: heartbeat, every: 1d, file: /nowhere/beat.txt }
  - { name: Shop, url: "http://127.0.0.1:1", paused: true }
`;

/** A folder with the configuration, and commands in it at a time that a test sets. */
async function folderOf(scratch: Scratch, env: Record<string, string> = {}) {
  await scratch.write(".monitorrc.yml", CONFIG);
  let now = Temporal.Instant.from("2026-11-21T10:00:00Z");
  const clock: Clock = { ...systemClock, now: () => now };
  return {
    pass: (minutes: number) => now = now.add({ minutes }),
    run: (task: string, ...args: string[]) =>
      runTask(task, { folder: scratch.path, clock, env, args }),
  };
}

Deno.test("a beat in a file makes a job up, down once it is overdue or fails, and late if it doesn't end", async () => {
  await using scratch = await makeScratch();
  const { run, pass } = await folderOf(scratch);
  const update = async () => (await run("update")).stdout;
  const beat = async (...words: string[]) => {
    const { code, stdout, stderr } = await run("beat", "Nightly backup", ...words);
    assertEquals([code, stderr], [0, ""]);
    return stdout;
  };
  assertEquals(
    await beat(),
    'Saved "ok 2026-11-21T10:00:00.000Z" in beats/backup.txt.\n',
  );
  assertMatch(await update(), /Nightly backup up/);
  pass(71);
  assertStringIncludes(await update(), "the one due at 2026-11-21 11:00 UTC is");
  await beat("start");
  pass(2);
  assertStringIncludes(await beat("0"), '"ok 2026-11-21T11:13:00.000Z 120s"');
  assertMatch(await update(), /Nightly backup up +200 +2m\n/);
  pass(1);
  await beat("3");
  assertEquals(await scratch.read("beats/backup.txt"), "3 2026-11-21T11:14:00.000Z\n");
  assertStringIncludes(await update(), "the job ended with exit code 3");
  pass(1);
  await beat("OK");
  assertMatch(await update(), /Nightly backup up/);
  pass(1);
  await beat("start");
  assertMatch(await update(), /Nightly backup up/);
  pass(11);
  assertStringIncludes(
    await update(),
    "the job started at 2026-11-21 11:16 UTC and did not end within 10 minutes",
  );
  await beat("fail");
  assertStringIncludes(await update(), "the job reported a failure");
});

Deno.test("a beat in a variable is created, then replaced, and read by a run", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  const { run, pass } = await folderOf(scratch, github.env);
  const { variables } = github.settings;
  const first = await run("beat", "import", "start", "--json");
  assertEquals(JSON.parse(first.stdout), {
    site: "import",
    beat: "start 2026-11-21T10:00:00.000Z",
    place: "the variable HEARTBEAT_IMPORT of acme/status",
    saved: true,
  });
  pass(3);
  assertEquals(variables.get("HEARTBEAT_IMPORT"), "start 2026-11-21T10:00:00.000Z");
  assertEquals((await run("beat", "Import", "7")).code, 0);
  assertEquals(variables.get("HEARTBEAT_IMPORT"), "7 2026-11-21T10:03:00.000Z 180s");
  assertStringIncludes((await run("update")).stdout, "the job ended with exit code 7");
  assertEquals(github.violations, []);
});

Deno.test("a token that may not write variables is refused with what it lacks, and not shown", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  for (const login of ["github-actions[bot]", "stranger"]) {
    const { token } = github.account(login);
    const { run } = await folderOf(scratch, { ...github.env, HOST_PAT: token });
    const { code, stdout, stderr } = await run("beat", "Import");
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "Variables: read and write, which the token of a job never has");
    assert(!stderr.includes(token));
  }
  github.state.isPrivate = true;
  const { token } = github.account("stranger");
  const { run } = await folderOf(scratch, { ...github.env, HOST_PAT: token });
  assertStringIncludes((await run("beat", "Import", "start")).stderr, "Variables: read and write");
});

Deno.test("a beat that can't be understood or saved names the cure", async () => {
  await using scratch = await makeScratch();
  const { run } = await folderOf(scratch);
  const cases: [words: string[], code: number, error: string][] = [
    [[], 2, "name a site, as in: beat Backup ok"],
    [["Exprot"], 2, 'did you mean "Export"?'],
    [["Shop"], 2, "it has check: http, not check: heartbeat"],
    [["backup", "256"], 2, 'an exit code from 0 to 255 after the site, found "256"'],
    [["backup", "done"], 2, 'found "done"'],
    [["Nightly", "backup"], 2, "quote a name with spaces"],
    [["backup", "ok", "3"], 2, 'found "ok 3"'],
    [["Export"], 2, "neither file nor variable; add file: beats/export.txt"],
    [["Import"], 2, "no token is set; set HOST_PAT or GITHUB_TOKEN"],
    [["Away"], 1, "Cannot write /nowhere/beat.txt: it is outside of"],
  ];
  for (const [words, code, error] of cases) {
    const ended = await run("beat", ...words);
    assertEquals([ended.code, ended.stdout], [code, ""], words.join(" "));
    assertStringIncludes(ended.stderr, error);
  }
  await scratch.write("beats", "");
  const inTheWay = await run("beat", "backup");
  assertEquals(inTheWay.code, 1);
  assertStringIncludes(inTheWay.stderr, "Cannot write beats/backup.txt: beats is a file");
});

Deno.test("a site is found by its name in any case and Unicode form", async () => {
  await using scratch = await makeScratch();
  const { run } = await folderOf(scratch);
  await scratch.write(".monitorrc.yml", CONFIG.replace("Nightly backup", "Köln"));
  for (const name of ["Köln", "KÖLN", "Ko\u0308ln"]) {
    assertEquals((await run("beat", name)).stderr, "", name);
  }
});
