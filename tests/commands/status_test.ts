import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv/parse";
import { join } from "node:path";
import { namesIn } from "../helpers/names_in.ts";
import { runTask } from "../helpers/program.ts";
import { rendered } from "../helpers/rendered_markdown.ts";
import { configText } from "../helpers/repositories.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";
import { CONFIG, writeTwoDays } from "../helpers/status_rig.ts";
import { StillClock } from "../helpers/still_clock.ts";
import { writeHistory } from "../helpers/written_history.ts";
import { noConfigNote } from "../../lib/config/load.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { textWidth } from "../../lib/text/columns.ts";

Deno.test("status shows all sites, one site in detail, and both as JSON", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", CONFIG);
  await writeTwoDays(scratch.path);
  const { code, stdout, stderr } = await runTask("status", { folder: scratch.path });
  assertEquals([code, stderr], [0, ""]);
  const lines = stdout.trimEnd().split("\n");
  for (const line of lines) assert(textWidth(line) <= 100, line);
  assertMatch(stdout, /^✘ Shop +down 2h \dm .* 91\.\d\d%.*×{2}$/m);
  assertMatch(stdout, /^Far\n✔ 日本 \| <b> {2}up 2d .*100%/m);
  assertMatch(stdout, /^\? New +no data/m);
  assertMatch(lines.at(-1)!, /^1 up, 1 down, 1 without data\. Last checked .*UTC\.$/);

  const one = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertEquals([one.code, one.stderr], [0, ""]);
  assertMatch(
    one.stdout,
    /^Shop {2}http {2}https:\/\/shop\.example\.com\n\n✘ down for 2 hours \d minutes/,
  );
  assertMatch(one.stdout, /✘ down: connection refused .* 2h \dm +#12\n$/);
  const hidden = await runTask("status", { folder: scratch.path, args: ["ja", "--json"] });
  const { sites } = JSON.parse(hidden.stdout);
  assertEquals([sites.length, sites[0].name, sites[0].address], [1, "日本 | <b>", null]);
  const shop =
    JSON.parse((await runTask("status", { folder: scratch.path, args: ["--json"] })).stdout)
      .sites[0];
  assertEquals([shop.state, shop.incident.issue, shop.windows.day.objective.met], [
    "down",
    12,
    false,
  ]);
  assertEquals(shop.windows.day.mttr, null);
  assertEquals(await namesIn(scratch.path), [".monitorrc.yml", "history"]);
});

Deno.test("status works before the first run, and says how to fix a wrong name or configuration", async () => {
  await using scratch = await makeScratch();
  const run = (...args: string[]) => runTask("status", { folder: scratch.path, args });
  const none = await run();
  assertEquals([none.code, none.stdout], [2, ""]);
  assertMatch(none.stderr, /^error: Cannot find \.monitorrc\.yml in /);
  await scratch.write(".monitorrc.yml", CONFIG);
  const { code, stdout } = await run();
  assertEquals(code, 0);
  assertMatch(
    stdout,
    /\nall without data\. No site has been checked yet: "monitor update" checks /,
  );
  assert(!/\d%/.test(stdout.replaceAll("99.9%", "")), stdout);
  const wrong = await run("shp");
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertMatch(
    wrong.stderr,
    /^error: Cannot find a site "shp": did you mean "Shop"\? the sites are /m,
  );
  const folder = folderWorkspace(scratch.path);
  await folder.write("history/incidents/2026-11-21-shop.yml", "slug: [\n");
  const torn = "history/incidents/2026-11-21-shop.yml can't be read";
  assertStringIncludes((await run()).stderr, `warning: ${torn}, so its incident is left out`);
  await folder.write(
    "history/checks/2026-11-21-2.csv",
    "time;run;slug\n2026-11-21;9f3c01ab;shop\n",
  );
  assertStringIncludes(
    (await run()).stderr,
    "warning: history/checks/2026-11-21-2.csv can't be read, so its checks are left out: the first line",
  );
  await scratch.write(".monitorrc.yml", "sites: []\n");
  assertStringIncludes((await run()).stdout, "There is nothing to monitor");
  await scratch.write(".monitorrc.yml", "sites: [\n");
  assertEquals((await run()).code, 2);
});

const DOWN = `http://127.0.0.1:${closedPort()}`;

