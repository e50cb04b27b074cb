import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { listMessages, makeRig } from "../helpers/rig.ts";
import { runTask } from "../helpers/program.ts";
import { allRowsAt, incidentsAt, makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { watching } from "../helpers/watching.ts";

const TOP = "interval: 10\nretry: { delays: [0.05] }\nrecheckDelay: 0.05\ncanaries: []\n";

function configOf(url: string, names: readonly string[], top = TOP): string {
  return `${top}sites:\n${
    names.map((name) => `  - { name: ${name}, url: "${url}/${name}" }\n`).join("")
  }`;
}

Deno.test("watch notifies of an outage and its end once", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using rig = await makeRig(scratch, {
    top: { interval: 10, reopenWithin: 0 },
    notifications: [{ type: "webhook", "webhook-url": "$HOOK", on: ["down", "up"] }],
  });
  const env = { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  const ended = await watching(rig.folder, ({ runs, stop }) => {
    if (runs === 2) rig.turn(503);
    if (runs === 5) rig.turn(200);
    if (runs === 8) stop();
  }, { env });
  assertEquals([ended.code, ended.stderr], [0, ""]);
  assertEquals(listMessages(chat), ["shop down", "shop up"]);
  assertStringIncludes(ended.stdout, "Shop is down");
  assertStringIncludes(ended.stdout, "Shop is up again");
  const incidents = await incidentsAt(rig.remote, "main");
  assertEquals(incidents.map(({ end }) => end !== undefined), [true]);
  assertEquals((await allRowsAt(rig.remote)).length, 8);
});

Deno.test("watch follows a changed configuration, and keeps the old one as long as the new one has errors", async () => {
  await using scratch = await makeScratch();
  const seen: string[] = [];
  await using site = httpServer((request) => {
    seen.push(new URL(request.url).pathname.slice(1));
    return new Response("ok");
  });
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"]),
  });
  const write = (text: string) => Deno.writeTextFile(join(folder, ".monitorrc.yml"), text);
  const ended = await watching(folder, async ({ runs, stop }) => {
    // A single run names the site by its address; here that would start another history.
    if (runs === 2) await write(configOf(site.url, ["A", "B"]).replace("name: A", "nam: A"));
    if (runs === 4) await write(configOf(site.url, ["A", "B"]));
    if (runs === 6) await Deno.remove(join(folder, ".monitorrc.yml"));
    if (runs === 8) stop();
  });
  assertEquals(ended.code, 0);
  const first = seen.indexOf("B");
  assertEquals([...new Set(seen.slice(0, first))], ["A"]);
  assert(first >= 3 && seen.filter((name) => name === "B").length >= 3, seen.join(""));
  assertStringIncludes(ended.stderr, "sites[0].nam: unknown key");
  assertStringIncludes(ended.stderr, "is not used until its errors are fixed");
  assertStringIncludes(ended.stderr, "is not used: Cannot find .monitorrc.yml");
  assertStringIncludes(ended.stdout, "The configuration was read again. Watching 2 sites");
});

Deno.test("watch checks each site at its interval, together with its dependencies", async () => {
  await using scratch = await makeScratch();
  const seen = new Map<string, number>();
  await using site = httpServer((request) => {
    const name = new URL(request.url).pathname.slice(1);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    return new Response("ok");
  });
  const folder = join(scratch.path, "plain");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(
    join(folder, ".monitorrc.yml"),
    `canaries: []\nsites:
  - { name: A, url: "${site.url}/A", interval: 10 }
  - { name: B, url: "${site.url}/B" }
  - { name: C, url: "${site.url}/C", interval: 20s, dependsOn: D }
  - { name: D, url: "${site.url}/D", interval: 1h }
`,
  );
  const { code, stdout } = await watching(folder, ({ runs, stop }) => runs === 13 && stop());
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Watching 4 sites at intervals of 10 seconds to 1 hour.");
  assertEquals(Object.fromEntries(seen), { A: 13, B: 3, C: 7, D: 7 });
});

Deno.test("a warning that lasts is printed once, also of a site with a longer interval", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const unknown = '  - { name: B, url: "https://$MISSING", interval: 30 }\n';
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"]) + unknown,
  });
  const ended = await watching(folder, ({ runs, stop }) => runs === 10 && stop());
  assertEquals(ended.code, 0);
  assertEquals(ended.stderr.match(/B is unknown/g)?.length, 1, ended.stderr);
});

Deno.test("outside of a terminal watch says once that checks are recorded, and then only what changes", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A", "B"]),
  });
  for (const recorded of [/ all up\. Recorded in /, / all up\. \d+ checks wait in /]) {
    const { stdout } = await watching(folder, ({ runs, stop }) => runs === 4 && stop());
    const [start, first, end, ...more] = stdout.trimEnd().split("\n");
    assertMatch(start!, / Watching 2 sites every 10 seconds\.$/);
    assertMatch(first!, recorded);
    assertMatch(end!, / Stopped\.$/);
    assertEquals(more, []);
  }
});

