import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { parseIncident } from "../../lib/history/incident.ts";
import { parseRecord } from "../../lib/history/record.ts";
import { makeRig } from "../helpers/rig.ts";
import { githubServer } from "../helpers/github_server.ts";
import { checkOut } from "../helpers/checkout.ts";
import { jobOf, madeWorkflow } from "../helpers/made_workflows.ts";
import { output, runProcess, runTask, spawnTask } from "../helpers/program.ts";
import {
  cloneRemote,
  configText,
  EVERY_RUN,
  incidentsAt,
  makeRepository,
  rowsAt,
  rowsIn,
  status,
} from "../helpers/repositories.ts";
import { git, makeRemote, makeScratch } from "../helpers/scratch.ts";
import { closedPort, httpServer, rawServer } from "../helpers/servers.ts";
import { dryRun, PLATFORM, repository, run, update, updateOf } from "../helpers/update_rig.ts";

Deno.test("the incident of a removed or renamed site ends in the next run, which reports it", async () => {
  await using scratch = await makeScratch();
  const down = `http://127.0.0.1:${closedPort()}`;
  const before = configText({ Shop: down, Blog: down });
  const after = configText({ Store: down, Blog: down });
  const plain = join(scratch.path, "plain");
  await Deno.mkdir(plain);
  const remote = await makeRemote(scratch.path, { "readme": "" });
  const folders = [plain, await cloneRemote(remote, join(scratch.path, "clone"))];
  for (const folder of folders) {
    assertEquals((await run(folder, before)).ended, { shop: false, blog: false });
    const record = () => Deno.readTextFile(join(folder, "history", "shop.yml"));
    const known = await record();
    assertMatch(known, /^incident: /m);

    const { stdout, ended } = await run(folder, after);
    assertEquals(ended, { shop: true, store: false, blog: false });
    assertStringIncludes(stdout, "shop is no longer monitored; its incident ends");
    assertEquals(await record(), known.replace(/^incident: .*\n/m, ""));
    const name = `${/^incident: (.*)$/m.exec(known)![1]!.replaceAll("'", "")}.yml`;
    const path = join(folder, "history", "incidents", name);
    const { end, error } = parseIncident(await Deno.readTextFile(path))!;
    const { lastUpdated } = parseRecord(
      await Deno.readTextFile(join(folder, "history", "blog.yml")),
    )!;
    assertEquals(end, lastUpdated);
    assertStringIncludes(error, "connection refused");

    const again = await run(folder, before, ["--json"]);
    assertEquals(JSON.parse(again.stdout).abandoned.map(({ slug }: { slug: string }) => slug), [
      "store",
    ]);
  }
});

Deno.test("--quiet prints nothing if no problem occurs", async () => {
  await using site = httpServer(() => new Response("ok"));
  const config = configText({ A: site.url });
  const { code, stdout, stderr, grown } = await update({ config, args: ["--quiet"] });
  assertEquals([code, stdout, stderr, grown], [0, "", "", ["api", "history"]]);
  const wrong = await update({ config: `${config}  - name: B\n`, args: ["--quiet"] });
  assertEquals([wrong.code, wrong.stdout], [0, ""]);
  assert(wrong.stderr.startsWith("error: .monitorrc.yml:"), wrong.stderr);
});

Deno.test("without a token, incidents are kept in files only, which is reported", async () => {
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github });
  scene.turn(503);
  const { code, stdout } = await scene.update({ env: { HOST_PAT: "" } });
  assertEquals([code, github.asked], [0, []]);
  assertMatch(
    stdout,
    /Incidents: files in history\/incidents\/ \(no HOST_PAT or GITHUB_TOKEN\)\.$/m,
  );
});

