import { assertEquals } from "@std/assert";
import { GlobalpingClient } from "../../lib/checks/globalping/client.ts";
import { Globalping } from "../../lib/evaluation/globalping.ts";
import { systemClock } from "../../lib/io/clock.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import {
  answered,
  type GlobalpingOptions,
  globalpingServer,
} from "../helpers/globalping_server.ts";
import { siteOf } from "../helpers/sites.ts";

/** Checks three sites by a server that gives no answer to some requests. */
async function check(isHanging: (method: string, path: string) => boolean) {
  const fault: GlobalpingOptions["fault"] = (method, path, _, received) =>
    isHanging(method, path)
      ? new Promise((resolve) =>
        received.signal.addEventListener("abort", () => resolve(new Response()))
      )
      : undefined;
  await using server = globalpingServer({
    probes: { Oslo: ["o"] },
    measure: () => answered(),
    fault,
  });
  const clock = systemClock;
  const client = new GlobalpingClient({ clock, userAgent: "test", base: server.url });
  const globalping = new Globalping({ client, clock, secrets: new Secrets() });
  const site = await siteOf({ url: "https://shop.example" });
  const results = await Promise.all(
    [site, site, site].map((one) =>
      globalping.probeSite(one, [{ name: "Oslo", globalping: "Oslo" }], {
        deadline: new AbortController().signal,
        earlier: () => Promise.resolve({ isKnownDown: false, isSingleAttempt: false }),
      })
    ),
  );
  const reasons = results.flatMap((one) =>
    one.values().map(({ state, error }) => `${state}: ${error}`).toArray()
  );
  return { reasons: [...new Set(reasons)], lines: server.asked.map(({ line }) => line) };
}

Deno.test("if Globalping hangs, a run waits for it once", async () => {
  const [limits, creation] = await Promise.all([
    check((_, path) => path === "/v1/limits"),
    check((method) => method === "POST"),
  ]);
  assertEquals(limits, {
    reasons: ["unknown: Globalping gave no answer within 10 s"],
    lines: ["GET /v1/limits"],
  });
  assertEquals(creation.reasons, limits.reasons);
  assertEquals(creation.lines, ["GET /v1/limits", "POST /v1/measurements"]);
});

Deno.test("results that Globalping does not return are given up after three requests", async () => {
  const { reasons, lines } = await check((_, path) => path.startsWith("/v1/measurements/"));
  assertEquals(reasons, ["unknown: Globalping gave no answer within 10 s"]);
  assertEquals(lines.filter((line) => line.startsWith("GET /v1/measurements/")).length, 9);
});
