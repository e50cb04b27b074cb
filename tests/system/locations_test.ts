import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { locationWorkflowPath, workflowPath } from "../../lib/config/workflows.ts";
import { githubServer } from "../helpers/github_server.ts";
import { runTask } from "../helpers/program.ts";
import { remoteAndClone, rowsAt } from "../helpers/repositories.ts";
import { Artifacts } from "../helpers/runner/artifacts.ts";
import { type RanWorkflow, runWorkflow, type StartedJob } from "../helpers/runner/workflow.ts";
import { withTools } from "../helpers/runner/with_tools.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const HOSTED = ["Virginia", "Dublin"];
const FRANKFURT = { name: "Frankfurt", runner: ["self-hosted", "pi"] };
const RESULTS_REF = "refs/monitor/locations/frankfurt";

/**
 * A repository whose generated workflows are run, with two hosted locations and perhaps one on an own machine; what
 * each location sees of the sites Shop and Docs is set by the test.
 */
async function makeWorld({ own = [], top = {} }: { own?: unknown[]; top?: object } = {}) {
  const stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const github = stack.use(await githubServer());
  const hook = stack.use(await vendorServer({ status: 204 }));
  /** Statuses by location and site, such as `dublin/Shop`. */
  const seen = new Map<string, number>();
  const machines = new Map<string, AbortController>();
  let here = "";
  const sites = stack.use(httpServer((request) => {
    machines.get(here)?.abort();
    return new Response(null, { status: seen.get(here + new URL(request.url).pathname) ?? 200 });
  }));
  const locations = [...HOSTED.map((name) => ({ name, runner: "ubuntu-latest" })), ...own];
  const config = {
    ...{ canaries: [], retry: { delays: [] }, history: { commitEvery: 0 }, locations, ...top },
    notifications: [{ type: "webhook", url: "$HOOK", on: ["down", "up", "degraded"] }],
    sites: ["Shop", "Docs"].map((name) => ({
      ...{ name, url: `${sites.url}/${name}`, partial: "ignore" },
    })),
  };
  const { remote, folder: clone } = await remoteAndClone(scratch, JSON.stringify(config));
  const { code, stderr } = await runTask("update-template", { folder: clone, env: github.env });
  assertEquals(code, 0, stderr);
  const tools = join(scratch.path, "tools");
  await Deno.mkdir(tools);
  await Deno.symlink(Deno.execPath(), join(tools, "deno"));
  const common = {
    event: { name: "schedule" },
    ...{ remote, github, secrets: { HOST_PAT: github.token, HOOK: hook.url } },
    env: { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin` },
  };
  const textOf = (path: string) => git(remote, "show", `main:${path}`);
  let runs = 0;
  const newArtifacts = () => new Artifacts(join(scratch.path, `artifacts-${++runs}`));
  return {
    remote,
    github,
    hook,
    /** Sets what a location sees of the Shop. */
    see(codes: Record<string, number>) {
      for (const [id, status] of Object.entries(codes)) seen.set(`${id}/Shop`, status);
    },
    newArtifacts,
    /** Runs Uptime CI, with the machines that are lost as soon as they check. */
    async uptime(
      { artifacts = newArtifacts(), lost = [], again, change = (text) => text }: {
        artifacts?: Artifacts;
        lost?: string[];
        again?: RanWorkflow;
        change?(text: string): string;
      } = {},
    ): Promise<RanWorkflow & { output: string }> {
      const onJob = ({ matrix }: StartedJob) => {
        const { id = "" } = (matrix["location"] ?? {}) as { id?: string };
        here = id;
        if (!lost.includes(id)) return {};
        const machine = new AbortController();
        machines.set(id, machine);
        return { lost: machine.signal };
      };
      const text = change(await textOf(workflowPath("uptime")));
      const ran = await runWorkflow({ ...common, text, artifacts, again, onJob });
      machines.clear();
      return { ...ran, output: ran.steps.map(({ stdout }) => stdout).join("\n") };
    },
    /** Runs the workflow of the own machine, and returns the commit with its results. */
    async frankfurt(): Promise<string> {
      here = "frankfurt";
      const text = await textOf(locationWorkflowPath({ id: "frankfurt" }));
      const { status, steps } = await runWorkflow({ ...common, text });
      assertEquals(status, "success", steps.map(({ stdout }) => stdout).join("\n"));
      return await git(remote, "rev-parse", RESULTS_REF);
    },
    async events() {
      const issues = await github.issues();
      return {
        issues: issues.map(({ title, state }) => `${title}: ${state}`),
        messages: hook.seen.map(({ json }): string => json.type).filter((type) =>
          type !== "notice"
        ),
      };
    },
    /** The rows of the Shop, as `location state`; fails if there is one twice. */
    async rows(): Promise<string[]> {
      const rows = await rowsAt(remote, "main");
      const keys = rows.map(({ run, slug, location }) => `${run} ${slug} ${location ?? ""}`);
      assertEquals(keys.length, new Set(keys).size);
      return rows.filter(({ slug }) => slug === "shop")
        .map(({ location = "all", state }) => `${location} ${state}`);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Replaces the results of the own machine by the same, sent so many hours earlier. */
async function ageResults(remote: string, hours: number): Promise<void> {
  const [path] = (await git(remote, "ls-tree", "-r", "--name-only", RESULTS_REF)).split("\n");
  const text = await git(remote, "show", `${RESULTS_REF}:${path}`);
  const aged = text.replace(
    /\d{4}-\d\d-\d\dT[\d:.]+Z/g,
    (time) => `${Temporal.Instant.from(time).subtract({ hours })}`,
  );
  const folder = await Deno.makeTempDir();
  await git(folder, "clone", "--quiet", "--no-checkout", remote, ".");
  await Deno.mkdir(join(folder, path!, ".."), { recursive: true });
  await Deno.writeTextFile(join(folder, path!), aged);
  await git(folder, "checkout", "--quiet", "--orphan", "aged");
  await git(folder, "rm", "-r", "--quiet", "--cached", "--ignore-unmatch", ".");
  await git(folder, "add", path!);
  await git(folder, "commit", "--quiet", "--message", "Aged");
  await git(folder, "push", "--quiet", "--force", "origin", `HEAD:${RESULTS_REF}`);
  await Deno.remove(folder, { recursive: true });
}

withTools(
  "of three locations one may lie, be killed, be late or sleep for a day: one incident, one message, every row once",
  async () => {
    await using world = await makeWorld({ own: [FRANKFURT] });
    const { remote, see } = world;
    await world.frankfurt();
    const first = await world.uptime();
    assertEquals(first.status, "success", first.output);
    assertEquals(first.jobs.map(({ name, status }) => [name, status]), [
      ["Check from Virginia", "success"],
      ["Check from Dublin", "success"],
      ["uptime", "success"],
    ]);
    assertEquals(await world.rows(), ["all up", "Virginia up", "Dublin up", "Frankfurt up"]);

    // The own machine sleeps, and Dublin lies.
    await ageResults(remote, 25);
    see({ dublin: 503 });
    const lied = await world.uptime();
    assertEquals(lied.status, "success", lied.output);
    assertMatch(lied.output, /Frankfurt.*has sent nothing since/);
    assertEquals(await world.events(), { issues: [], messages: [] });
    assertEquals((await world.rows()).slice(4), ["all up", "Virginia up", "Dublin down"]);

    see({ virginia: 503 });
    const failed = await world.uptime();
    assertEquals(failed.status, "success", failed.output);
    const outage = { issues: ["🛑 Shop is down: open"], messages: ["down"] };
    assertEquals(await world.events(), outage);
    const [issue] = await world.github.issues();
    assertStringIncludes(
      issue!.body,
      "down in Virginia and Dublin (no result from Frankfurt)",
    );

    // The machine of Virginia is gone in the middle of its checks.
    const killed = await world.uptime({ lost: ["virginia"] });
    // One location is less than the quorum, so that nothing is known of any site, and the run says so by failing.
    assertEquals(killed.jobs.map(({ status }) => status), ["failure", "success", "failure"]);
    assertEquals(await world.events(), outage);
    assertEquals((await world.rows()).slice(10), ["all unknown", "Dublin down"]);

    // What Frankfurt has seen arrives after the next decision, and is used by two.
    see({ frankfurt: 503 });
    const late = await world.frankfurt();
    see({ virginia: 200, dublin: 200, frankfurt: 200 });
    await git(remote, "update-ref", "-d", RESULTS_REF);
    const recovered = await world.uptime();
    assertEquals(recovered.status, "success", recovered.output);
    const over = { issues: ["🛑 Shop is down: closed"], messages: ["down", "up"] };
    assertEquals(await world.events(), over);
    await git(remote, "update-ref", RESULTS_REF, late);
    await world.uptime();
    await world.uptime();
    assertEquals(await world.events(), over);
    assertEquals((await world.rows()).slice(12), [
      ...["all up", "Virginia up", "Dublin up"],
      ...["all up", "Virginia up", "Dublin up", "Frankfurt down"],
      ...["all up", "Virginia up", "Dublin up"],
    ]);
    assertEquals(world.github.violations, []);
  },
);

withTools(
  "without results of other jobs nothing is decided, and failed jobs that run again replace their results",
  async () => {
    await using world = await makeWorld();
    const { see } = world;
    const [full, unreachable, both] = [
      world.newArtifacts(),
      world.newArtifacts(),
      world.newArtifacts(),
    ];
    see({ virginia: 503, dublin: 503 });
    full.isFull = true;
    unreachable.isUnreachable = true;
    for (const artifacts of [full, unreachable]) {
      const { jobs, output } = await world.uptime({ artifacts });
      assertEquals(jobs.slice(0, 2).map(({ status }) => status), ["success", "success"]);
      assertMatch(output, /Virginia: its job left no results/);
      assertEquals(await world.events(), { issues: [], messages: [] });
    }
    assertEquals(full.names, []);
    // The monitor says once that it is blind.
    assertEquals(world.hook.seen.map(({ json }) => json.type), ["notice"]);
    assertEquals(await world.rows(), ["all unknown", "all unknown"]);

    // After Dublin has left its results, a step of the user's fails there; only this job, and the deciding one, run
    // again.
    see({ virginia: 503, dublin: 200 });
    const change = (text: string) =>
      text.replace(
        "      # monitor: keep check-after\n",
        (begin) =>
          `${begin}      - run: test \${{ github.run_attempt }}\${{ matrix.location.id }} != 1dublin\n`,
      );
    const first = await world.uptime({ artifacts: both, change });
    assertEquals(first.jobs.map(({ status }) => status), ["success", "failure", "success"]);
    assertEquals(await world.events(), { issues: [], messages: [] });
    see({ dublin: 503 });
    const again = await world.uptime({ artifacts: both, change, again: first });
    assertEquals(again.jobs.map(({ status }) => status), ["success", "success", "success"]);
    assert(again.jobs[0] === first.jobs[0], "a job that has succeeded is not run again");
    assertEquals(both.names.map((name) => name.slice(-2)), ["-1", "-1", "-2"]);
    const outage = { issues: ["🛑 Shop is down: open"], messages: ["down"] };
    assertEquals(await world.events(), outage);
    assertEquals((await world.rows()).slice(2), [
      ...["all up", "Virginia down", "Dublin up"],
      // The row of Virginia is the one of the first attempt.
      ...["all down", "Dublin down"],
    ]);
    assertEquals(world.github.violations, []);
  },
);

withTools("shards divide the sites, and one that is missing leaves its sites unknown", async () => {
  await using world = await makeWorld({ top: { locations: [], shards: 2 } });
  const artifacts = world.newArtifacts();
  // The first shard does not leave anything.
  const { output, jobs } = await world.uptime({
    artifacts,
    change: (text) =>
      text.replace(
        "- name: Upload the results",
        "- if: ${{ matrix.shard == 2 }}\n        name: Upload",
      ),
  });
  assertEquals(jobs.map(({ name }) => name), [
    ...["Check shard 1 of 2", "Check shard 2 of 2", "uptime"],
  ]);
  assertEquals(artifacts.names.length, 1);
  assertStringIncludes(output, "shard 1 of 2 left no results");
  const rows = await rowsAt(world.remote, "main");
  const seen = rows.map(({ state, location }) => `${state} ${location ?? "all"}`);
  assertEquals(seen.sort(), ["unknown all", "up all"]);
  assertEquals(await world.events(), { issues: [], messages: [] });
});
