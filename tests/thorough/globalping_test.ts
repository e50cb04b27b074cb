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
    places: ["Oslo"],
    measure: () => answered(),
    fault,
  });
  const clock = systemClock;
  const client = new GlobalpingClient({ clock, userAgent: "test", base: server.url });
  const globalping = new Globalping({ client, clock, secrets: new Secrets() });
  const site = await siteOf({ url: "https://shop.example" });
  const results = await Promise.all(
    [site, site, site].map((one) =>
      globalping.probeSite(one, "Oslo", new AbortController().signal)
    ),
  );
  const reasons = results.map(({ state, error }) => `${state}: ${error}`);
  return { reasons: [...new Set(reasons)], lines: server.asked.map(({ line }) => line) };
}

Deno.test("if Globalping hangs, a run waits for it once", async () => {
  assertEquals(await check((method) => method === "POST"), {
    reasons: ["unknown: Globalping gave no answer within 10 s"],
    lines: ["POST /v1/measurements"],
  });
});

Deno.test("results that Globalping does not return are given up after three requests", async () => {
  const { reasons, lines } = await check((_, path) => path.startsWith("/v1/measurements/"));
  assertEquals(reasons, ["unknown: Globalping gave no answer within 10 s"]);
  assertEquals(lines.filter((line) => line.startsWith("GET /v1/measurements/")).length, 9);
});
