import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { makeRig, type Rig } from "../helpers/rig.ts";
import { FAULTS, githubServer } from "../helpers/github_server.ts";
import { keepMidnightOut } from "../helpers/midnight.ts";
import { runTask } from "../helpers/program.ts";
import {
  configText,
  incidentsAt,
  makeRepository,
  pathsAt,
  remoteAndClone,
  tip,
  writeHook,
} from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";
import { parseIncident } from "../../lib/history/incident.ts";
import { parseMaintenance } from "../../lib/history/maintenance.ts";
import { formatTime } from "../../lib/time.ts";

function maintenance(rig: Rig, ...args: string[]) {
  return rig.run("maintenance", { args });
}

Deno.test("a configured maintenance window can be ended before any run has recorded its start", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const start = Temporal.Now.instant().subtract({ minutes: 1 }).toString();
  const top = {
    maintenance: [
      { name: "Move", start, duration: "1h", sites: ["Shop"] },
      { name: "Test", start, duration: "1h", sites: ["Post"] },
    ],
  };
  const rig = stack.use(await makeRig(scratch, { sites: { Shop: {}, Post: {} }, top }));
  const over = await maintenance(rig, "stop", "--json");
  const { ended } = JSON.parse(over.stdout);
  assertEquals(ended.map((id: string) => id.slice(11)), ["maintenance-move", "maintenance-test"]);
  assertMatch(
    await git(rig.remote, "log", "-1", "--format=%B", "main"),
    /^Maintenance is over: Move, after .* and 1 more \[skip ci\]\n\nMaintenance is over: Move, .*\nMaintenance is over: Test, /,
  );
  const run = await rig.update();
  assertStringIncludes(run.stdout, "all up. Recorded in ");
  assertEquals(
    (await pathsAt(rig.remote, "main")).filter((path) => path.includes("maintenance")),
    [
      `history/incidents/${ended[0]}.yml`,
      `history/incidents/${ended[1]}.yml`,
    ],
  );
});

Deno.test("maintenance reports a rejected push as an error", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const rig = stack.use(await makeRig(scratch, {}));
  assertEquals((await rig.update()).code, 0);
  await writeHook(rig.remote, "pre-receive", "echo no entry >&2; exit 1");
  const before = await tip(rig.remote, "main");
  const refused = await maintenance(rig, "start", "Shop", "--for", "1h");
  assertEquals([refused.code, refused.stdout], [1, ""]);
  assertEquals(
    refused.stderr,
    "error: Cannot push to main at origin: the remote refused (pre-receive hook declined): no entry\n",
  );
  assertEquals(await tip(rig.remote, "main"), before);
  assertEquals(await incidentsAt(rig.remote, "main"), []);
});

Deno.test("a site still failing when maintenance is ended has failed since that moment, not since the next run", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response(null, { status: 503 }));
  await scratch.write(".monitorrc.yml", configText({ Shop: site.url }));
  const run = async (task: string, ...args: string[]) => {
    const { code, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""]);
  };
  await run("maintenance", "start", "--all", "--for", "1h");
  await run("update");
  await run("maintenance", "stop");
  await run("update");
  const [day] = Temporal.Now.instant().toString().split("T");
  const window = parseMaintenance(
    await scratch.read(`history/incidents/${day}-maintenance-maintenance.yml`),
  );
  const incident = parseIncident(await scratch.read(`history/incidents/${day}-shop.yml`));
  assertEquals(incident!.start.toString(), window!.end!.toString());
});

