import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type AlertRig, alertRig, heardBy } from "../helpers/alert_rig.ts";
import { namesIn } from "../helpers/names_in.ts";
import { runTask } from "../helpers/program.ts";
import { rowsAt, tip } from "../helpers/repositories.ts";
import { git, makeScratch, type Scratch } from "../helpers/scratch.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { appendRows, checksPath } from "../../lib/history/checks_log.ts";
import { parseSummary } from "../../lib/statistics/summary.ts";
import { formatTime } from "../../lib/time.ts";

function maintenance(rig: AlertRig, ...args: string[]) {
  return rig.run("maintenance", { args });
}

async function shown(rig: AlertRig, slug: string): Promise<[state?: string, badge?: string]> {
  const summary = await git(rig.remote, "show", "main:history/summary.json");
  const badge = await git(rig.remote, "show", `main:api/${slug}/badge-status.svg`);
  return [parseSummary(summary).get(slug)?.current.state, /<title>([^<]*)/.exec(badge)?.[1]];
}

Deno.test("maintenance that is begun by hand is shown by the next run, tells nobody, and ends by hand", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const notifications = [{ type: "webhook" as const, url: hook.url }];
  const rig = stack.use(await alertRig(scratch, { sites: { Shop: {}, Post: {} }, notifications }));
  assertEquals((await rig.update()).code, 0);
  // Commits wait for an hour; nothing of this does.
  const dry = await maintenance(rig, "start", "Shop", "--for", "1h", "--dry-run");
  assertMatch(
    dry.stdout,
    /^Shop is in maintenance until .* UTC \(1 hour\): Maintenance\.\nNothing was written; it would write history\/incidents\/.*-maintenance-maintenance\.yml\.\n$/,
  );
  const before = await tip(rig.remote, "main");
  const begun = await maintenance(rig, "start", "shop", "--for", "1h", "--reason", "New router");
  assertEquals([begun.code, begun.stderr], [0, ""]);
  assertMatch(
    begun.stdout,
    /^Shop is in maintenance until .* \(1 hour\): New router\.\nRecorded in /,
  );
  assertEquals(await git(rig.remote, "rev-list", "--count", `${before}..main`), "1");
  assertMatch(
    await git(rig.remote, "log", "-1", "--format=%B", "main"),
    /^Maintenance begins: New router, until .* UTC \(shop\) \[skip ci\]$/,
  );
  rig.turn(503, "Shop");
  const quiet = await rig.update();
  assertEquals([quiet.code, quiet.stderr, heardBy(hook)], [0, "", []]);
  assertStringIncludes(quiet.stdout, "1 up, 1 in maintenance. Recorded in ");
  assertEquals(await shown(rig, "shop"), ["maintenance", "status: maintenance"]);
  assertEquals(await shown(rig, "post"), ["up", "status: up"]);
  const rows = (await rowsAt(rig.remote, "main")).filter(({ slug }) => slug === "shop");
  assertEquals(rows.map(({ state, attempts }) => [state, attempts]), [["up", 1], [
    "maintenance",
    1,
  ]]);

  const list = await maintenance(rig);
  assertMatch(
    list.stdout,
    /^In maintenance now\n {2}🔧 New router, until .* UTC \((59m|1h) left\)\n {5}Shop; begun by hand\n$/,
  );
  const data = JSON.parse((await maintenance(rig, "--json")).stdout);
  assertEquals([data.running[0].name, data.running[0].sites, data.ahead], ["New router", {
    shop: "down",
  }, []]);

  const over = await maintenance(rig, "stop", "Shop");
  assertEquals([over.code, over.stderr], [0, ""]);
  assertMatch(
    over.stdout,
    /^Maintenance is over: New router, begun at .* UTC → history\/incidents\//,
  );
  assertMatch((await maintenance(rig)).stdout, /^No maintenance is ongoing or planned\.\n/);
  const told = await rig.update();
  assertEquals([told.code, heardBy(hook)], [0, ["shop down"]]);
  assertEquals(await shown(rig, "shop"), ["down", "status: down"]);
});

Deno.test("what can't be meant is told with a cure, and writes nothing", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    "sites:\n  - { name: Shop, url: https://shop.example }\n  - { name: Post, url: https://post.example }\n",
  );
  const length = "give one from 1m to 90d, such as --for 1h";
  const wrong: [args: string, error: string][] = [
    ["start Shop", `Cannot begin maintenance: --for says how long; ${length}`],
    ["start Shop --for 0", `Cannot begin maintenance: --for 0 is no such length; ${length}`],
    ["start Shop --for 91d", `Cannot begin maintenance: --for 91d is no such length; ${length}`],
    ["start Shop --for soon", `Cannot begin maintenance: --for soon is no such length; ${length}`],
    [
      "start --for 1h",
      "Cannot begin maintenance: name its sites, or give --all (the sites are Shop, Post)",
    ],
    [
      "start Shop --all --for 1h",
      "Cannot begin maintenance: name sites, or give --all, and not both",
    ],
    [
      "start Shp --for 1h",
      'Cannot find a site "Shp": did you mean "Shop"? the sites are Shop, Post',
    ],
    [
      "strt Shop",
      'Cannot do "strt" with maintenance, did you mean "start"? (maintenance lists it, "maintenance start SITE --for 1h" begins it, "maintenance stop" ends it)',
    ],
    ["list --for 1h", "Cannot use --for here: it is for maintenance start"],
    ["stop --reason x", "Cannot use --reason here: it is for maintenance start"],
    ["stop --all", "Cannot use --all here: it is for maintenance start"],
    [
      "list Shop",
      'Cannot list the maintenance of Shop alone: "maintenance" lists all of it',
    ],
    ["stop", 'Cannot end maintenance: none goes on ("maintenance" shows what does)'],
    ["stop Shop", 'Cannot end maintenance: none goes on of Shop ("maintenance" shows what does)'],
  ];
  for (const [args, error] of wrong) {
    const found = await runTask("maintenance", { folder: scratch.path, args: args.split(" ") });
    assertEquals([found.code, found.stdout, found.stderr], [2, "", `error: ${error}\n`], args);
  }
  assertEquals(await namesIn(scratch.path), [".monitorrc.yml"]);
  // And without git it works all the same.
  const run = (...args: string[]) => runTask("maintenance", { folder: scratch.path, args });
  const begun = await run("start", "Shop", "--for", "90");
  assertMatch(begun.stdout, /\(1 hour, 30 minutes\): Maintenance\.\nRecorded: files only, /);
  assertMatch((await run()).stdout, /^In maintenance now\n {2}🔧 Maintenance, until /);
  assertMatch((await run("stop")).stdout, /^Maintenance is over: Maintenance, begun at /);
});

const CONFIG = `status-website: { name: Acme status }
sites:
  - { name: Shop, url: https://shop.example.com }
`;

/** What each place that shows the site says of its state. */
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
    page: /data-slug="shop"[\s\S]*?class="state (\w+)"/.exec(page)?.[1],
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
  assertMatch(stdout, new RegExp(`last checked ${time.toString().slice(11, 16)} UTC`));
  await run("response-time");
  const [{ lastUpdated }] = JSON.parse(await scratch.read("history/summary.json"));
  assertEquals(lastUpdated, formatTime(time));

  await run("maintenance", "stop");
  const { readme: after, ...ended } = await shownEverywhere(scratch);
  assertEquals(ended, { ...up, lastChecked: formatTime(time) });
  assert(after === "🟩");
});
