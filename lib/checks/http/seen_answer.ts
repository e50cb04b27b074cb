import type { Answer } from "../assertions/answer.ts";
import { BODY_LIMIT } from "./answer.ts";
import type { Exchange } from "./exchange.ts";

/** An answer as assertions look at it. `now` is what the certificate is judged by. */
export function seenAnswer(
  { status, headers, body, expiry }: Exchange,
  responseTime: number,
  now: Temporal.Instant,
): Answer {
  const bytes = joined(body);
  return {
    status,
    responseTime: Math.round(responseTime),
    headers,
    body: decode(bytes.subarray(0, BODY_LIMIT), headers["content-type"]),
    isCut: bytes.length >= BODY_LIMIT,
    ...(expiry === undefined ? {} : { certificate: Date.parse(expiry) - now.epochMilliseconds }),
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * A body as text, in the encoding that its content type names; UTF-8 where it names none, or one that
 * nobody knows.
 */
function decode(bytes: Uint8Array, contentType = ""): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
