import { isIP, type Socket } from "node:net";
import type { Phases } from "../check.ts";
import { type Stage, TimeLimitError } from "../network_failure.ts";
import { openSocket, type SocketOptions } from "./open_socket.ts";
import { Stopwatch } from "./stopwatch.ts";
import { unfitAddress } from "./timed_lookup.ts";

/** How a connection is tried. */
export interface ReachOptions extends Omit<SocketOptions, "watch"> {
  /** Milliseconds until the connection must be open, TLS included. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
}

/** What became of it. */
export interface Reached<Seen> {
  /** Those of an open connection; absent where it could not be opened. */
  phases?: Phases;
  /** Milliseconds until the connection was open, or known not to open. */
  responseTime: number;
  /** What was seen of the open connection. */
  seen?: Seen;
  /** Why it could not be opened, and what it was busy with. */
  error?: { cause: Error & { code?: string }; stage: Stage };
}

/** Opens a connection, looks at it, and closes it again. */
export function reach<Seen>(
  options: ReachOptions,
  look: (socket: Socket) => Seen,
): Promise<Reached<Seen>> {
  const { host, family, tls, connectTimeout, signal } = options;
  const start = performance.now();
  const watch = new Stopwatch(isIP(host) !== 0);
  return new Promise((resolve) => {
    const socket = openSocket({ ...options, watch });
    const finish = (outcome: Reached<Seen>) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      resolve(outcome);
      socket.destroy();
    };
    const fail = (cause: Error) => {
      const responseTime = performance.now() - start;
      finish({ responseTime, error: { cause, stage: watch.stage } });
    };
    const abort = () => fail(signal.reason);
    const timer = setTimeout(() => fail(new TimeLimitError(connectTimeout)), connectTimeout);
    signal.addEventListener("abort", abort);
    socket.on("error", fail);
    // The runtime may close a connection without a word before TLS is negotiated.
    socket.on("close", () => fail(closed()));
    socket.on(tls === undefined ? "connect" : "secureConnect", () => {
      const { dns, connect, tls } = watch.stop();
      const phases = { dns, connect, tls, ttfb: 0, download: 0 };
      finish({ responseTime: dns + connect + tls, phases, seen: look(socket) });
    });
    const problem = unfitAddress(host, { family });
    if (signal.aborted) abort();
    else if (problem !== undefined) fail(problem);
  });
}

function closed(): Error {
  return Object.assign(new Error("closed"), { code: "ECONNABORTED" });
}
