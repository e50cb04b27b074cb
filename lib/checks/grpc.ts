import type { IncomingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { chooseFamily } from "../config/checks/connection_keys.ts";
import { isPlain } from "../config/checks/grpc.ts";
import type { CheckSettings } from "../config/checks/mod.ts";
import { closedError, explainFailure, openConnection } from "./connection.ts";
import { readTlsOptions, resolveCredentials } from "./credentials.ts";
import { DialogueError } from "./dialogue.ts";
import { readHost } from "./host.ts";
import { endpoint, statusWords } from "./network_failure.ts";
import { type Failure, missingSecrets, type Probe } from "./observation.ts";
import { Stopwatch, unlessAborted, withTimeLimit } from "./timing.ts";
import { Trace } from "./trace.ts";

const PATH = "/grpc.health.v1.Health/Check";
/** Bytes of an answer that are read; the message has two. */
const BODY_LIMIT = 16 * 1024;
/** Values of the answer's field 1 (grpc.health.v1, ServingStatus). */
const SERVING_STATUS = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];
const SERVING = 1;
/** Codes of errors (grpc/grpc, doc/statuscodes.md). */
const STATUS_NAMES =
  "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
    .split(" ");
const [NOT_FOUND, UNIMPLEMENTED] = [5, 12];

interface Answer {
  /** Trailers included. */
  headers: IncomingHttpHeaders;
  body: Uint8Array;
}

/** Asks a server for its health over gRPC. `url` is a host, with or without a port; without TLS only with `grpc://`. */
export const grpc: Probe<CheckSettings<"grpc">> = async (site, context) => {
  const { secrets, signal, now, attempt, userAgent } = context;
  const address = readHost({ ...site, check: "grpc", usual: 443 }, secrets);
  if (!("host" in address)) return address;
  const service = secrets.substitute(site.service ?? "");
  const credentials = resolveCredentials(site, secrets);
  const missing = [...service.missing, ...credentials.missing];
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const tls = await readTlsOptions(credentials, site, context.root);
  if (!("insecure" in tls)) return tls;

  const { host, port, showsHost } = address;
  const isSecure = !isPlain(secrets.substitute(site.url).text);
  const route = { family: chooseFamily(site), attempt };
  const trace = new Trace();
  trace.requested("GRPC", address.shown, showsHost);
  const watch = new Stopwatch(host);
  let answer: Answer | undefined;
  let failure: Failure | undefined;
  try {
    answer = await withTimeLimit(site.requestTimeout, signal, async (signal) => {
      const socket = await openConnection(
        { host, port, ...route, ...(isSecure ? { tls: { ...tls, protocols: ["h2"] } } : {}) },
        { ...site, signal, watch, onSecure: (socket: TLSSocket) => trace.secured(socket) },
      );
      trace.connected(socket);
      const authority = `${isSecure ? "https" : "http"}://${endpoint(host, port)}`;
      return await ask(socket, { authority, service: service.text, userAgent, signal });
    });
    watch.pass("answer", "reading the body");
    trace.details.hops.at(-1)!.words = "answered";
    failure = evaluateAnswer(answer, service.secret ? undefined : site.service);
  } catch (error) {
    failure = explainAnswer(error as Error) ??
      explainFailure(error as Error, watch.stage, { host, port, shown: showsHost, now });
  }
  const phases = answer && watch.stop();
  return {
    code: failure === undefined ? 200 : 0,
    responseTime: watch.elapsed,
    phases,
    ...(failure === undefined ? {} : { failure }),
    ...(trace.expiry === undefined ? {} : { certificate: trace.expiry }),
    details: trace.details,
  };
};

function explainAnswer(error: NodeJS.ErrnoException): Failure | undefined {
  const { code, message } = error;
  if (error instanceof DialogueError) return { kind: "answer", reason: message };
  if (!code?.startsWith("ERR_HTTP2")) return undefined;
  const reason = code === "ERR_HTTP2_ERROR"
    ? "the answer is not HTTP/2"
    : `the call failed: ${message}`;
  return { kind: "answer", reason };
}