Deno.test("a damaged maintenance file is left alone, and reported by the maintenance command", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response(null, { status: 503 }));
  await scratch.write(".monitorrc.yml", configText({ "Maintenance mode": site.url }));
  const run = (task: string, ...args: string[]) => runTask(task, { folder: scratch.path, args });
  await run("update");
  await run("maintenance", "start", "--all", "--for", "1h", "--reason", "Disks");
  const [day] = Temporal.Now.instant().toString().split("T");
  const path = `history/incidents/${day}-maintenance-disks.yml`;
  const damaged = (await scratch.read(path)).replace("until: ", "until: about ");
  await scratch.write(path, damaged);
  const warning =
    `warning: ${path} can't be read, so its maintenance is ignored: fix the file or remove it\n`;
  assertEquals((await run("maintenance")).stderr, warning);
  const { code, stdout, stderr } = await run("update");
  assertEquals([code, stderr], [0, warning]);
  assertStringIncludes(stdout, "1 down. ");
  assertEquals(await scratch.read(path), damaged);
});

Deno.test("maintenance lists windows on a detached HEAD too, but refuses to start one there", async () => {
  await using scratch = await makeScratch();
  const folder = await makeRepository(join(scratch.path, "repository"), {
    ".monitorrc.yml": configText({ Shop: "https://shop.example/" }),
  });
  const run = (...args: string[]) => runTask("maintenance", { folder, args });
  assertEquals((await run("start", "shop", "--for", "1h", "--reason", "Disks")).code, 0);
  await git(folder, "checkout", "--quiet", "--detach");
  const { code, stdout, stderr } = await run();
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Disks, until ");
  assertStringIncludes(stderr, "HEAD is detached");
  assertEquals((await run("start", "shop", "--for", "1h")).code, 1);
});

Deno.test("display workflows are started once when maintenance is started by hand, and once when it is ended", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response(null));
  await using github = await githubServer();
  const { folder } = await remoteAndClone(scratch, configText({ Shop: site.url }));
  const { env } = github;
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder, args, env });
    assertEquals([code, stderr], [0, ""], stdout);
    return stdout;
  };
  const summaries = () => github.dispatched.filter((event) => event === "summary").length;
  await run("update");
  assertEquals(github.dispatched, []);
  await run("maintenance", "start", "shop", "--for", "1h", "--reason", "New disks");
  assertStringIncludes(await run("update"), "1 in maintenance. Recorded in ");
  assertEquals(github.dispatched.toSorted(), ["static_site", "summary"]);
  await run("update");
  assertEquals(summaries(), 1);
  await run("maintenance", "stop");
  assertStringIncludes(await run("update"), "1 up. Recorded in ");
  assertEquals(summaries(), 2);
  await run("update");
  assertEquals(summaries(), 2);
  assertEquals(github.violations, []);
});

const CONFIG = `status-website: { name: Acme status }
sites:
  - { name: Shop, url: https://shop.example.com }
`;

/** The site's state in each place that shows it. */
async function shownEverywhere(scratch: Scratch) {
  const run = async (task: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""], stdout);
    return stdout;
  };
  const [summary] = JSON.parse(await scratch.read("history/summary.json"));
  const badge = await scratch.read("api/shop/badge-status.svg");
  const { sites: [site] } = JSON.parse(await run("status", "--json"));
  await run("readme", "--add-markers");
  await run("site");
  const page = await scratch.read("site/status-page/export/index.html");
  const readme = await scratch.read("README.md");
  return {
    summary: summary.state,
    badge: /<title>status: ([^<]*)/.exec(badge)?.[1],
    status: site.state,
    lastChecked: site.lastChecked,
    readme: /🔧|🟩/u.exec(readme)?.[0],
    page: /data-slug="shop"[\s\S]*?class="name (\w+)"/.exec(page)?.[1],
    headline: /class="hero (\w+)"/.exec(page)?.[1],
    checkedOnPage: page.includes(`datetime="${site.lastChecked}"`),
  };
}