Deno.test("a heartbeat that can't be sent is a warning that holds no secret, and fails no run", async () => {
  await using gone = httpServer(() => new Response(null, { status: 404 }));
  await using site = httpServer(() => new Response());
  const sites = [{ name: "A", url: site.url }];
  const cases = [
    [`${gone.url}/$BEAT`, { BEAT: "7f3a-91c2" }, "it answered 404"],
    ["http://127.0.0.1:1/$BEAT", { BEAT: "7f3a-91c2" }, "it can't be reached"],
    [
      "https://hc.example.com/$BEAT",
      {},
      "secret BEAT is missing: pass --secrets FILE, or save it with gh secret set BEAT",
    ],
    ["$BEAT", { BEAT: "no address" }, "its address is not valid"],
  ] as const;
  for (const [address, secrets, reason] of cases) {
    const { code, stderr } = await updateOf({ sites, "heartbeat-url": address }, {
      SECRETS_CONTEXT: JSON.stringify(secrets),
    });
    assertEquals([code, stderr], [0, `warning: The heartbeat could not be sent: ${reason}\n`]);
  }
});

Deno.test("without sites, a job gets outputs that nothing is down, and a summary that says so", async () => {
  const cases: [config: string, outputs: string, summary: RegExp][] = [
    [
      "sites: []\n",
      "down=[]\ndegraded=[]\nchanged=false\n",
      /- \\?\.monitorrc\.yml.* the list is empty/,
    ],
    ["sites:\n  - name: B\n", "", /- .*sites\\\[0\\\]\.url.* is missing/],
    ["sites: [\n", "", /- .*monitorrc\.yml/],
  ];
  for (const [config, outputs, summary] of cases) {
    await using scratch = await makeScratch();
    const folder = await repository(scratch, config);
    await runTask("update", { folder, env: PLATFORM });
    const read = (name: string) => Deno.readTextFile(join(folder, ".git", "monitor", name));
    assertEquals(await read("outputs"), outputs, config);
    assert((await read("summary.md")).startsWith("### Nothing was checked\n\n- "), config);
    assertMatch(await read("summary.md"), summary);
  }
});

Deno.test("update records even if it can't write the job's outputs, and reports why", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = configText({ A: site.url });
  const top = await repository(scratch, config);
  const sub = join(top, "sub");
  const worktree = join(scratch.path, "worktree");
  const plain = join(scratch.path, "plain");
  await git(top, "worktree", "add", "--quiet", "-b", "other", worktree);
  for (const folder of [sub, plain]) {
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, ".monitorrc.yml"), config);
  }
  const outside = "the .git folder is outside the folder in which this program may write";
  const cases = {
    [sub]: outside,
    [worktree]: outside,
    [plain]: "this folder is not in a git work tree",
  };
  for (const [folder, why] of Object.entries(cases)) {
    const { code, stdout } = await runProcess("update", { folder, env: PLATFORM });
    const said = "::warning::later steps get no outputs, and the job no summary: ";
    assertStringIncludes(stdout, `${said}${why}`);
    assertEquals([code, (await rowsIn(folder)).length], [0, 1]);
  }
});

Deno.test("--dry-run works without a remote, and if the remote lacks the branch", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = { ".monitorrc.yml": configText({ A: site.url }) };
  const remote = await makeRemote(scratch.path, config);
  const clone = await cloneRemote(remote, join(scratch.path, "clone"));
  await git(clone, "checkout", "--quiet", "-b", "other");
  for (const folder of [clone, await makeRepository(join(scratch.path, "alone"), config)]) {
    assertStringIncludes(await dryRun(folder), "--- history/a.yml\n");
  }
});

Deno.test("--dry-run decides from the newest state of the remote and moves neither branch nor file, in full and shallow clones", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = configText({ A: site.url }, EVERY_RUN);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const other = await cloneRemote(remote, join(scratch.path, "other"));
  const clones = [
    await cloneRemote(remote, join(scratch.path, "clone")),
    await cloneRemote(remote, join(scratch.path, "shallow"), "--depth=1"),
  ];
  assertEquals((await runTask("update", { folder: other })).code, 0);
  const record = await git(remote, "show", "main:history/a.yml");
  const start = /^startTime: .*$/m.exec(record)![0];
  for (const clone of clones) {
    assertStringIncludes(await dryRun(clone), start);
  }
});