/** Makes one call over an open connection; the connection is closed afterwards. */
async function ask(
  socket: Socket,
  { authority, service, userAgent, signal }: {
    authority: string;
    service: string;
    userAgent: string;
    signal: AbortSignal;
  },
): Promise<Answer> {
  const { connect } = await import("node:http2");
  const session = connect(authority, { createConnection: () => socket });
  try {
    return await unlessAborted<Answer>(signal, (resolve, reject) => {
      let headers: IncomingHttpHeaders = {};
      const parts: Uint8Array[] = [];
      let length = 0;
      session.on("error", reject);
      session.on("close", () => reject(closedError()));
      const call = session.request({
        ":method": "POST",
        ":path": PATH,
        "content-type": "application/grpc",
        "te": "trailers",
        "user-agent": userAgent,
      });
      call.on("error", reject);
      call.on("response", (own) => headers = { ...headers, ...own });
      call.on("trailers", (own) => headers = { ...headers, ...own });
      call.on("data", (part: Uint8Array) => {
        length += part.length;
        if (length <= BODY_LIMIT) parts.push(part);
        else reject(new DialogueError("the answer is longer than 16 KiB"));
      });
      call.on("end", () => {
        if (headers[":status"] === undefined) return reject(closedError());
        const body = new Uint8Array(length);
        parts.reduce((at, part) => (body.set(part, at), at + part.length), 0);
        resolve({ headers, body });
      });
      call.end(encodeRequest(service));
    });
  } finally {
    session.on("error", () => {});
    session.destroy();
    socket.on("error", () => {});
    socket.destroy();
  }
}

/**
 * A message of gRPC with the request: no compression, the length, then field 1 with the name of the service.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals([...encodeRequest("")], [0, 0, 0, 0, 0]);
 * assertEquals([...encodeRequest("ab")], [0, 0, 0, 0, 4, 10, 2, 97, 98]);
 * ```
 */
export function encodeRequest(service: string): Uint8Array {
  const name = new TextEncoder().encode(service);
  const length = [];
  for (let left = name.length; left > 0; left = Math.floor(left / 128)) {
    length.push(left >= 128 ? (left % 128) + 128 : left);
  }
  const field = name.length === 0 ? [] : [10, ...length, ...name];
  const message = new Uint8Array(5 + field.length);
  new DataView(message.buffer).setUint32(1, field.length);
  message.set(field, 5);
  return message;
}

/** Reason why an answer is not that of a healthy server; `service` is its name if that may be shown. */
function evaluateAnswer(
  { headers, body }: Answer,
  service: string | undefined,
): Failure | undefined {
  const answer = (reason: string): Failure => ({ kind: "answer", reason });
  const httpStatus = Number(headers[":status"]);
  if (httpStatus !== 200) return answer(`answered ${statusWords(httpStatus)}`);
  if (!/^application\/grpc/i.test(headers["content-type"] ?? "")) {
    return answer("the answer is not gRPC");
  }
  const status = headers["grpc-status"];
  if (status === undefined) return answer("the answer ended before its status of gRPC");
  const code = Number(status);
  if (code === UNIMPLEMENTED) return answer("the server has no health service (UNIMPLEMENTED)");
  if (code === NOT_FOUND) {
    return answer(`the server does not know the service ${service ?? "asked for"} (NOT_FOUND)`);
  }
  if (code !== 0) {
    const name = STATUS_NAMES[code];
    return answer(`answered with ${name === undefined ? "an unknown error" : `the error ${name}`}`);
  }
  // Field 1 is left out if it is 0.
  const [compressed, , , , length = 0, tag, value = 0] = body;
  const isWhole = compressed === 0 && body.length === 5 + length;
  const serving = !isWhole ? -1 : length === 0 ? 0 : tag === 8 ? value : -1;
  if (serving === SERVING) return undefined;
  return answer(`answered ${SERVING_STATUS[serving] ?? "with an unknown status"}`);
}