Deno.test("maintenance that somebody starts or ends is shown everywhere at once, and its checks count as checks", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await scratch.write("README.md", "# Acme\n");
  const now = Temporal.Now.instant().round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const to = now.subtract({ minutes: 20 });
  await writeHistory(scratch.path, [{ slug: "shop" }], { from: now.subtract({ hours: 30 }), to });
  const run = async (task: string, ...args: string[]) => {
    const { code, stderr } = await runTask(task, { folder: scratch.path, args });
    assertEquals([code, stderr], [0, ""]);
  };
  await run("response-time");
  const inMaintenance = {
    summary: "maintenance",
    badge: "maintenance",
    status: "maintenance",
    page: "maintenance",
    headline: "maintenance",
    checkedOnPage: true,
  };
  const up = {
    summary: "up",
    badge: "up",
    status: "up",
    page: "up",
    headline: "up",
    checkedOnPage: true,
  };
  const { readme: before, ...first } = await shownEverywhere(scratch);
  assertEquals(first, { ...up, lastChecked: formatTime(to) });

  await run("maintenance", "start", "shop", "--for", "1h");
  const { readme: during, ...started } = await shownEverywhere(scratch);
  assertEquals(started, { ...inMaintenance, lastChecked: formatTime(to) });
  assertEquals([before, during], ["🟩", "🔧"]);

  // A run in the window writes a row and leaves the record alone.
  const time = Temporal.Now.instant().round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const path = checksPath(time);
  const log = await scratch.read(path).catch(() => undefined);
  const row = {
    time,
    run: "0badcafe",
    slug: "shop",
    state: "maintenance",
    code: 200,
    ms: 90,
    attempts: 1,
  } as const;
  await scratch.write(path, appendRows(log, [row]));
  const { readme: _, ...checked } = await shownEverywhere(scratch);
  assertEquals(checked, { ...inMaintenance, lastChecked: formatTime(time) });
  const { stdout } = await runTask("status", { folder: scratch.path });
  assertMatch(stdout, new RegExp(`Last checked ${time.toString().slice(11, 16)} UTC`));
  await run("response-time");
  const [{ lastUpdated }] = JSON.parse(await scratch.read("history/summary.json"));
  assertEquals(lastUpdated, formatTime(time));

  await run("maintenance", "stop");
  const { readme: after, ...ended } = await shownEverywhere(scratch);
  assertEquals(ended, { ...up, lastChecked: formatTime(time) });
  assert(after === "🟩");
});

Deno.test("announced maintenance continues while GitHub does not tell if its author may write, which is asked for once a day", async () => {
  await keepMidnightOut();
  await using scratch = await makeScratch();
  await using github = await githubServer();
  await using scene = await makeRig(scratch, { github });
  const { update, turn } = scene;
  const member = Object.assign(github.account("stranger"), { association: "MEMBER" });
  member.permission = "write";
  const to = (minutes: number) => formatTime(Temporal.Now.instant().add({ minutes }));
  const body = `<!--\nstart: ${to(-5)}\nend: ${to(60)}\nexpectedDown: shop\n-->`;
  await github.person("stranger").open({ title: "Move", body });
  await github.person("acme").label(1, "maintenance");
  turn(503);
  const asked = () => github.asked.filter((one) => one.includes("/collaborators/")).length;
  for (let run = 1; run <= 2; run++) {
    assertStringIncludes((await update()).stdout, "1 in maintenance.");
    assertEquals(asked(), 1);
  }
  // The answers are lost with the run state.
  await git(scene.remote, "update-ref", "-d", PENDING_REF);
  github.fault("GET /repos/acme/status/collaborators/*/permission", FAULTS.serverError, {
    times: 99,
  });
  const waits = await update();
  assertStringIncludes(waits.stdout, "1 in maintenance.");
  assertStringIncludes(
    waits.stderr.replace(/\s+/g, " "),
    "Maintenance that was known before still",
  );
  github.forgetFaults();
  member.permission = "read";
  const over = await update();
  assertStringIncludes(over.stdout, "1 down.");
  const note = "the maintenance that issue #1 announces: its author stranger has no write access";
  assertStringIncludes(over.stderr.replace(/\s+/g, " "), note);
  assertEquals(github.violations, []);
});
