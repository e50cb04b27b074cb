import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runTask } from "../helpers/program.ts";
import { makeScratch, type Scratch } from "../helpers/scratch.ts";
import { closedPort, httpServer } from "../helpers/servers.ts";

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
    sites: [
      { name: "Shop", url: shop, headers: ["X-Key: $API_TOKEN"] },
      { name: "Post", url },
    ],
  });
}

Deno.test("a site without a result in two runs is unknown everywhere, and so is no headline for all of them", async () => {
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
  const once = await shownBy(scratch);
  assertEquals(once.json.map(({ state }) => state), ["up", "up"]);
  assertStringIncludes(once.page, "All systems operational");

  assertMatch(
    await update({ OTHER: "x" }),
    /Shop is unknown, without a result in 2 runs: .*API_TOKEN/,
  );
  const entry = JSON.parse(await scratch.read("history/summary.json"))[0];
  assertEquals([entry.status, entry.state, entry.since], ["unknown", "unknown", undefined]);
  assertStringIncludes(await scratch.read("api/shop/badge-status.svg"), "status: no data");

  const { status, json, page, readme, badge, summary, metrics } = await shownBy(scratch);
  assertMatch(status, /^\? Shop +unknown/m);
  assertMatch(status, /^1 of 2 sites is unknown; last checked/m);
  assertEquals(json.map(({ state, since }) => [state, since === null]), [
    ["unknown", true],
    ["up", false],
  ]);
  for (const text of [page, readme]) {
    assertStringIncludes(text, "No current data for some sites");
    assert(!text.includes("All systems operational</"), text);
  }
  assertStringIncludes(badge, "status: no data");
  assertEquals(summary.map(({ state }: { state: string }) => state), ["unknown", "up"]);
  assert(!/^monitor_up\{site="shop"/m.test(metrics));
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertMatch(stdout, /^\? unknown, last checked .* ago: .*API_TOKEN/m);

  await update(SECRETS);
  const known = await shownBy(scratch);
  assertEquals(known.json.map(({ state }) => state), ["up", "up"]);
  assertEquals(known.summary[0].state, "up");
  assertStringIncludes(known.badge, "status: up");
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
  assertStringIncludes(page, "No current data for some sites");
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
  assertStringIncludes(mixed.page, "No current data for some sites");
  const { stdout } = await runTask("status", { folder: scratch.path, args: ["shop"] });
  assertMatch(stdout, /^\? unknown, last checked 873 days ago: no current data$/m);

  await scratch.write("history/post.yml", record(0.1));
  const late = await shownBy(scratch);
  assertMatch(late.status, /^All 2 sites are unknown; last checked/m);
  assertEquals(late.json.map(({ state }) => state), ["unknown", "unknown"]);
  for (const text of [late.page, late.readme]) assertStringIncludes(text, "No current data");
  assertEquals(late.summary.map(({ status }: { status: string }) => status), [
    "unknown",
    "unknown",
  ]);
});

Deno.test("a site whose first runs have no result is unknown, and one that no run has checked has no data", async () => {
  await using scratch = await makeScratch();
  await using server = httpServer(() => new Response("ok"));
  const folder = scratch.path;
  await scratch.write(".monitorrc.yml", configWith(server.url));
  assertMatch((await runTask("status", { folder })).stdout, /^\? Shop +no data/m);
  const env = { SECRETS_CONTEXT: JSON.stringify({ OTHER: "x" }) };
  for (let run = 1; run <= 2; run++) await runTask("update", { folder, env });
  const { status, json, badge, summary } = await shownBy(scratch);
  assertMatch(status, /^\? Shop +unknown/m);
  assertMatch(status, /^1 of 2 sites is unknown; last checked/m);
  assertEquals([json[0]!.state, summary[0].state], ["unknown", "unknown"]);
  assertStringIncludes(badge, "status: no data");
  const { stdout } = await runTask("status", { folder, args: ["shop"] });
  assertMatch(stdout, /^\? unknown: \$API_TOKEN is not among the secrets/m);
});

Deno.test("an outage that nobody has checked since lasts no longer than what was seen of it", async () => {
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
  assertMatch(stdout, /down +at least 34m +answered 500/);
  assertMatch(stdout, /^longest outage .* 34m$/m);
  assertMatch(month.stdout, /34 minutes, 59 seconds/);
  for (const text of [page, own]) assertStringIncludes(text, "at least 34 min");
  for (const text of [page, own, stdout, month.stdout]) {
    assert(!/\b(?:39|40) ?d/.test(text.replace(/last checked (?:39|40) days/g, "")), text);
  }
});
