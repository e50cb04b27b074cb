import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  locationWorkflowPath,
  WORKFLOW_KEYS,
  workflowPath,
} from "../../../lib/config/workflows.ts";
import { CHECK_SLOTS, KEEP_SLOTS, splitWorkflow } from "../../../lib/setup/workflow_files.ts";
import {
  ACTION,
  madeWorkflow,
  madeWorkflows,
  type ReadStep,
  readWorkflow,
} from "../../helpers/made_workflows.ts";
import type { Keys } from "../../helpers/sites.ts";

const VIRGINIA = { name: "Virginia", runner: "ubuntu-latest" };
const DUBLIN = { name: "Dublin", runner: ["ubuntu-24.04", "large"] };
const HOME = { name: "At home", runner: ["self-hosted", "pi"] };

const SITES = [
  { name: "Shop", url: "https://$SHOP_HOST/" },
  { name: "Router", check: "icmp", url: "192.0.2.1", locations: ["At home"] },
  { name: "Door", url: "https://$DOOR_HOST/", locations: ["At home"] },
];
const NOTIFICATIONS = [{ type: "slack", "webhook-url": "$SLACK_URL", on: ["down"] }];

const namesOfSecrets = ({ env = {} }: ReadStep) =>
  [...(env["SECRETS_CONTEXT"] ?? "").matchAll(/secrets\.(\w+)/g)].map(([, name]) => name!);

Deno.test("each hosted location has a job, and the deciding job runs even if they fail", async () => {
  const locations = [VIRGINIA, DUBLIN, HOME];
  const { jobs, concurrency, permissions } = await madeWorkflow("uptime", { locations });
  assertEquals(Object.keys(jobs), ["check", "uptime"]);
  assertEquals(concurrency, { group: "monitor-uptime", "cancel-in-progress": false });
  assertEquals(permissions, { contents: "write", issues: "write" });
  const { check, uptime } = jobs;
  assertEquals(check!.strategy, {
    "fail-fast": false,
    matrix: {
      location: [
        { id: "virginia", name: "Virginia", runner: "ubuntu-latest" },
        { id: "dublin", name: "Dublin", runner: ["ubuntu-24.04", "large"] },
      ],
    },
  });
  assertEquals(check!["runs-on"], "${{ matrix.location.runner }}");
  assertEquals(check!.permissions, { contents: "read" });
  assertEquals([check!["timeout-minutes"], uptime!["timeout-minutes"]], [10, 10]);
  assertEquals([check!.concurrency, uptime!.concurrency], [undefined, undefined]);
  assertEquals([uptime!.needs, uptime!.if], [["check"], "${{ !cancelled() }}"]);
  assertEquals(uptime!["runs-on"], "ubuntu-latest");

  const [, probe, upload] = check!.steps;
  const name = "results-${{ matrix.location.id }}-1-of-1-${{ github.run_attempt }}";
  assertEquals(probe!.with, {
    command: "probe",
    location: "${{ matrix.location.id }}",
    results: `monitor-results/${name}.json`,
  });
  assertEquals(upload!["continue-on-error"], true);
  assertMatch(upload!.uses!, /^actions\/upload-artifact@[0-9a-f]{40}$/);
  assertEquals(upload!.with, {
    name,
    path: `monitor-results/${name}.json`,
    "retention-days": 1,
  });
  const [, download, update] = uptime!.steps;
  assertEquals(download!["continue-on-error"], true);
  assertMatch(download!.uses!, /^actions\/download-artifact@[0-9a-f]{40}$/);
  assertEquals(download!.with, {
    ...{ pattern: "results-*", path: "monitor-results", "merge-multiple": true },
  });
  assertEquals(update!.with, { command: "update", results: "monitor-results" });
});

Deno.test("shards are multiplied with locations, or divide the sites alone", async () => {
  const alone = (await madeWorkflow("uptime", { shards: 3 })).jobs["check"]!;
  assertEquals(alone.strategy!.matrix, { shard: [1, 2, 3] });
  assertEquals(alone.name, "Check shard ${{ matrix.shard }} of 3");
  assertEquals(alone["runs-on"], "ubuntu-latest");
  assertEquals(alone.steps[1]!.with, {
    command: "probe",
    shard: "${{ matrix.shard }}/3",
    results: "monitor-results/results-all-${{ matrix.shard }}-of-3-${{ github.run_attempt }}.json",
  });
  const own = await madeWorkflow("uptime", { shards: 2, runner: ["self-hosted", "pi"] });
  assertEquals(own.jobs["check"]!["runs-on"], ["self-hosted", "pi"]);
  const both = (await madeWorkflow("uptime", { shards: 2, locations: [VIRGINIA, DUBLIN] })).jobs;
  const { location, shard } = both["check"]!.strategy!.matrix;
  assertEquals([location!.length, shard], [2, [1, 2]]);
  assertEquals(both["check"]!.steps[1]!.with!["shard"], "${{ matrix.shard }}/2");
});

Deno.test("a single hosted location needs no other job: the deciding one runs there", async () => {
  const { jobs } = await madeWorkflow("uptime", {
    locations: [DUBLIN, HOME, { name: "Paris", globalping: "Paris+FR" }],
    runner: "windows-latest",
  });
  assertEquals(Object.keys(jobs), ["uptime"]);
  assertEquals(jobs["uptime"]!["runs-on"], ["ubuntu-24.04", "large"]);
  assertEquals(jobs["uptime"]!.steps.at(-1)!.with, { command: "update" });
  const usual = await madeWorkflows({ secrets: [] });
  const globalping = [{ name: "Paris", globalping: "Paris+FR" }];
  const { files } = await madeWorkflows({ secrets: [], locations: globalping });
  assertEquals([...files], [...usual.files]);
});

