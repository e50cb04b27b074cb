import type { Failure } from "./check.ts";

/** What an exchange is busy with when it fails, as the end of "timed out after 30 s …". */
export type Stage =
  | "looking up the name"
  | "connecting"
  | "negotiating TLS"
  | "waiting for the first byte"
  | "reading the body";

/** A time limit of ours that ran out. */
export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";
  constructor(readonly milliseconds: number) {
    super(`Time limit of ${milliseconds} ms`);
  }
}

/** The fields of an error of `node:net`, `node:tls` or `node:http` that tell one from another. */
interface SystemError extends Error {
  code?: string;
  address?: string;
  port?: number;
  errors?: SystemError[];
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNABORTED: "connection aborted",
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
};

const CLOSED = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "UND_ERR_SOCKET"]);

/** What the failure of a connection is told with. */
export interface Circumstances {
  stage: Stage;
  /** Host name or address, where it may be shown. */
  host?: string;
  port?: number;
}

/**
 * An error of the network in words, with the address it is about.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const refused = Object.assign(new Error(), { code: "ECONNREFUSED", address: "203.0.113.7", port: 443 });
 * const { reason } = networkFailure(refused, { stage: "connecting", host: "example.com" });
 * assertEquals(reason, "connection refused (203.0.113.7:443)");
 * ```
 */
export function networkFailure(error: SystemError, { stage, host, port }: Circumstances): Failure {
  if (error instanceof TimeLimitError) {
    return network(`timed out after ${formatSeconds(error.milliseconds)} ${stage}`);
  }
  const cause = error.errors?.at(-1) ?? error;
  const code = cause.code ?? "";
  if (code.startsWith("HPE_")) {
    return { kind: "answer", reason: `answer is not valid HTTP (${plainMessage(cause)})` };
  }
  if (CLOSED.has(code) || cause.message === "socket hang up") {
    return network(
      `connection ${
        code === "ECONNRESET" && cause.message !== "socket hang up" ? "reset" : "closed"
      } while ${stage}`,
    );
  }
  const words = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  if (words === undefined) return network(`${plainMessage(cause)} while ${stage}`);
  if (host === undefined) return network(words);
  const lookup = words.startsWith("name ");
  return network(
    `${words} (${lookup ? host : endpoint(cause.address ?? host, cause.port ?? port)})`,
  );
}

function network(reason: string): Failure {
  return { kind: "network", reason };
}

function endpoint(address: string, port: number | undefined): string {
  const host = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
  return port === undefined ? host : `${host}:${port}`;
}

function plainMessage(error: Error): string {
  return error.message.split("\n")[0]!.replace(/^Parse Error: /, "").slice(0, 200);
}

function formatSeconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toFixed(1))} s`;
}