Deno.test("state works without configuration, remote and earlier runs", async () => {
  await using scratch = await makeScratch();
  const empty = await runTask("state", { folder: scratch.path });
  assertEquals([empty.code, empty.stderr], [0, `warning: ${noConfigNote()}\n`]);
  assertMatch(
    empty.stdout,
    /^Run state +none yet\nHistory +files only, the folder is not in a git repository/,
  );
  assertEquals(
    JSON.parse((await runTask("state", { folder: scratch.path, args: ["--json"] })).stdout).memory,
    null,
  );
  await scratch.write(".monitorrc.yml", configText({ Broken: DOWN }));
  await runTask("update", { folder: scratch.path });
  await Deno.remove(join(scratch.path, ".monitorrc.yml"));
  const { stdout } = await runTask("state", { folder: scratch.path });
  assertMatch(stdout, /^Run state +history\/state\nHistory +files only/m);
  assertStringIncludes(stdout, "Waiting      nothing");
});

Deno.test("state shows pending checks even if the rest of the run state is unreadable", async () => {
  await using scratch = await makeScratch();
  await Deno.mkdir(join(scratch.path, "history/state"), { recursive: true });
  await scratch.write("history/state/memory.json", "torn");
  await scratch.write(
    "history/state/checks.csv",
    "time,run,slug,state,code,ms,attempts\n2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,80,1\n",
  );
  const { stdout } = await runTask("state", { folder: scratch.path });
  assertMatch(stdout, /^Run state +none yet$/m);
  assertMatch(stdout, /^ {2}✔ shop +up +80 ms {2}1 check$/m);
});

const REPORTED = `owner: acme
repo: status
timezone: Europe/Berlin
slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "=1+1 | <b>", slug: odd, url: https://odd.example.com }
`;

const at = (text: string) => Temporal.Instant.from(text);

/** Some days before and after the end of March, whose last Sunday is an hour shorter in Berlin. */
const KNOWN = { from: at("2025-03-27T00:00:00Z"), to: at("2025-04-02T00:00:00Z") };

const OUTAGE = { from: at("2025-03-31T21:00:00Z"), to: at("2025-03-31T23:00:00Z"), issue: 7 };

Deno.test("report prints a month in its time zone, as Markdown and as CSV", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", REPORTED);
  await writeHistory(scratch.path, [{ slug: "shop", outages: [OUTAGE] }, { slug: "odd" }], KNOWN);
  const run = (...args: string[]) => runTask("report", { folder: scratch.path, args });

  const { code, stdout, stderr } = await run("--month", "2025-03");
  assertEquals([code, stderr], [0, ""]);
  assertMatch(
    stdout,
    /^# Uptime in March 2025\n\n- Monitor: \[acme\/status\]\(https:\/\/github\.com\/acme\/status\)\n/,
  );
  assertStringIncludes(stdout, "from 2025-03-01 00:00 to 2025-04-01 00:00, Europe/Berlin");
  // The month ends at 22:00 UTC: half of the outage lies in it.
  assertMatch(
    stdout,
    /^\| Shop \| 99\.1\d% \| 100% \| 1 hour \| 1 \| 1 hour \| .* \| 99\.9%: missed \| 1 hour of 7 minutes /m,
  );
  assertStringIncludes(
    stdout,
    "| Shop | 2025-03-31 23:00 | 2025-04-01 01:00 | 2 hours (1 hour of it in this month) | down | connection refused | [#7](https://github.com/acme/status/issues/7) |",
  );
  assertEquals(rendered(stdout).elements.filter((name) => name === "table").length, 2);

  const csv = await run("--month", "2025-03", "--format", "csv");
  assertEquals([csv.code, csv.stderr], [0, ""]);
  const [header, shop, odd] = parse(csv.stdout);
  const cell = (name: string) => shop![header!.indexOf(name)];
  assertEquals([cell("from"), cell("to")], [
    "2025-03-01T00:00:00+01:00",
    "2025-04-01T00:00:00+02:00",
  ]);
  assertEquals([cell("down_s"), cell("slo_met"), odd![0]], ["3600", "false", "'=1+1 | <b>"]);
  const incidents = parse((await run("--month", "2025-03", "--format", "csv-incidents")).stdout);
  assertEquals(incidents.map(([site]) => site), ["site", "Shop"]);

  const data = JSON.parse((await run("--month", "2025-04", "--json")).stdout);
  assertEquals([data.from, data.sites[0].down], ["2025-03-31T22:00:00.000Z", 3600]);

  const { stdout: other } = await run();
  assertStringIncludes(other, "There are checks from 2025-03 to 2025-04: choose one with --month");
});