Deno.test("a location on an own machine has a workflow in which a run replaces one that waits", async () => {
  const top = {
    sites: SITES,
    locations: [VIRGINIA, HOME],
    workflowSchedule: { uptime: "*/7 * * * *" },
  };
  const { files } = await madeWorkflows(top);
  assertEquals([...files.keys()].slice(WORKFLOW_KEYS.length), [
    ".github/workflows/uptime-at-home.yml",
  ]);
  const workflow = readWorkflow(files.get(locationWorkflowPath({ id: "at-home" }))!);
  assertEquals(workflow.name, "Uptime CI: At home");
  assertEquals(workflow.on, {
    schedule: [{ cron: "*/7 * * * *" }],
    workflow_dispatch: null,
    repository_dispatch: { types: ["uptime"] },
  });
  assertEquals(workflow.permissions, { contents: "write" });
  const job = workflow.jobs["uptime-at-home"]!;
  assertEquals(job["runs-on"], ["self-hosted", "pi"]);
  assertEquals(job["timeout-minutes"], 10);
  assertEquals(job.concurrency, { group: "monitor-uptime-at-home", "cancel-in-progress": true });
  const [checkout, probe] = job.steps;
  assertEquals(checkout!.with!["token"], "${{ github.token }}");
  assertEquals(probe!.with, { command: "probe-with-ping", location: "at-home" });
  const plain = await madeWorkflows({ locations: [VIRGINIA, HOME] });
  const other = readWorkflow(plain.files.get(locationWorkflowPath({ id: "at-home" }))!);
  assertEquals(other.jobs["uptime-at-home"]!.steps[1]!.with!["command"], "probe");
});

Deno.test("jobs that check get the secrets of their own sites, and nobody's token but their own", async () => {
  const secretsOf = async (top: Keys) => {
    const sites = SITES;
    const locations = [VIRGINIA, DUBLIN, HOME];
    const { files } = await madeWorkflows({
      sites,
      locations,
      notifications: NOTIFICATIONS,
      ...top,
    });
    const paths = [workflowPath("uptime"), locationWorkflowPath({ id: "at-home" })];
    const jobs = paths.flatMap((path) => Object.entries(readWorkflow(files.get(path)!).jobs));
    return Object.fromEntries(jobs.map(([id, { steps }]) => {
      const [checkout, ...others] = steps;
      const step = others.find(({ uses }) => uses === ACTION)!;
      const isDeciding = id === "uptime";
      const token = "${{ secrets.HOST_PAT || github.token }}";
      assertEquals(step.env!["HOST_PAT"], isDeciding ? token : undefined);
      assertEquals(checkout!.with!["token"], isDeciding ? token : "${{ github.token }}");
      assertEquals(checkout!.with!["fetch-depth"], 1);
      return [id, namesOfSecrets(step)];
    }));
  };
  const auto = await secretsOf({});
  assertEquals(auto["check"], ["SHOP_HOST"]);
  assertEquals(auto["uptime-at-home"], ["DOOR_HOST", "SHOP_HOST"]);
  assert(["SHOP_HOST", "DOOR_HOST", "SLACK_URL"].every((one) => auto["uptime"]!.includes(one)));
  const all = await secretsOf({ secrets: "all" });
  assertEquals([all["check"], all["uptime"]], [["SHOP_HOST"], []]);
  const listed = await secretsOf({ secrets: ["DOOR_HOST", "SLACK_URL"] });
  assertEquals(listed, {
    check: [],
    uptime: ["DOOR_HOST", "SLACK_URL"],
    "uptime-at-home": ["DOOR_HOST"],
  });
});

Deno.test("the jobs that check have places for the user's lines, and the deciding job keeps its own", async () => {
  const slots = async (top: Keys) => {
    const { files } = await madeWorkflows(top);
    return [...splitWorkflow(files.get(workflowPath("uptime"))!).kept.keys()].sort();
  };
  assertEquals(await slots({}), [...KEEP_SLOTS].sort());
  assertEquals(await slots({ shards: 2 }), [...KEEP_SLOTS, ...CHECK_SLOTS].sort());
});

Deno.test("256 jobs of long names are far below what GitHub reads", async () => {
  const locations = Array.from({ length: 256 }, (_, index) => ({
    name: `${index} ${"\u{1F4A1}".repeat(40)}`,
    runner: ["ubuntu-latest", `label ${"ü".repeat(200)} ${index}`],
  }));
  const { files } = await madeWorkflows({ locations });
  const bytes = new TextEncoder().encode(files.get(workflowPath("uptime"))!).length;
  assert(bytes < 500_000, `${bytes}`);
});

Deno.test("a location whose name looks like a number keeps its id", async () => {
  const own = { name: "0o7", runner: ["self-hosted", "pi"] };
  const locations = [{ ...VIRGINIA, name: "007" }, { ...VIRGINIA, name: "on" }, own];
  const { files } = await madeWorkflows({ locations });
  const { jobs } = readWorkflow(files.get(workflowPath("uptime"))!);
  const ids = jobs["check"]!.strategy!.matrix["location"]!.map((one) => (one as { id: string }).id);
  assertEquals(ids, ["007", "on"]);
  const text = files.get(locationWorkflowPath({ id: "0o7" }))!;
  assertEquals(readWorkflow(text).jobs["uptime-0o7"]!.steps[1]!.with!["location"], "0o7");
});
