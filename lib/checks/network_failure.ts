import { STATUS_CODES } from "node:http";
import type { Failure } from "./observation.ts";

/** Stage of an exchange, as the end of "timed out after 30 s …". */
export type Stage =
  | "looking up the name"
  | "connecting"
  | "negotiating TLS"
  | "waiting for the first byte"
  | "reading the body"
  | "waiting for the WebSocket handshake"
  | "waiting for the answer"
  | "waiting for the greeting"
  | "waiting for the proxy"
  | `waiting for the name server${string}`;

export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
  constructor(readonly milliseconds: number) {
    super(`Time limit of ${milliseconds} ms`);
  }
}

interface SystemError extends Error {
  code?: string;
  address?: string;
  port?: number;
  errors?: SystemError[];
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  EHOSTUNREACH: "host unreachable",
  EHOSTDOWN: "host unreachable",
  ENETUNREACH: "network unreachable",
  EADDRNOTAVAIL: "network unreachable",
  ENOTFOUND: "name not found",
  ENODATA: "name not found",
  EAI_NONAME: "name not found",
  EAI_AGAIN: "name look-up failed for now",
  EAI_FAIL: "name look-up failed",
  ESERVFAIL: "name look-up failed",
  NO_IPV4: "no IPv4 address",
  NO_IPV6: "no IPv6 address",
};

/** Messages of the runtime about an answer that is not TLS, such as plain HTTP. */
const NOT_TLS = /corrupt message|wrong version number/i;

const ALERT = /received fatal alert: (\w+)/;
const CLIENT_CERTIFICATE = /^(?:\w*Certificate\w*|UnknownCA|AccessDenied)$/;

/** Before TLS is negotiated the runtime can't tell a connection that was closed from one that was reset. */
const CUT_SHORT = /^(?:socket hang up$|Client network socket disconnected before)/;

const CLOSED = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** Errors of this machine because of too many open connections. */
const OWN_LIMITS: Readonly<Record<string, string>> = {
  EMFILE: "this process may open no more files",
  ENFILE: "this machine can open no more files",
  ENOBUFS: "this machine has no room for more connections",
  ENOMEM: "this machine is out of memory",
};

export interface Circumstances {
  stage: Stage;
  /** Host name or address, if it may be shown. */
  host?: string;
  port?: number;
}

/** Describes an error of the network, with its address. A limit of this machine is no failure of the site. */
export function networkFailure(error: SystemError, { stage, host, port }: Circumstances): Failure {
  if (error instanceof TimeLimitError) {
    return network(`timed out after ${formatSeconds(error.milliseconds)} ${stage}`);
  }
  const cause = error.errors?.at(-1) ?? error;
  const code = cause.code ?? "";
  if (Object.hasOwn(OWN_LIMITS, code)) {
    return { kind: "machine", reason: `${OWN_LIMITS[code]} (${code}): lower concurrency` };
  }
  if (code.startsWith("HPE_")) {
    return { kind: "answer", reason: `answer is not valid HTTP (${plainMessage(cause)})` };
  }
  if (stage === "negotiating TLS" && NOT_TLS.test(cause.message)) {
    return network("the answer is not TLS");
  }
  const alert = ALERT.exec(cause.message)?.[1];
  if (alert !== undefined) return network(describeAlert(alert));
  const cutShort = CUT_SHORT.test(cause.message);
  if (CLOSED.has(code) || cutShort) {
    const how = code === "ECONNRESET" && !cutShort ? "reset" : "closed";
    return network(`connection ${how} while ${stage}`);
  }
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  if (words === undefined) {
    // The message of the runtime may name the host.
    const message = host === undefined ? code || "connection failed" : plainMessage(cause);
    return network(`${message} while ${stage}`);
  }
  if (host === undefined) return network(words);
  const lookup = /^n(?:ame|o) /.test(words);
  return network(
    `${words} (${lookup ? host : endpoint(cause.address ?? host, cause.port ?? port)})`,
  );
}

function network(reason: string): Failure {
  return { kind: "network", reason };
}

/** An alert about a certificate means the one that the server asked for. */
function describeAlert(alert: string): string {
  if (alert === "CertificateRequired") return "the server wants a client certificate";
  if (CLIENT_CERTIFICATE.test(alert)) return "the server does not accept the client certificate";
  const words = alert.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return `the server ended TLS with the alert "${words}"`;
}

export function endpoint(address: string, port: number | string | undefined): string {
  const host = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
  return port === undefined ? host : `${host}:${port}`;
}

function plainMessage(error: Error): string {
  return error.message.split("\n")[0]!.replace(/^Parse Error: /, "");
}

function formatSeconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}

/** An HTTP status with its standard phrase, if it has one. */
export function statusWords(status: number): string {
  return `${status} ${STATUS_CODES[status] ?? ""}`.trim();
}