Deno.test("on a terminal, report is a text of columns or facts, and Markdown only if asked for", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", REPORTED);
  await writeHistory(scratch.path, [{ slug: "shop", outages: [OUTAGE] }, { slug: "odd" }], KNOWN);
  const run = (columns: number | undefined, ...args: string[]) =>
    runTask("report", { folder: scratch.path, args: ["--month", "2025-03", ...args], columns });
  const markdown = (await run(undefined)).stdout;
  assertEquals((await run(60, "--format", "markdown")).stdout, markdown);
  const wide = (await run(240)).stdout;
  assertMatch(wide, /^Shop +2025-03-31 23:00 +2025-04-01 01:00 +2 hours \(1 hour of it/m);
  assertMatch(wide, /#7$/m);
  const narrow = (await run(60)).stdout;
  assertMatch(narrow, /^Shop\n {2}Uptime +99\.1\d%\n {2}Coverage +100%\n/m);
  for (const line of narrow.split("\n")) assert(textWidth(line) <= 60, line);
  assert(!/[|\\]|\[#7\]|^#/m.test(narrow.replaceAll("=1+1 | <b>", "")), narrow);
  assertStringIncludes(narrow, "acme/status (https://github.com/acme/status)");
});

Deno.test("report rejects an invalid month, an invalid format and a site that does not exist", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", REPORTED);
  const run = (...args: string[]) => runTask("report", { folder: scratch.path, args });
  const wrong: [args: string[], error: RegExp][] = [
    [
      ["--month", "2026-13"],
      /^error: Cannot report the month "2026-13": expected a year and a month, such as --month \d{4}-\d\d\n$/,
    ],
    [["--month", "March"], /^error: Cannot report the month "March": /],
    [["--month", ""], /^error: Cannot use --month: it needs a value\n$/],
    [
      ["--format", "cvs"],
      /^error: Cannot use --format cvs: did you mean "csv"\? the formats are markdown, csv, csv-incidents\n$/,
    ],
    [
      ["--format", "csv", "--json"],
      /^error: Cannot use --format with --json: choose one of them\n$/,
    ],
    [["March"], /^error: Cannot run "report March": /],
  ];
  for (const [args, error] of wrong) {
    const { code, stdout, stderr } = await run(...args);
    assertEquals([code, stdout], [2, ""], stderr);
    assertMatch(stderr, error);
  }
  const past = await run("--month", "2020-02");
  assertEquals([past.code, past.stderr], [0, ""]);
  assertStringIncludes(past.stdout, "No checks of this month are recorded");
  const future = await run("--month", "9000-01", "--format", "csv");
  assertEquals(future.code, 0);
  assertEquals(
    future.stderr,
    "warning: 9000-01: This month has not started yet, so it has no report.\n",
  );
  assertEquals(parse(future.stdout).length, 3);
});

Deno.test("report without current checks knows which month has ended in its time zone", async () => {
  await using scratch = await makeScratch();
  const titles = async (timezone: string, now: string, month: string) => {
    await scratch.write(".monitorrc.yml", REPORTED.replace("Europe/Berlin", timezone));
    const clock = new StillClock(now);
    const run = (...args: string[]) => runTask("report", { folder: scratch.path, clock, args });
    const shown = [await run("--quiet"), await run("--month", month)];
    return shown.map(({ stdout }) => stdout.split("\n", 1)[0]);
  };
  const ended = ["# Uptime in February 2028", "# Uptime in March 2028, so far"];
  for (
    const [timezone, now] of [
      ["Europe/Berlin", "2028-02-29T23:40:00Z"],
      ["UTC", "2028-03-01T00:00:00Z"],
      ["America/New_York", "2028-03-01T05:00:00Z"],
    ] as const
  ) {
    assertEquals(await titles(timezone, now, "2028-03"), ended, timezone);
  }
  assertEquals(
    await titles("America/New_York", "2028-03-01T04:59:59Z", "2028-02"),
    ["# Uptime in January 2028", "# Uptime in February 2028, so far"],
  );
});

const SECRETS = { API_TOKEN: "7f3a-91c2", OTHER: "x" };

/** Everything that displays the states of a folder, as texts. */
async function shownBy(scratch: Scratch) {
  const folder = scratch.path;
  for (const task of ["response-time", "site", "readme"]) {
    const args = task === "readme" ? ["--add-markers"] : [];
    const { code, stderr } = await runTask(task, { folder, args });
    assertEquals([task, code], [task, 0], stderr);
  }
  const status = await runTask("status", { folder });
  assertEquals(status.code, 0);
  const { sites } = JSON.parse((await runTask("status", { folder, args: ["--json"] })).stdout);
  return {
    status: status.stdout,
    json: sites as { slug: string; state: string | null; since: string | null }[],
    page: await scratch.read("site/status-page/export/index.html"),
    readme: await scratch.read("README.md"),
    badge: await scratch.read("api/shop/badge-status.svg"),
    summary: JSON.parse(await scratch.read("history/summary.json")),
    metrics: await scratch.read("api/metrics.txt"),
  };
}

/** A configuration of a site that needs a secret, and one that needs none. */
function configWith(url: string, shop = url): string {
  return JSON.stringify({
    canaries: [],
    retry: { delays: [] },
    sites: [{ name: "Shop", url: shop, headers: ["X-Key: $API_TOKEN"] }, { name: "Post", url }],
  });
}

Deno.test("a site without a result in two runs is unknown everywhere, and headlines report missing data", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  await scratch.write(".monitorrc.yml", configWith(server.url));
  const update = async (secrets: Record<string, string>) => {
    const { code, stderr } = await runTask("update", {
      folder: scratch.path,
      env: { SECRETS_CONTEXT: JSON.stringify(secrets) },
    });
    assertEquals(code, 0);
    return stderr;
  };
  await update(SECRETS);
  await update({ OTHER: "x" });
  const once = await runTask("status", { folder: scratch.path, args: ["--json"] });
  const states = JSON.parse(once.stdout).sites.map(({ state }: { state: string }) => state);
  assertEquals(states, ["up", "up"]);

  assertMatch(
    await update({ OTHER: "x" }),
    /^warning: Shop is unknown, without a result in 2 runs$/m,
  );
  const entry = JSON.parse(await scratch.read("history/summary.json"))[0];
  assertEquals([entry.status, entry.state, entry.since], ["unknown", "unknown", undefined]);
  assertStringIncludes(await scratch.read("api/shop/badge-status.svg"), "status: no data");

  const { status, json, page, readme, badge, summary, metrics } = await shownBy(scratch);
  assertMatch(status, /^\? Shop +unknown/m);
  assertMatch(status, /^1 up, 1 unknown\. Last checked/m);
  assertEquals(json.map(({ state, since }) => [state, since === null]), [
    ["unknown", true],
    ["up", false],
  ]);
  for (const text of [page, readme]) {
    assertStringIncludes(text, "Some data is out of date");
    assert(!text.includes("All systems operational</"), text);
  }
  assertStringIncludes(badge, "status: no data");
  assertEquals(summary.map(({ state }: { state: string }) => state), ["unknown", "up"]);
  assert(!/^monitor_up\{site="shop"/m.test(metrics));
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertMatch(stdout, /^\? unknown, last checked .* ago: .*API_TOKEN/m);

  await update(SECRETS);
  assertEquals(JSON.parse(await scratch.read("history/summary.json"))[0].state, "up");
  assertStringIncludes(await scratch.read("api/shop/badge-status.svg"), "status: up");
});

Deno.test("a site that is down and without a result in two runs is unknown, and its incident stays open", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  const gone = `http://127.0.0.1:${closedPort()}`;
  await scratch.write(".monitorrc.yml", configWith(server.url, gone));
  for (const secrets of [SECRETS, { OTHER: "x" }, { OTHER: "x" }]) {
    await runTask("update", {
      folder: scratch.path,
      env: { SECRETS_CONTEXT: JSON.stringify(secrets) },
    });
  }
  const { status, json, page, summary } = await shownBy(scratch);
  assertMatch(status, /^\? Shop +unknown/m);
  assertEquals(json[0]!.state, "unknown");
  assertStringIncludes(page, "Shop is down");
  assertStringIncludes(page, "Some data is out of date");
  assertEquals([summary[0].state, typeof summary[0].incident], ["unknown", "string"]);
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertMatch(stdout, /^\? unknown, .*; its incident is still open$/m);
});

Deno.test("a state ends when the coverage of its last check ends", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", configWith("https://shop.example"));
  const now = Temporal.Now.instant();
  const record = (days: number) => {
    const last = now.subtract({ minutes: Math.round(24 * 60 * days) });
    return `url: https://shop.example\nstatus: up\ncode: 200\nresponseTime: 80\nlastUpdated: ${last}\n` +
      `startTime: ${last}\ngenerator: monitor-action v1.0.0\ndegraded: false\nsince: ${last}\n`;
  };
  await Deno.mkdir(`${scratch.path}/history`);
  await scratch.write("history/shop.yml", record(873));
  await scratch.write("history/post.yml", record(0.002));
  const mixed = await shownBy(scratch);
  assertMatch(mixed.status, /^\? Shop +unknown\b(?! \d)/m);
  assertMatch(mixed.status, /^✔ Post +up/m);
  assertStringIncludes(mixed.page, "Some data is out of date");
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertMatch(stdout, /^\? unknown, last checked 873 days ago: no current data$/m);

  await scratch.write("history/post.yml", record(0.1));
  const late = await shownBy(scratch);
  assertMatch(late.status, /^all unknown\. Last checked/m);
  assertEquals(late.json.map(({ state }) => state), ["unknown", "unknown"]);
  for (const text of [late.page, late.readme]) assertStringIncludes(text, "No current data");
  assertEquals(late.summary.map(({ status }: { status: string }) => status), [
    "unknown",
    "unknown",
  ]);
});

