import { isIP } from "node:net";
import * as v from "valibot";
import { isPrivateAddress } from "../../lib/io/private_address.ts";
import { httpServer, type LocalServer } from "./servers.ts";

/** What Globalping's published description allows in a request; anything else is refused as there. */
const PORT = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
const IP_VERSION = v.picklist([4, 6]);
const HOST = v.pipe(v.string(), v.regex(/^(?:[\w-]+\.)+[\w-]+$|^[\da-f:.]+$/i));
const OPTIONS = {
  http: v.strictObject({
    request: v.optional(v.strictObject({
      host: v.optional(HOST),
      path: v.optional(v.pipe(v.string(), v.maxLength(16_384))),
      query: v.optional(v.pipe(v.string(), v.maxLength(16_384))),
      method: v.optional(v.picklist(["HEAD", "GET", "OPTIONS"])),
      headers: v.optional(v.record(v.string(), v.pipe(v.string(), v.maxLength(8_192)))),
    })),
    resolver: v.optional(v.string()),
    port: v.optional(PORT),
    protocol: v.optional(v.picklist(["HTTP", "HTTPS", "HTTP2"])),
    ipVersion: v.optional(IP_VERSION),
  }),
  ping: v.strictObject({
    packets: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16))),
    protocol: v.optional(v.picklist(["ICMP", "TCP"])),
    port: v.optional(PORT),
    ipVersion: v.optional(IP_VERSION),
  }),
  dns: v.strictObject({
    query: v.optional(v.strictObject({
      type: v.optional(v.picklist(["A", "AAAA", "CNAME", "MX", "NS", "SOA", "TXT"])),
    })),
    resolver: v.optional(HOST),
    port: v.optional(PORT),
    protocol: v.optional(v.picklist(["TCP", "UDP"])),
    trace: v.optional(v.boolean()),
    ipVersion: v.optional(IP_VERSION),
  }),
};
const LOCATION = v.strictObject({
  magic: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200)), 1),
});
const SHARED = {
  target: HOST,
  inProgressUpdates: v.optional(v.boolean()),
  timeout: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(30))),
  locations: v.optional(v.union([v.string(), v.array(LOCATION)])),
  limit: v.optional(v.number()),
};
const REQUEST = v.variant("type", [
  v.strictObject({ type: v.literal("http"), ...SHARED, measurementOptions: OPTIONS.http }),
  v.strictObject({ type: v.literal("ping"), ...SHARED, measurementOptions: OPTIONS.ping }),
  v.strictObject({ type: v.literal("dns"), ...SHARED, measurementOptions: OPTIONS.dns }),
]);

type Request = v.InferOutput<typeof REQUEST>;
type Result = Readonly<Record<string, unknown>>;

/** What a probe does with a measurement; it says nothing before the question number `after`. */
interface Said {
  result: Result;
  /** @default 1 */
  after?: number;
}

export interface GlobalpingOptions {
  /** Probes by the places that they match; the first is taken. A place without any is unknown. */
  probes: Readonly<Record<string, readonly string[]>>;
  /** What a probe sees; `attempt` counts the measurements of the probe for the target, from 1. */
  measure(probe: string, request: Request, attempt: number): Said | Result;
  /** Probes that are gone when the same ones are asked again. */
  gone?: readonly string[];
  /** Tests that are left, and credits of the token's owner. */
  tests?: number;
  credits?: number;
  /** Answers in place of the API; `undefined` lets it answer. */
  fault?(
    method: string,
    path: string,
    count: number,
    /** Its signal is aborted when the client gives up. */
    received: globalThis.Request,
  ): Response | Promise<Response> | undefined;
}

interface Measurement {
  request: Request;
  probes: readonly string[];
  said: readonly Said[];
  polls: number;
}

export interface GlobalpingServer extends LocalServer {
  /** Requests in their order, such as `POST /v1/measurements`. */
  asked: { line: string; headers: Headers; body?: Request }[];
  created: Request[];
  /** Most measurements that were being started at once. */
  mostCreating(): number;
  options: GlobalpingOptions;
}

