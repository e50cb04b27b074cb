import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { listMessages, makeRig, type Rig } from "../../helpers/rig.ts";
import { namesIn } from "../../helpers/names_in.ts";
import { runTask } from "../../helpers/program.ts";
import { rowsAt, tip } from "../../helpers/repositories.ts";
import { git, makeScratch } from "../../helpers/scratch.ts";
import { vendorServer } from "../../helpers/vendors/vendor_server.ts";
import { parseSummary } from "../../../lib/statistics/summary.ts";

function maintenance(rig: Rig, ...args: string[]) {
  return rig.run("maintenance", { args });
}

async function shown(rig: Rig, slug: string): Promise<[state?: string, badge?: string]> {
  const summary = await git(rig.remote, "show", "main:history/summary.json");
  const badge = await git(rig.remote, "show", `main:api/${slug}/badge-status.svg`);
  return [parseSummary(summary).get(slug)?.current.state, /<title>([^<]*)/.exec(badge)?.[1]];
}

Deno.test("maintenance started by hand is shown by the next run, notifies nobody, and can be ended by hand", async () => {
  await using stack = new AsyncDisposableStack();
  const scratch = stack.use(await makeScratch());
  const hook = stack.use(await vendorServer({ status: 204 }));
  const notifications = [{ type: "webhook" as const, url: hook.url }];
  const rig = stack.use(await makeRig(scratch, { sites: { Shop: {}, Post: {} }, notifications }));
  assertEquals((await rig.update()).code, 0);
  // Commits wait for an hour; nothing of this does.
  const before = await tip(rig.remote, "main");
  const begun = await maintenance(rig, "start", "shop", "--for", "1h", "--reason", "New router");
  assertEquals([begun.code, begun.stderr], [0, ""]);
  assertMatch(begun.stdout, /^Maintenance begins: New router, until .*\nRecorded in /);
  assertEquals(await git(rig.remote, "rev-list", "--count", `${before}..main`), "1");
  assertMatch(
    await git(rig.remote, "log", "-1", "--format=%B", "main"),
    /^Maintenance begins: New router, until .* UTC \(shop\) \[skip ci\]$/,
  );
  rig.turn(503, "Shop");
  const quiet = await rig.update();
  assertEquals([quiet.code, quiet.stderr, listMessages(hook)], [0, "", []]);
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
    /^In maintenance now\n🔧 New router, until .* UTC \((59m|1h) left\): Shop; started by hand\n$/,
  );
  const data = JSON.parse((await maintenance(rig, "--json")).stdout);
  assertEquals([data.running[0].name, data.running[0].sites, data.ahead], ["New router", {
    shop: "down",
  }, []]);

  const over = await maintenance(rig, "stop", "Shop");
  assertEquals([over.code, over.stderr], [0, ""]);
  assertMatch(over.stdout, /^Maintenance is over: New router, after .* → history\/incidents\//);
  assertMatch((await maintenance(rig)).stdout, /^No maintenance is ongoing or planned\.\n/);
  const result = await rig.update();
  assertEquals([result.code, listMessages(hook)], [0, ["shop down"]]);
  assertEquals(await shown(rig, "shop"), ["down", "status: down"]);
});

Deno.test("invalid arguments of maintenance are rejected with the cure, and nothing is written", async () => {
  await using scratch = await makeScratch();
  await scratch.write(
    ".monitorrc.yml",
    "sites:\n  - { name: Shop, url: https://shop.example }\n  - { name: Post, url: https://post.example }\n",
  );
  const length = "use one from 1m to 90d, such as --for 1h";
  const wrong: [args: string, error: string][] = [
    ["start Shop", `Cannot start maintenance: --for is missing; ${length}`],
    ["start Shop --for 0", `Cannot start maintenance: --for 0 is no such duration; ${length}`],
    ["start Shop --for 91d", `Cannot start maintenance: --for 91d is no such duration; ${length}`],
    [
      "start Shop --for soon",
      `Cannot start maintenance: --for soon is no such duration; ${length}`,
    ],
    [
      "start --for 1h",
      "Cannot start maintenance: name sites, or use --all, and not both (the sites are Shop, Post)",
    ],
    [
      "start Shop --all --for 1h",
      "Cannot start maintenance: name sites, or use --all, and not both (the sites are Shop, Post)",
    ],
    [
      "start Shp --for 1h",
      'Cannot find a site "Shp": did you mean "Shop"? the sites are Shop, Post',
    ],
    [
      "strt Shop",
      'Cannot run "maintenance strt", did you mean "start"?: use "monitor maintenance", "monitor maintenance start SITE --for 1h" or "monitor maintenance stop"',
    ],
    ["list --for 1h", "Cannot use --for here: it is for maintenance start"],
    ["stop --reason x", "Cannot use --reason here: it is for maintenance start"],
    ["stop --all", "Cannot use --all here: it is for maintenance start"],
    ["list Shop", 'Cannot list the maintenance of Shop alone: "maintenance" lists all of it'],
    ["stop", 'Cannot end maintenance: none is ongoing ("maintenance" lists it)'],
    ["stop Shop", 'Cannot end maintenance: none of Shop is ongoing ("maintenance" lists it)'],
  ];
  for (const [args, error] of wrong) {
    const found = await runTask("maintenance", { folder: scratch.path, args: args.split(" ") });
    assertEquals([found.code, found.stdout, found.stderr], [2, "", `error: ${error}\n`], args);
  }
  assertEquals(await namesIn(scratch.path), [".monitorrc.yml"]);
  // And without git it works all the same.
  const run = (...args: string[]) => runTask("maintenance", { folder: scratch.path, args });
  const begun = await run("start", "Shop", "--for", "90");
  assertMatch(begun.stdout, /^Maintenance begins: .*\nRecorded: files only, /);
  assertMatch((await run()).stdout, /^In maintenance now\n🔧 Maintenance, until /);
  assertMatch((await run("stop")).stdout, /^Maintenance is over: Maintenance, after /);
});