Deno.test("a site whose first runs had no result is unknown, and one without runs has no data", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  const folder = scratch.path;
  await scratch.write(".monitorrc.yml", configWith(server.url));
  assertMatch((await runTask("status", { folder })).stdout, /^\? Shop +no data/m);
  const env = { SECRETS_CONTEXT: JSON.stringify({ OTHER: "x" }) };
  for (let run = 1; run <= 2; run++) await runTask("update", { folder, env });
  const { status, json, badge, summary } = await shownBy(scratch);
  assertMatch(status, /^\? Shop +unknown/m);
  assertMatch(status, /^1 up, 1 unknown\. Last checked/m);
  assertEquals([json[0]!.state, summary[0].state], ["unknown", "unknown"]);
  assertStringIncludes(badge, "status: no data");
  const { stdout } = await runTask("status", { folder, args: ["shop"] });
  assertMatch(stdout, /^\? unknown: secret API_TOKEN is missing/m);
});

Deno.test("an outage without later checks lasts only as long as its last check covers", async () => {
  await using scratch = await makeScratch();
  await scratch.write(".monitorrc.yml", configWith("https://shop.example"));
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: 40 });
  const at = (time: string) => `${day}T${time}.000Z`;
  await Deno.mkdir(`${scratch.path}/history/checks`, { recursive: true });
  await Deno.mkdir(`${scratch.path}/history/incidents`, { recursive: true });
  const rows = ["10:00", "10:05"].map((time) =>
    `${at(`${time}:00`)},${time.replace(":", "")}abcd,shop,down,500,,2,,,answered 500`
  );
  await scratch.write(
    `history/checks/${day}.csv`,
    `time,run,slug,state,code,ms,attempts,phases,location,error\n${rows.join("\n")}\n`,
  );
  const began = at("10:00:01");
  await scratch.write(
    `history/incidents/${day}-shop.yml`,
    `slug: shop\nkind: down\nstart: ${began}\nconfirmed: ${began}\ncode: 500\nerror: answered 500\nattempts: 2\n`,
  );
  await scratch.write(
    "history/shop.yml",
    `url: https://shop.example\nstatus: down\ncode: 500\nresponseTime: 0\nlastUpdated: ${
      at("10:05:00")
    }\nstartTime: ${
      at("10:00:00")
    }\ngenerator: monitor-action v1.0.0\ndegraded: false\nsince: ${began}\nincident: ${day}-shop\n`,
  );
  const { page } = await shownBy(scratch);
  const folder = scratch.path;
  const { stdout } = await runTask("status", { folder, args: ["shop"] });
  const month = await runTask("report", { folder, args: ["--month", `${day}`.slice(0, 7)] });
  const own = await scratch.read("site/status-page/export/history/shop/index.html");
  // The last check covers half an hour.
  assertMatch(stdout, /✘ down: answered 500 .* at least 34m/);
  assertMatch(stdout, /^longest outage .* 34m$/m);
  assertMatch(month.stdout, /34 minutes 59 seconds/);
  for (const text of [page, own]) assertStringIncludes(text, "at least 34 min");
  // Checks, not the outage, are missing for that long.
  const withoutGaps = /(?:last checked|No data:) (?:39|40) days/g;
  for (const text of [page, own, stdout, month.stdout]) {
    assert(!/\b(?:39|40) ?d/.test(text.replace(withoutGaps, "")), text);
  }
});