/** The API of Globalping on loopback. It refuses what the published description does not allow. */
export function globalpingServer(options: GlobalpingOptions): GlobalpingServer {
  const measurements = new Map<string, Measurement>();
  const attempts = new Map<string, number>();
  const asked: GlobalpingServer["asked"] = [];
  let creating = 0;
  let mostCreating = 0;
  const created: Request[] = [];
  const state = { tests: options.tests ?? 250, credits: options.credits ?? 0 };
  const isUser = (headers: Headers) => headers.has("authorization");

  const create = (request: Request, headers: Headers): Response => {
    const problem = findProblem(request);
    if (problem !== undefined) return refuse(400, "validation_error", problem);
    const probes = findProbes(request, measurements, options.probes);
    if (probes.length === 0) return refuse(422, "no_probes_found", {}, "No suitable probes found.");
    const credits = isUser(headers) ? state.credits : 0;
    const limits = (cost: number) => ({
      "X-RateLimit-Limit": isUser(headers) ? "500" : "250",
      "X-RateLimit-Remaining": String(state.tests),
      "X-RateLimit-Reset": "1800",
      "X-Request-Cost": String(cost),
    });
    if (probes.length > state.tests + credits) {
      const type = isUser(headers) ? "insufficient_credits" : "rate_limit_exceeded";
      return refuse(429, type, {}, "API rate limit exceeded.", limits(probes.length));
    }
    const paid = Math.max(0, probes.length - state.tests);
    state.tests -= probes.length - paid;
    state.credits -= paid;
    const id = `measurement${measurements.size + 1}`;
    const said = probes.map((probe): Said => {
      if (typeof request.locations === "string" && options.gone?.includes(probe)) {
        return { result: { status: "offline", rawOutput: "" } };
      }
      const key = `${probe} ${request.target}`;
      attempts.set(key, (attempts.get(key) ?? 0) + 1);
      const seen = options.measure(probe, request, attempts.get(key)!);
      return "status" in seen ? { result: seen } : seen as Said;
    });
    created.push(request);
    measurements.set(id, { request, probes, said, polls: 0 });
    const headersOut = {
      ...limits(probes.length),
      Location: `https://api.globalping.io/v1/measurements/${id}`,
      ...paid === 0 ? {} : { "X-Credits-Remaining": String(state.credits) },
    };
    return Response.json({ id, probesCount: probes.length }, { status: 202, headers: headersOut });
  };

  const poll = (id: string, headers: Headers): Response => {
    const measurement = measurements.get(id);
    if (measurement === undefined) return refuse(404, "not_found", {});
    const polls = ++measurement.polls;
    const { request, said, probes } = measurement;
    const results = said.map(({ result, after = 1 }, index) => ({
      probe: { city: probes[index], tags: [], resolvers: ["private"] },
      result: polls >= after ? result : { status: "in-progress", rawOutput: "" },
    }));
    const isDone = results.every(({ result }) => result["status"] !== "in-progress");
    const { type, target } = request;
    const body = {
      ...{ id, type, target, status: isDone ? "finished" : "in-progress" },
      ...{ createdAt: "2026-11-23T10:00:00.000Z", updatedAt: "2026-11-23T10:00:01.000Z" },
      ...{ probesCount: probes.length, results },
    };
    const etag = `W/"${id}-${said.filter(({ after = 1 }) => polls >= after).length}"`;
    return headers.get("if-none-match") === etag
      ? new Response(null, { status: 304, headers: { etag } })
      : Response.json(body, { headers: { etag } });
  };

  const server = httpServer(async (request) => {
    const { pathname } = new URL(request.url);
    const line = `${request.method} ${pathname}`;
    const text = await request.text();
    const { success, output, issues } = v.safeParse(REQUEST, text === "" ? {} : JSON.parse(text));
    asked.push({ line, headers: request.headers, ...success ? { body: output } : {} });
    const count = asked.filter((one) => one.line === line).length;
    const fault = await options.fault?.(request.method, pathname, count, request);
    if (fault !== undefined) return fault;
    if (line === "GET /v1/limits") {
      const isOwn = isUser(request.headers);
      const create = { type: isOwn ? "user" : "ip", limit: isOwn ? 500 : 250, reset: 1800 };
      return Response.json({
        rateLimit: { measurements: { create: { ...create, remaining: state.tests } } },
        ...isOwn ? { credits: { remaining: state.credits } } : {},
      });
    }
    if (line === "POST /v1/measurements") {
      mostCreating = Math.max(mostCreating, ++creating);
      // Others that come at the same time are counted meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 1));
      creating--;
      if (success) return create(output, request.headers);
      const [issue] = issues;
      return refuse(400, "validation_error", { [v.getDotPath(issue) ?? "body"]: issue.message });
    }
    const id = /^\/v1\/measurements\/(\w+)$/.exec(pathname)?.[1];
    return request.method === "GET" && id !== undefined
      ? poll(id, request.headers)
      : refuse(404, "not_found", {});
  });
  return { ...server, asked, created, mostCreating: () => mostCreating, options };
}