Deno.test("a verbose watch names the number of sites that each round checks", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const config = configOf(site.url, ["A", "B", "C"]).replace('/B"', '/B", interval: 20')
    .replace('/C"', '/C", paused: true');
  const folder = await makeRepository(join(scratch.path, "own"), { ".monitorrc.yml": config });
  const { stdout } = await watching(folder, ({ runs, stop }) => runs === 4 && stop(), {
    args: ["--verbose"],
  });
  const counts = [...stdout.matchAll(/ Checking (\d sites?) \(1 paused\)$/gm)];
  assertEquals(counts.map(([, sites]) => sites), ["2 sites", "1 site", "2 sites", "1 site"]);
});

Deno.test("rounds in a job have no groups, and its summary is that of the last one", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"]),
  });
  const env = { GITHUB_ACTIONS: "true" };
  const { stdout } = await watching(folder, ({ runs, stop }) => runs === 3 && stop(), { env });
  assert(!stdout.includes("group::"), stdout);
  const summary = await Deno.readTextFile(join(folder, ".git/monitor/summary.md"));
  assertEquals(summary.match(/^#/gm)?.length, 1, summary);
});

Deno.test("a site that can't be checked is no reason to say that nothing is monitored, also if no other is due", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  const beats: string[] = [];
  await using site = httpServer(async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.startsWith("/ping")) beats.push(pathname);
    // It is recorded after the other site.
    else if (beats.length === 0) await new Promise((resolve) => setTimeout(resolve, 1_500));
    return new Response("ok");
  });
  const top = `${TOP}heartbeat-url: "${site.url}/ping/${crypto.randomUUID()}"\n` +
    "notifications: [{ type: webhook, webhook-url: $HOOK, on: [down, up] }]\n";
  const unknown = '  - { name: B, url: "https://$MISSING", interval: 60, unknownAfter: 20 }\n';
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"], top).replace('/A"', '/A", interval: 40') + unknown,
  });
  const env = { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  const ended = await watching(folder, ({ runs, stop }) => runs === 7 && stop(), { env });
  assertEquals(ended.code, 0);
  assert(!ended.stderr.includes("Nothing is monitored"), ended.stderr);
  assertEquals([beats.length > 2, beats.filter((path) => path.endsWith("/fail"))], [true, []]);
  assertEquals(chat.seen, []);
});

Deno.test("the step of a site without a result counts from its start, also in rounds that check other sites", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  await using site = httpServer(() => new Response("ok"));
  const top =
    `${TOP}notifications: [{ type: webhook, webhook-url: $HOOK, on: [down, up], after: 1m }]\n`;
  const unknown = '  - { name: B, url: "https://$MISSING", interval: 40, unknownAfter: 2 }\n';
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"], top).replace('/A"', '/A", interval: 20') + unknown,
  });
  const env = { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  await watching(folder, ({ runs, stop }) => runs === 12 && stop(), { env });
  const [text, ...others] = chat.seen.map(({ json }) => json.text);
  assertMatch(text, /^B could not be checked in \d runs/);
  assertEquals(others, []);
});

Deno.test("watch says once that nothing is monitored if sites without a result are checked one by one", async () => {
  await using scratch = await makeScratch();
  await using chat = await vendorServer({ status: 200 });
  const top = `${TOP}notifications: [{ type: webhook, webhook-url: $HOOK, on: [down, up] }]\n`;
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": `${top}sites:\n  - { name: A, url: "https://$MISSING", interval: 20 }\n` +
      '  - { name: B, url: "https://$LACKING", interval: 30 }\n',
  });
  const env = { SECRETS_CONTEXT: JSON.stringify({ HOOK: chat.url }) };
  const ended = await watching(folder, ({ runs, stop }) => runs === 7 && stop(), { env });
  assertEquals(ended.stderr.match(/Nothing is monitored/g)?.length, 1, ended.stderr);
  const [text, ...others] = chat.seen.map(({ json }) => json.text);
  assertMatch(text, /^None of 2 sites can be checked: .*MISSING.*LACKING/);
  assertEquals(others, []);
});

Deno.test("only one watch runs in a folder", async () => {
  await using scratch = await makeScratch();
  await using site = httpServer(() => new Response("ok"));
  const folder = await makeRepository(join(scratch.path, "own"), {
    ".monitorrc.yml": configOf(site.url, ["A"]),
  });
  await watching(folder, async ({ stop }) => {
    const { code, stderr } = await runTask("watch", { folder, args: ["--once"] });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "another process watches in this folder");
    stop();
  });
  assertEquals((await runTask("watch", { folder, args: ["--once"] })).code, 0);
});

Deno.test("watch rejects invalid options", async () => {
  await using scratch = await makeScratch();
  await Deno.writeTextFile(join(scratch.path, ".monitorrc.yml"), "sites: [{ name: A }]\n");
  const watch = (...args: string[]) => runTask("watch", { folder: scratch.path, args });
  for (
    const [args, error] of [
      [["--jitter", "soon"], "Cannot use --jitter soon"],
      [
        ["--health-port", "9110"],
        'Cannot use --health-port: it was removed; use "monitor status --healthy"',
      ],
      [["--beats=8090"], 'Cannot use --beats: it was removed; jobs report by "monitor beat"'],
    ] as const
  ) {
    const { code, stderr } = await watch(...args);
    assertEquals(code, 2);
    assertStringIncludes(stderr, error);
  }
  assertEquals((await watch()).code, 2);
});
