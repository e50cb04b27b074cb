import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { alertRig, heardBy } from "../helpers/alert_rig.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";

const UUID = "5f3e2c1a-0b9d-4c8e-8f7a-6b5c4d3e2f1a";

Deno.test("a site without a result for unknownAfter runs is told of once, and once more when it has one again", async () => {
  await using scratch = await makeScratch();
  await using down = await vendorServer({ status: 204 });
  await using all = await vendorServer({ status: 204 });
  await using none = await vendorServer({ status: 204 });
  await using rig = await alertRig(scratch, {
    top: { unknownAfter: 3 },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] }, Post: {} },
    notifications: [
      { type: "webhook", url: down.url, on: ["down"] },
      { type: "webhook", url: all.url },
      { type: "webhook", url: none.url, on: ["degraded"] },
    ],
    secrets: { API_TOKEN: "7f3a-91c2", OTHER: "x" },
  });
  assertEquals((await rig.update()).code, 0);
  rig.give({ OTHER: "x" });
  const warned: boolean[] = [];
  for (let run = 1; run <= 4; run++) {
    const { code, stdout } = await rig.update({ env: { GITHUB_ACTIONS: "true" } });
    assertEquals(code, 0);
    warned.push(
      /^::warning.*Shop is unknown, without a result in \d runs: .*API_TOKEN/m.test(stdout),
    );
    assertEquals(all.seen.length, run < 3 ? 0 : 1, `run ${run}`);
  }
  assertEquals(warned, [false, true, true, true]);
  const [{ text }] = all.seen.map(({ json }) => json);
  assertMatch(
    text,
    /^Shop could not be checked in 3 runs: .*API_TOKEN.*; its state is unknown since /,
  );
  rig.give({ API_TOKEN: "7f3a-91c2", OTHER: "x" });
  await rig.update();
  await rig.update();
  assertEquals(heardBy(all), ["notice notice", "notice notice"]);
  assertEquals(all.seen.at(-1)!.json.text, "Shop is checked again: It is up");
  assertEquals([down.seen.length, none.seen.length], [2, 0]);
});

Deno.test("a run that sees nothing exits 2, tells its heartbeat of a failure, and its channels once", async () => {
  await using scratch = await makeScratch();
  await using hook = await vendorServer({ status: 204 });
  const beats: string[] = [];
  await using switchServer = httpServer(({ url }) => {
    beats.push(new URL(url).pathname);
    return new Response();
  });
  const key = { headers: ["X-Key: $API_TOKEN"] };
  const secrets = { API_TOKEN: "7f3a-91c2", OTHER: "x" };
  await using rig = await alertRig(scratch, {
    top: { unknownAfter: 2, "heartbeat-url": `${switchServer.url}/ping/${UUID}` },
    sites: { Shop: key, Post: key },
    notifications: [{ type: "webhook", url: hook.url, on: ["down", "up"] }],
    secrets,
  });
  const codes = [];
  for (const given of [secrets, { OTHER: "x" }, { OTHER: "x" }, { OTHER: "x" }, secrets, secrets]) {
    rig.give(given);
    const { code, stderr } = await rig.update();
    codes.push(code);
    if (code === 2) {
      assertStringIncludes(stderr, "Nothing is monitored: this run has no result for 2 sites");
    }
  }
  assertEquals(codes, [0, 2, 2, 2, 0, 0]);
  const ping = `/ping/${UUID}`;
  assertEquals(beats, [ping, `${ping}/fail`, `${ping}/fail`, `${ping}/fail`, ping, ping]);
  const texts = hook.seen.map(({ json }) => json.text);
  assertEquals(texts.length, 2, texts.join("\n"));
  assertMatch(texts[0], /^None of 2 sites can be checked: .*API_TOKEN/);
  assertEquals(texts[1], "Sites can be checked again: 2 of 2 have a result");
  assert(!texts.join().includes("7f3a-91c2"));
});

Deno.test("a heartbeat service that takes no failures gets no ping of a run that sees nothing", async () => {
  await using scratch = await makeScratch();
  const beats: string[] = [];
  await using switchServer = httpServer(({ url }) => {
    beats.push(url);
    return new Response();
  });
  await using rig = await alertRig(scratch, {
    top: { "heartbeat-url": `${switchServer.url}/beat` },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] } },
    secrets: { OTHER: "x" },
  });
  assertEquals([(await rig.update()).code, beats], [2, []]);
});