/** Probes of the places in their order, each once, or those of an earlier measurement. */
function findProbes(
  { locations = [], limit }: Request,
  measurements: ReadonlyMap<string, Measurement>,
  known: GlobalpingOptions["probes"],
): readonly string[] {
  if (typeof locations === "string") return measurements.get(locations)?.probes ?? [];
  const picked = new Set(
    locations.flatMap(({ magic, limit = 1 }) => known[magic]?.slice(0, limit) ?? []),
  );
  return [...picked].slice(0, limit);
}

/** What the API refuses although its schema would allow it. */
function findProblem(
  { target, measurementOptions, locations, limit }: Request,
): Record<string, string> | undefined {
  if (isPrivateAddress(target)) return { target: "Private hostnames are not allowed." };
  if (isIP(target) !== 0 && measurementOptions.ipVersion !== undefined) {
    return { ipVersion: "ipVersion is not allowed when target is not a domain" };
  }
  if (Array.isArray(locations) && limit !== undefined && locations.length > 0) {
    return { limit: "limit per location is not allowed when a global limit is set" };
  }
  return undefined;
}

function refuse(
  status: number,
  type: string,
  params: Readonly<Record<string, string>>,
  message = "Parameter validation failed.",
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { type, message, params } }, { status, headers });
}

const TIMINGS = { total: 120, dns: 10, tcp: 20, tls: 30, firstByte: 50, download: 10 };

export const CERTIFICATE = {
  authorized: true,
  protocol: "TLSv1.3",
  createdAt: "2026-10-01T00:00:00.000Z",
  expiresAt: "2027-01-01T00:00:00.000Z",
  subject: { CN: "shop.example", alt: "DNS:shop.example" },
  issuer: { C: "US", O: "Example Trust", CN: "Example CA" },
};

/** The result of a probe that got an answer. */
export function answered(changes: Result = {}): Result {
  return {
    status: "finished",
    rawOutput: "HTTP/1.1 200",
    rawHeaders: "",
    rawBody: "welcome",
    truncated: false,
    headers: { "content-type": "text/html" },
    resolvedAddress: "203.0.113.5",
    statusCode: 200,
    statusCodeName: "OK",
    timings: TIMINGS,
    tls: CERTIFICATE,
    ...changes,
  };
}

/** The result of a probe that got none. */
export function failed(failureSource?: string, rawOutput = "connect ECONNREFUSED"): Result {
  return {
    status: "failed",
    rawOutput,
    ...failureSource === undefined ? {} : { failureSource },
    ...{ statusCode: null, headers: {}, timings: {}, tls: null, resolvedAddress: null },
  };
}

/** The result of a probe that sent three packets. */
export function pinged(received: number, average: number | null = 12.5): Result {
  const loss = Math.round((100 * (3 - received)) / 3);
  return {
    status: "finished",
    rawOutput: "",
    resolvedAddress: "203.0.113.5",
    resolvedHostname: null,
    stats: {
      ...{ min: average, avg: received === 0 ? null : average, max: average },
      ...{ total: 3, rcv: received, drop: 3 - received, loss },
    },
    timings: [],
  };
}

/** The result of a probe that asked a name server. */
export function resolved(
  type: string,
  values: readonly string[],
  statusCodeName = "NOERROR",
): Result {
  return {
    status: "finished",
    rawOutput: "",
    statusCode: statusCodeName === "NOERROR" ? 0 : 3,
    statusCodeName,
    resolver: "private",
    answers: values.map((value) => ({ name: "shop.example.", type, ttl: 60, class: "IN", value })),
    timings: { total: 33 },
  };
}
