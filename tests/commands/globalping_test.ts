import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import {
  answered,
  failed,
  type GlobalpingOptions,
  globalpingServer,
} from "../helpers/globalping_server.ts";
import { runTask } from "../helpers/program.ts";
import { cloneRemote, EVERY_RUN, incidentsAt, rowsAt } from "../helpers/repositories.ts";
import { makeRemote, makeScratch } from "../helpers/scratch.ts";
import { httpServer } from "../helpers/servers.ts";

/** Leads requests for Globalping's API to a server on loopback; no other request leaves the machine. */
function leadRequests(base: string): Disposable {
  const original = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const { origin, pathname, hostname } = new URL(input instanceof Request ? input.url : input);
    if (origin === "https://api.globalping.io") return original(`${base}${pathname}`, init);
    assertEquals(hostname, "127.0.0.1", "a request would leave the machine");
    return original(input, init);
  };
  return { [Symbol.dispose]: () => void (globalThis.fetch = original) };
}

Deno.test("update asks probes of Globalping, and their faults are no outages", async () => {
  await using scratch = await makeScratch();
  const seen = { failing: [] as string[], tests: 3 };
  const options: GlobalpingOptions = {
    places: ["Berlin+DE", "Tokyo", "Oslo"],
    measure: (place) => seen.failing.includes(place) ? failed("target") : answered(),
    fault: (method) => {
      if (method !== "POST" || seen.tests-- > 0) return undefined;
      const error = { type: "insufficient_credits", message: "…" };
      return Response.json({ error }, { status: 429, headers: { "X-RateLimit-Reset": "60" } });
    },
  };
  await using globalping = globalpingServer(options);
  using _ = leadRequests(globalping.url);
  await using server = httpServer(() => new Response("ok"));
  const remote = await makeRemote(scratch.path, {
    ".monitorrc.yml": `retry: { delays: [] }
canaries: []
${EVERY_RUN}locations:
  - { name: Berlin, globalping: Berlin+DE }
  - { name: Tokyo, globalping: Tokyo }
  - { name: Oslo, globalping: Oslo }
sites:
  - { name: Shop, url: "https://shop.example/", locations: [Berlin, Tokyo, Oslo] }
  - { name: Local, url: "${server.url}" }
`,
  });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  const update = async () => {
    const env = { SECRETS_CONTEXT: '{"GLOBALPING_TOKEN":"t0ken-of-mine"}' };
    const { code, stdout, stderr } = await runTask("update", { folder, env });
    return { code, said: stdout + stderr };
  };
  const rows = async () =>
    (await rowsAt(folder)).map(({ slug, location, state, error }) =>
      [slug, location || "all", state, ...error ? [error] : []].join(" ")
    );

  seen.failing = ["Berlin+DE", "Tokyo"];
  const down = await update();
  assertEquals(down.code, 0, down.said);
  const error = "down in Berlin and Tokyo (up in Oslo): connect ECONNREFUSED";
  assertEquals((await rows()).toSorted(), [
    "local all up",
    "shop Berlin down connect ECONNREFUSED",
    "shop Oslo up",
    "shop Tokyo down connect ECONNREFUSED",
    `shop all down ${error}`,
  ]);
  assertEquals((await incidentsAt(folder)).map(({ error }) => error), [error]);
  assertEquals(globalping.asked[0]!.headers.get("authorization"), "Bearer t0ken-of-mine");
  assertEquals(globalping.created.length, 3);

  // While the limit is used up, the quorum counts the locations that have a result.
  [seen.failing, seen.tests] = [[], 2];
  const up = await update();
  assertMatch(up.said, /warning: Oslo: Globalping's limit is used up until \d\d:\d\d UTC \(Shop\)/);
  assertEquals(
    (await rows()).slice(5).filter((row) => /^shop/.test(row)).map((row) => row.slice(0, 17))
      .toSorted(),
    [
      "shop Berlin up",
      "shop Oslo unknown",
      "shop Tokyo up",
      "shop all up",
    ],
  );
  assertEquals((await incidentsAt(folder)).map(({ end }) => end !== undefined), [true]);

  // Without any, nothing is known of the site, and Globalping is asked once.
  seen.tests = 0;
  const before = globalping.asked.length;
  assertMatch((await update()).said, /none of 3 locations has a result, 2 are needed/);
  assertEquals(
    (await rows()).findLast((row) => /^shop all/.test(row))?.slice(0, 16),
    "shop all unknown",
  );
  assertEquals(globalping.asked.length, before + 1);
});
