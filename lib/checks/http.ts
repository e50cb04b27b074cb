import { STATUS_CODES } from "node:http";
import { isIP } from "node:net";
import { defineCheck, type Observation, type Phases, type ProbeContext } from "./check.ts";
import { found } from "../config/values.ts";
import { explainCertificate, isCertificateError } from "./certificate.ts";
import {
  bareHost,
  type Exchange,
  exchange,
  ExchangeError,
  type ExchangeOptions,
} from "./exchange.ts";
import { type Hop, nextHop, RedirectError } from "./hop.ts";
import { HTTP_KEYS } from "./http_keys.ts";
import { type PreparedRequest, prepareRequest } from "./http_request.ts";
import { networkFailure, TimeLimitError } from "./network_failure.ts";

/** Too many requests: proof that the site is there. */
const RATE_LIMITED = 429;
const NO_TIME: Phases = { dns: 0, connect: 0, tls: 0, ttfb: 0, download: 0 };

/** Status codes that count as up where `expectedStatusCodes` says nothing: 429 stands apart, see {@linkcode judge}. */
export const EXPECTED_STATUS_CODES = [
  [200, 208],
  [226, 226],
  [300, 308],
] as const;

/** Makes an HTTP request and follows redirects; the status of the last answer decides. */
export const http = defineCheck({
  keys: HTTP_KEYS,
  shared: ["expectedStatusCodes", "maxRedirects"],
  problem({ url, clientCertificate, clientKey }) {
    if (!/^(?:\$|https?:\/\/.)/i.test(url)) {
      return {
        path: ["url"],
        message: `expected an address that begins with https:// or http://, found ${found(url)}`,
      };
    }
    if ((clientCertificate === undefined) === (clientKey === undefined)) return undefined;
    const key = clientKey === undefined ? "clientCertificate" : "clientKey";
    return { path: [key], message: "clientCertificate and clientKey go together" };
  },
  prepare: (site) => async (context) => {
    const request = await prepareRequest(site, context);
    if (!("hop" in request)) return request;
    const limit = new AbortController();
    const timer = setTimeout(
      () => limit.abort(new TimeLimitError(site.requestTimeout)),
      site.requestTimeout,
    );
    try {
      const signal = AbortSignal.any([limit.signal, context.signal]);
      return await follow(request, { ...context, signal }, site);
    } finally {
      clearTimeout(timer);
    }
  },
});

interface Limits {
  maxRedirects: number;
  connectTimeout: number;
  expectedStatusCodes?: number[];
}

async function follow(
  { hop: first, tls, showsHost }: PreparedRequest,
  context: ProbeContext,
  limits: Limits,
): Promise<Observation> {
  const start = performance.now();
  const visited = new Set<string>();
  let phases = NO_TIME;
  let hop = first;
  let code = 0;
  const observe = (failure?: Observation["failure"]): Observation => ({
    code,
    responseTime: performance.now() - start,
    phases,
    ...(failure === undefined ? {} : { failure }),
  });
  while (true) {
    visited.add(`${hop.method} ${hop.url.href}`);
    let answer: Exchange;
    try {
      answer = await exchange({
        url: hop.url,
        method: hop.method,
        headers: headersOf(hop),
        body: hop.body,
        tls,
        connectTimeout: limits.connectTimeout,
        signal: context.signal,
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const host = showsHost ? hop.url.hostname : undefined;
      return { ...observe(await explain(error, hop.url, host, tls, context)), code: 0 };
    }
    phases = add(phases, answer.phases);
    code = answer.status;
    const observation = observe(judge(answer.status, limits.expectedStatusCodes));
    if (limits.maxRedirects === 0) return observation;
    try {
      const next = nextHop(hop, answer.status, answer.headers.location);
      if (next === undefined) return observation;
      if (visited.has(`${next.method} ${next.url.href}`)) {
        throw new RedirectError("redirects go round in a loop");
      }
      if (visited.size > limits.maxRedirects) {
        const s = limits.maxRedirects === 1 ? "" : "s";
        throw new RedirectError(`more than ${limits.maxRedirects} redirect${s}`);
      }
      hop = next;
    } catch (error) {
      if (!(error instanceof RedirectError)) throw error;
      return observe({ kind: "answer", reason: error.message });
    }
  }
}

/** Why a status does not count as up; without a list of one's own, being rate-limited does. */
function judge(status: number, expected: readonly number[] | undefined): Observation["failure"] {
  const answered = `answered ${status}${STATUS_CODES[status] ? ` ${STATUS_CODES[status]}` : ""}`;
  if (expected !== undefined) {
    if (expected.includes(status)) return undefined;
    return { kind: "answer", reason: `${answered}, expected ${[...new Set(expected)].join(", ")}` };
  }
  const isExpected = EXPECTED_STATUS_CODES.some(([from, to]) => from <= status && status <= to);
  return isExpected || status === RATE_LIMITED ? undefined : { kind: "answer", reason: answered };
}

async function explain(
  { cause, stage }: ExchangeError,
  url: URL,
  host: string | undefined,
  tls: ExchangeOptions["tls"],
  context: ProbeContext,
): Promise<NonNullable<Observation["failure"]>> {
  const code = (cause as { code?: string }).code;
  if (code === undefined || !isCertificateError({ code })) {
    return networkFailure(cause, {
      stage,
      host,
      port: Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    });
  }
  const hostname = bareHost(url);
  const reason = await explainCertificate(code, {
    ...tls,
    host: hostname,
    port: Number(url.port) || 443,
    servername: isIP(hostname) === 0 ? hostname : undefined,
    now: context.now,
    signal: context.signal,
    showsNames: host !== undefined,
  });
  return { kind: "network", reason };
}

function headersOf({ headers }: Hop): Record<string, string | string[]> {
  const byName = new Map<string, { name: string; values: string[] }>();
  for (const { name, value } of headers) {
    const entry = byName.get(name.toLowerCase()) ?? { name, values: [] };
    entry.values.push(value);
    byName.set(name.toLowerCase(), entry);
  }
  return Object.fromEntries(
    [...byName.values()].map((
      { name, values },
    ) => [name, values.length === 1 ? values[0]! : values]),
  );
}

function add(a: Phases, b: Phases): Phases {
  return {
    dns: a.dns + b.dns,
    connect: a.connect + b.connect,
    tls: a.tls + b.tls,
    ttfb: a.ttfb + b.ttfb,
    download: a.download + b.download,
  };
}