Deno.test("no incident ends if a partial or invalid configuration may be why its site is missing", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "alone"), { "readme": "" });
  const down = `http://127.0.0.1:${closedPort()}`;
  const before = configText({ Shop: down, Blog: site.url });
  assertEquals((await run(folder, before)).ended, { shop: false });
  const broken = `${configText({ Blog: site.url })}  - name: Shop\n    url: 7\n`;
  assertEquals((await run(folder, broken)).ended, { shop: false });
  await Deno.writeTextFile(join(folder, "other.yml"), configText({ Blog: site.url }));
  assertEquals((await run(folder, before, ["--config", "other.yml"])).ended, { shop: false });
  assertEquals((await run(folder, configText({ Blog: site.url }))).ended, { shop: true });
});

Deno.test("update finds all that it reads in the checkout of Uptime CI, and records as anywhere else", async () => {
  await using scratch = await makeScratch();
  let code = 200;
  await using site = httpServer(() => new Response(null, { status: code }));
  const config = configText({ Shop: site.url }, EVERY_RUN);
  const large = "a line of something that no run reads\n".repeat(5000);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config, "large.txt": large });
  const { with: asked } = jobOf(await madeWorkflow("uptime")).steps[0]!;
  const sparse = String(asked!["sparse-checkout"]).trim().split("\n");
  const filter = String(asked!["filter"]);
  // Files that git fetches in addition.
  const trace = join(scratch.path, "trace");
  const settings = join(scratch.path, "settings");
  await Deno.writeTextFile(settings, `[trace2]\n\tnormalTarget = ${trace}\n`);
  for (const [run, seen] of [200, 503, 200].entries()) {
    code = seen;
    const folder = await checkOut(remote, join(scratch.path, `job-${run}`), { sparse, filter });
    const env = { GIT_CONFIG_GLOBAL: settings };
    const result = await runTask("update", { folder, env });
    assertEquals([result.code, result.stderr], [0, ""], result.stdout);
    assertEquals(await status(folder), "");
  }
  assertEquals((await rowsAt(remote, "main")).map(({ state }) => state), ["up", "down", "up"]);
  const [incident, ...others] = await incidentsAt(remote, "main");
  assertEquals([incident?.end !== undefined, others], [true, []]);
  const traced = await Deno.readTextFile(trace);
  assertEquals([...traced.matchAll(/start .* fetch .*--stdin/g)].length, 0);
});

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
  for (let run = 1; run <= 10 && states.at(-1) !== "up"; run++) {
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

Deno.test("a run out of file handles blames no site", async () => {
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

Deno.test({
  name: "a run whose output can't be written is still recorded, and exits with 1",
  // Elsewhere there is no device that is always full.
  ignore: Deno.build.os !== "linux",
  fn: unwritableOutput,
});

async function unwritableOutput() {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await repository(scratch, configText({ A: site.url }));
  const run = (where: string, args: readonly string[]) => redirected(folder, where, args);
  const full = "error: Cannot write the output: No space left on device (os error 28)\n";
  assertEquals(await run("> /dev/full", []), [1, full]);
  assertEquals(await run("| true", []), [0, ""]);
  assertEquals((await rowsAt(folder)).length, 2);
}

/** Exit code and stderr of a run with redirected output. */
async function redirected(
  folder: string,
  where: string,
  args: readonly string[],
): Promise<[code: number, stderr: string]> {
  const script = `set -o pipefail; "$0" "$@" ${where}`;
  const child = spawnTask("update", { folder, args, shell: script });
  const { code, stderr } = await output(child);
  return [code, stderr];
}
