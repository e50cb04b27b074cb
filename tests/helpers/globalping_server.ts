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
  limit: v.literal(1),
});
const SHARED = {
  target: HOST,
  inProgressUpdates: v.optional(v.boolean()),
  timeout: v.optional(v.pipe(v.number(), v.integer(), v.minValue(5), v.maxValue(30))),
  locations: v.tuple([LOCATION]),
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
  /** Places that have a probe. */
  places: readonly string[];
  /** What the probe of a place sees. */
  measure(place: string, request: Request): Said | Result;
  /** Tests that are left. @default 250 */
  tests?: number;
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
  said: Said;
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
  const asked: GlobalpingServer["asked"] = [];
  let creating = 0;
  let mostCreating = 0;
  const created: Request[] = [];
  let tests = options.tests ?? 250;

  const create = (request: Request): Response => {
    const problem = findProblem(request);
    if (problem !== undefined) return refuse(400, "validation_error", problem);
    const [{ magic }] = request.locations;
    if (!options.places.includes(magic)) {
      return refuse(422, "no_probes_found", {}, "No suitable probes found.");
    }
    const limits = () => ({
      "X-RateLimit-Limit": "250",
      "X-RateLimit-Remaining": String(tests),
      "X-RateLimit-Reset": "1800",
    });
    if (tests === 0) {
      return refuse(429, "rate_limit_exceeded", {}, "API rate limit exceeded.", limits());
    }
    tests--;
    const id = `measurement${measurements.size + 1}`;
    const seen = options.measure(magic, request);
    created.push(request);
    const said = "status" in seen ? { result: seen } : seen as Said;
    measurements.set(id, { request, said, polls: 0 });
    const headers = { ...limits(), Location: `https://api.globalping.io/v1/measurements/${id}` };
    return Response.json({ id, probesCount: 1 }, { status: 202, headers });
  };

  const poll = (id: string, headers: Headers): Response => {
    const measurement = measurements.get(id);
    if (measurement === undefined) return refuse(404, "not_found", {});
    const polls = ++measurement.polls;
    const { request, said: { result: seen, after = 1 } } = measurement;
    const result = polls >= after ? seen : { status: "in-progress", rawOutput: "" };
    const isDone = result["status"] !== "in-progress";
    const { type, target, locations: [{ magic }] } = request;
    const body = {
      ...{ id, type, target, status: isDone ? "finished" : "in-progress" },
      ...{ createdAt: "2026-11-23T10:00:00.000Z", updatedAt: "2026-11-23T10:00:01.000Z" },
      ...{
        probesCount: 1,
        results: [{ probe: { city: magic, tags: [], resolvers: ["private"] }, result }],
      },
    };
    const etag = `W/"${id}-${isDone}"`;
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
    if (line === "POST /v1/measurements") {
      mostCreating = Math.max(mostCreating, ++creating);
      // Others that come at the same time are counted meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 1));
      creating--;
      if (success) return create(output);
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

/** What the API refuses although its schema would allow it. */
function findProblem(
  { target, measurementOptions }: Request,
): Record<string, string> | undefined {
  if (isPrivateAddress(target)) return { target: "Private hostnames are not allowed." };
  if (isIP(target) !== 0 && measurementOptions.ipVersion !== undefined) {
    return { ipVersion: "ipVersion is not allowed when target is not a domain" };
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
