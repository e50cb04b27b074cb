import { listed } from "../../text/listed.ts";
import type { Failure } from "../check.ts";

const TOO_LONG = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";
/** Messages that a reason shows. */
const MOST = 3;

/** What a message says; of one that is no text, how long it is. */
export function messageText(data: Uint8Array, isBinary: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: isBinary }).decode(data);
  } catch {
    return `(${data.length} bytes that are no text)`;
  }
}

/**
 * That no answer was the one expected, with what came. `shown` says whether that may be: what a server
 * says of itself may name its host.
 */
export function wrongAnswer(
  expected: readonly string[],
  answers: readonly string[],
  shown: boolean,
): Failure {
  const quote = (text: string) => JSON.stringify(text);
  const came = shown ? listed(answers, MOST, quote) : "something else";
  const wanted = expected.map(quote).join(", ");
  return { kind: "answer", reason: `expected ${wanted}, found ${came}` };
}

/** That the server left before it had answered, with its code and words for why. */
export function closedEarly(code: number, words: string): Failure {
  const why = `${code} ${words}`.trim();
  return { kind: "answer", reason: `the server closed the connection before it answered (${why})` };
}

/**
 * What is wrong with how the other side speaks the protocol; `undefined` where the error is one of the
 * network. `opened` says whether the handshake was done.
 */
export function protocolFailure(
  { code, message }: Error & { code?: string },
  opened: boolean,
): Failure | undefined {
  if (code === TOO_LONG) return { kind: "answer", reason: "the answer is longer than 1 MiB" };
  if (opened && code?.startsWith("WS_ERR_")) {
    return { kind: "answer", reason: `the answer is not valid (${message})` };
  }
  if (!opened && code === undefined && /^(?:Invalid|Server) /.test(message)) {
    return { kind: "answer", reason: `the WebSocket handshake is not valid (${message})` };
  }
}
