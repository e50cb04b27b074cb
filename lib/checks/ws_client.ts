import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
// @ts-types="@types/ws"
import type { ClientOptions } from "ws";
import { joinFirst } from "../text/words.ts";
import { PatternError } from "./assertions/patterns.ts";
import { closedError, openConnection, toHostAndPort } from "./connection.ts";
import { groupHeaders } from "./http/headers.ts";
import type { PreparedRequest } from "./http/request.ts";
import { type Stage, statusWords, TimeLimitError } from "./network_failure.ts";
import { describeSizes, type Failure, type Phases } from "./observation.ts";
import { Stopwatch } from "./timing.ts";
import type { Trace } from "./trace.ts";

/** Bytes that a message may have; `protocolFailure` repeats the number. */
const MESSAGE_LIMIT = 1024 * 1024;
/** Milliseconds that the server has for its closing handshake. */
const CLOSE_LIMIT = 1_000;
const MOST_ANSWERS = 10;
const MOST_QUOTED = 3;
const NORMAL = 1000;
/** Status code of a connection that was closed without a closing handshake. */
const ABNORMAL = 1006;

export interface Conversation {
  message?: string;
  /** Texts of `expect` as configured; if there are any, the client waits for an answer. */
  expected: readonly string[];
  /** @throws {PatternError} If a pattern can't be matched. */
  isExpected(answer: string): boolean;
}

interface ConversationResult {
  phases?: Phases;
  failure?: Failure;
  error?: { cause: Error; stage: Stage };
  answers: string[];
}

/** Loads the client. It reads the environment while it loads, which not every command may do. */
export async function loadWebSocket() {
  // @ts-types="@types/ws"
  const { WebSocket } = await import("ws");
  return WebSocket;
}

export async function converse(
  { hop: { url, headers }, tls, route }: PreparedRequest,
  { message, expected, isExpected }: Conversation,
  { connectTimeout, signal, trace, quotes }: {
    /** Milliseconds until the connection must be open, the WebSocket handshake included. */
    connectTimeout: number;
    signal: AbortSignal;
    quotes: boolean;
    trace: Trace;
  },
): Promise<ConversationResult> {
  const WebSocket = await loadWebSocket();
  const target = toHostAndPort(url);
  const watch = new Stopwatch(route.proxy?.host ?? target.host);
  const answers: string[] = [];
  const sizes: number[] = [];
  let connection;
  try {
    connection = await openConnection({
      ...route,
      ...target,
      ...(url.protocol === "wss:" ? { tls } : {}),
    }, { watch, connectTimeout, signal, onSecure: (socket) => trace.secured(socket) });
  } catch (error) {
    return { error: { cause: error as Error, stage: watch.stage }, answers };
  }
  if (route.proxy === undefined) trace.connected(connection);
  const opened = connection;
  const found = () =>
    quotes ? joinFirst(answers, MOST_QUOTED, quote) : describeSizes(sizes, "message", "byte");
  let isOpen = false;
  let result: ConversationResult | undefined;
  const { promise, resolve } = Promise.withResolvers<ConversationResult>();
  const socket = new WebSocket(url, {
    headers: groupHeaders(headers),
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
    closeTimeout: CLOSE_LIMIT,
    createConnection: () => opened,
  } as ClientOptions);
  const end = (own: Omit<ConversationResult, "answers">) => {
    result ??= { ...own, answers };
    if (own.phases === undefined) socket.terminate();
    else socket.close(NORMAL);
  };
  const fail = (cause: Error) => {
    if (answers.length > 0 && cause instanceof TimeLimitError) {
      return end({ failure: wrongAnswer(expected, found()) });
    }
    const stage = isOpen ? "waiting for the answer" : "waiting for the WebSocket handshake";
    end({ error: { cause, stage } });
  };
  const abort = () => fail(signal.reason);
  const timer = setTimeout(
    () => fail(new TimeLimitError(connectTimeout)),
    Math.max(0, connectTimeout - watch.elapsed),
  );
  socket.on("upgrade", ({ statusCode = 0, headers }) => trace.answered(statusCode, headers));
  socket.on("unexpected-response", (_request, { statusCode = 0, headers }: IncomingMessage) => {
    trace.answered(statusCode, headers);
    const words = statusWords(statusCode);
    end({ failure: answerFailure(`the WebSocket handshake was answered ${words}`) });
  });
  socket.on("open", () => {
    clearTimeout(timer);
    isOpen = true;
    watch.pass("answer", "waiting for the answer");
    if (message !== undefined) socket.send(message);
    if (expected.length === 0) end({ phases: watch.stop() });
  });
  socket.on("message", (data: Buffer, isBinary) => {
    if (result !== undefined) return;
    const answer = messageText(data, isBinary);
    if (answers.length < MOST_ANSWERS) {
      answers.push(answer);
      sizes.push(data.length);
    }
    try {
      if (isExpected(answer)) end({ phases: watch.stop() });
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      end({ failure: { kind: "configuration", reason: `expect: ${error.message}` } });
    }
  });
  socket.on("error", (cause) => {
    const failure = protocolFailure(cause, isOpen);
    if (failure === undefined) fail(cause);
    else end({ failure });
  });
  socket.on("close", (code: number, reason: Buffer) => {
    const why = `${code} ${quotes ? messageText(reason, false) : ""}`.trim();
    if (code === ABNORMAL) fail(closedError());
    else if (answers.length > 0) end({ failure: wrongAnswer(expected, found()) });
    else {
      end({
        failure: answerFailure(`the server closed the connection before it answered (${why})`),
      });
    }
    resolve(result!);
  });
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

function answerFailure(reason: string): Failure {
  return { kind: "answer", reason };
}

function messageText(data: Uint8Array, isBinary: boolean): string {
  try {
    return new TextDecoder("utf-8", { fatal: isBinary }).decode(data);
  } catch {
    return `(${data.length} bytes that are not text)`;
  }
}

function wrongAnswer(expected: readonly string[], found: string): Failure {
  return answerFailure(`expected ${expected.map(quote).join(", ")}, found ${found}`);
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** The failure that an error of the WebSocket protocol means; `undefined` for one of the network. */
function protocolFailure(
  { code, message }: Error & { code?: string },
  isOpen: boolean,
): Failure | undefined {
  if (code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") {
    return answerFailure("the answer is longer than 1 MiB");
  }
  if (isOpen && code?.startsWith("WS_ERR_")) {
    return answerFailure(`the answer is not valid (${message})`);
  }
  if (!isOpen && code === undefined && /^(?:Invalid|Server) /.test(message)) {
    return answerFailure(`the WebSocket handshake is not valid (${message})`);
  }
}
