import { assertEquals, assertStringIncludes } from "@std/assert";
import { isReachable } from "../../lib/checks/connection.ts";
import { Canaries } from "../../lib/evaluation/canaries.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { closedPort, httpServer, rawServer } from "../helpers/servers.ts";
import { configOf } from "../helpers/sites.ts";

Deno.test("failures on real sockets are retried, and count only if a real canary is reachable", async () => {
  const refusing = { url: `http://127.0.0.1:${closedPort()}` };
  await using resets = await rawServer((socket) => socket.resetAndDestroy());
  await using hangs = await rawServer(() => {});
  let answers = 0;
  await using restarting = httpServer(() =>
    new Response(null, { status: ++answers > 2 ? 200 : 503 })
  );
  await using broken = httpServer(() => new Response(null, { status: 503 }));
  const stories: [url: { url: string }, withCanary: string, without: string, reason: string][] = [
    [refusing, "down", "unknown", "connection refused"],
    [resets, "down", "unknown", "connection reset"],
    [hangs, "down", "unknown", "timed out after 1 s waiting for the first byte"],
    [restarting, "up", "up", ""],
    [broken, "down", "down", "answered 503 Service Unavailable"],
  ];
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  for (const [index, port] of [listener.addr.port, closedPort()].entries()) {
    answers = 0;
    const config = await configOf(
      stories.map(([site]) => ({
        ...site,
        ...site === hangs ? { requestTimeout: 1 } : {},
        retry: { delays: [0.01, 0.01] },
      })),
    );
    const results = await checkSites(config, {
      clock: systemClock,
      random: () => 0.5,
      secrets: new Secrets(),
      root: "/",
      userAgent: "monitor-action",
      earlier: Promise.resolve({
        canaries: new Canaries({
          addresses: [`127.0.0.1:${port}`],
          reaches: isReachable,
          distrusted: false,
        }),
        isKnownDown: () => false,
      }),
      reaches: isReachable,
      onResult() {},
    });
    assertEquals(
      results.map(({ state, attempts }) => [state, attempts]),
      stories.map((story) => [story[index + 1], 3]),
    );
    for (const [number, [, , , reason]] of stories.entries()) {
      assertStringIncludes(results[number]!.error ?? "", reason);
    }
  }
});
