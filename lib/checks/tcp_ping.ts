import { lookup as systemLookup } from "node:dns";
import { connect, isIP, type LookupFunction } from "node:net";
import * as v from "valibot";
import { about, found, port } from "../config/keys/values.ts";
import {
  defineCheck,
  misconfigured,
  missingSecrets,
  type Observation,
  type ProbeContext,
} from "./check.ts";
import { endpoint, networkFailure, type Stage, TimeLimitError } from "./network_failure.ts";

const keys = {
  port: v.optional(
    about("tcp-ping: the port, a number or a $SECRET; it may stand in the url as well.", port()),
  ),
};

/** Opens a TCP connection and closes it again. `url` is a host, with or without `:port`. */
export const tcpPing = defineCheck({
  keys,
  shared: [],
  problem({ url, port }) {
    if (url.includes("$")) return undefined;
    const target = parseTarget(url);
    if (target.host === "" || /\s/.test(target.host)) {
      return { path: ["url"], message: `expected a host, found ${found(url)}` };
    }
    if (port !== undefined || target.port !== undefined && isPort(target.port)) return undefined;
    if (target.port !== undefined) {
      return { path: ["url"], message: `expected a port from 1 to 65535, found ${target.port}` };
    }
    return { path: ["port"], message: "a tcp-ping check needs a port, such as port: 5432" };
  },
  prepare: ({ url, port, connectTimeout }) => async (context) => {
    const address = context.secrets.substitute(url);
    const given = context.secrets.substitute(port ?? "");
    const missing = [...address.missing, ...given.missing];
    if (missing.length > 0) return missingSecrets(missing);
    const target = parseTarget(address.text);
    if (target.host === "") return misconfigured("a tcp-ping check needs a host");
    const chosen = port === undefined ? target.port : given.text.trim();
    if (chosen === undefined || !isPort(chosen)) {
      return misconfigured("a tcp-ping check needs a port from 1 to 65535");
    }
    const observation = await open(target.host, Number(chosen), {
      connectTimeout,
      context,
      showsHost: !address.secret && !given.secret,
    });
    if (!context.detailed) return observation;
    const configured = parseTarget(url);
    const hop = {
      method: "CONNECT",
      url: endpoint(configured.host, port ?? configured.port),
      ...(observation.failure === undefined ? { words: "connected" } : {}),
    };
    return { ...observation, details: { ...observation.details, hops: [hop] } };
  },
});

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

/**
 * Host and port of what stands in `url`, whether a bare host or an address with a scheme.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseTarget("db.example.com:5432"), { host: "db.example.com", port: "5432" });
 * assertEquals(parseTarget("https://[::1]/x"), { host: "::1", port: undefined });
 * assertEquals(parseTarget("2001:db8::1"), { host: "2001:db8::1", port: undefined });
 * ```
 */
export function parseTarget(text: string): { host: string; port?: string } {
  const authority = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").split(/[/?#]/)[0]!.replace(
    /^.*@/,
    "",
  );
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(authority);
  if (bracketed !== null) return { host: bracketed[1]!, port: bracketed[2] };
  const named = /^([^:]*):(\d+)$/.exec(authority);
  return named === null
    ? { host: authority, port: undefined }
    : { host: named[1]!, port: named[2] };
}

interface OpenOptions {
  connectTimeout: number;
  context: ProbeContext;
  showsHost: boolean;
}

function open(host: string, port: number, options: OpenOptions): Promise<Observation> {
  const { connectTimeout, context: { signal, detailed }, showsHost } = options;
  const start = performance.now();
  let found = start;
  let stage: Stage = isIP(host) === 0 ? "looking up the name" : "connecting";
  const lookup: LookupFunction = (name, lookupOptions, callback) =>
    systemLookup(name, lookupOptions, (...results) => {
      found = performance.now();
      stage = "connecting";
      callback(...results);
    });
  return new Promise((resolve) => {
    const socket = connect({ host, port, lookup });
    const finish = (observation: Observation) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
      socket.destroy();
      resolve(observation);
    };
    const fail = (error: Error) =>
      finish({
        code: 0,
        responseTime: performance.now() - start,
        failure: networkFailure(error, { stage, ...(showsHost ? { host, port } : {}) }),
      });
    const abort = () => fail(signal.reason);
    const timer = setTimeout(() => fail(new TimeLimitError(connectTimeout)), connectTimeout);
    signal.addEventListener("abort", abort);
    socket.on("error", fail);
    socket.on("connect", () => {
      const end = performance.now();
      const { remoteAddress, remotePort } = socket;
      finish({
        code: 200,
        responseTime: end - start,
        phases: { dns: found - start, connect: end - found, tls: 0, ttfb: 0, download: 0 },
        ...(detailed && showsHost
          ? { details: { hops: [], address: endpoint(remoteAddress ?? host, remotePort) } }
          : {}),
      });
    });
    if (signal.aborted) abort();
  });
}
