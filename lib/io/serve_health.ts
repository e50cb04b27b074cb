import { listen } from "./serve_folder.ts";

/** A health report: any program can read it, and its status code alone is enough. */
export interface Health {
  status: "ok" | "late";
  started: Temporal.Instant;
  lastRun?: { start: Temporal.Instant; end: Temporal.Instant; sites: number };
  /** Time at which the next run is due; absent during a run. */
  nextRun?: Temporal.Instant;
  runs: number;
  /** Number of sites in each state; sites without a result yet are in none. */
  sites: Readonly<Record<string, number>>;
}

/**
 * Answers every request on this machine with a health report as JSON: 200 if it is `ok`, else 503.
 *
 * @throws {Error} If the port is taken.
 */
export function serveHealth(
  port: number,
  report: () => Health,
): AsyncDisposable & { address: string } {
  const server = listen(port, () => {
    const health = report();
    return Response.json(health, {
      status: health.status === "ok" ? 200 : 503,
      headers: { "cache-control": "no-store" },
    });
  });
  const { hostname, port: own } = server.addr;
  return {
    address: `http://${hostname}:${own}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
