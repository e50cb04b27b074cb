import type { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
// @ts-types="@types/ws"
import type { ClientOptions } from "ws";
import { PatternError } from "../assertions/evaluate.ts";
import type { Failure, Phases } from "../check.ts";
import { bareHost } from "../../config/checks/hosts.ts";
import { statusWords } from "../http/status_words.ts";
import type { Witness } from "../http/witness.ts";
import { openSocket } from "../net/open_socket.ts";
import { openTunnel } from "../net/open_tunnel.ts";
import type { Route } from "../net/route.ts";
import { Stopwatch } from "../net/stopwatch.ts";
import { unfitAddress } from "../net/timed_lookup.ts";
import { type Stage, TimeLimitError } from "../network_failure.ts";
import type { TlsOptions } from "../tls/tls_options.ts";
import { closedEarly, messageText, protocolFailure, wrongAnswer } from "./failures.ts";

/** Bytes that a message may have. */
const MESSAGE_LIMIT = 1024 * 1024; // The words for a longer one stand in failures.ts.
/** Milliseconds that the other side has to say goodbye. */
const CLOSE_LIMIT = 1_000;
/** Messages that are kept; who sends more is not quoted in full. */
const MOST_ANSWERS = 10;
const NORMAL = 1000;
/** Stands for an end without a goodbye. */
const ABNORMAL = 1006;

/** What is said over a WebSocket, and what is expected. */
export interface Conversation {
  url: URL;
  headers: Readonly<Record<string, string | string[]>>;
  tls: TlsOptions;
  route: Route;
  /** Sent once the connection is open. */
  message?: string;
  /** Texts of `expect` as configured; an answer is waited for where there are any. */
  expected: readonly string[];
  /** @throws {PatternError} Where a pattern can't be matched. */
  isExpected(answer: string): boolean;
  /** Whether it may be shown what the other side says. */
  showsAnswers: boolean;
  /** Milliseconds until the connection must be open, the handshake included. */
  connectTimeout: number;
  /** Aborted with the reason to fail with. */
  signal: AbortSignal;
  witness?: Witness;
}

/** How it went. */
export interface Outcome {
  /** Present where the conversation went as it should. */
  phases?: Phases;
  failure?: Failure;
  /** What the network or the runtime had against it, to be put in words. */
  error?: { cause: Error; stage: Stage };
  /** Messages that came. */
  answers: string[];
}

/**
 * The client, loaded only where it is used: it reads the environment while it loads, which not every
 * command may.
 */
export async function loadWebSocket() {
  // @ts-types="@types/ws"
  const { WebSocket } = await import("ws");
  return WebSocket;
}

/** Opens a WebSocket, says a message, waits for the answer that is expected, and says goodbye. */
export async function converse(conversation: Conversation): Promise<Outcome> {
  const WebSocket = await loadWebSocket();
  const { url, headers, tls, route, message, expected, connectTimeout, signal, witness } =
    conversation;
  const { isExpected, showsAnswers } = conversation;
  const host = bareHost(url);
  const secure = url.protocol === "wss:";
  const port = Number(url.port) || (secure ? 443 : 80);
  const { proxy, family } = route;
  const watch = new Stopwatch(isIP(proxy?.host ?? host) !== 0);
  const target = { ...route, host, port, watch };
  const problem = unfitAddress(proxy?.host ?? host, { family });
  let tunnel: Socket | undefined;
  try {
    if (problem !== undefined) throw problem;
    if (proxy !== undefined) {
      tunnel = await openTunnel({ ...target, proxy, connectTimeout, signal });
    }
  } catch (error) {
    return { error: { cause: error as Error, stage: watch.stage }, answers: [] };
  }
  const answers: string[] = [];
  let opened = false;
  let outcome: Outcome | undefined;
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = new WebSocket(url, {
    headers: { ...headers },
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
    closeTimeout: CLOSE_LIMIT,
    createConnection: () => {
      const connection = openSocket({ ...target, tunnel, ...(secure ? { tls } : {}) });
      if (proxy === undefined) {
        connection.on("connect", () => witness?.connected(connection));
      }
      connection.on("secureConnect", () => witness?.secured(connection));
      return connection;
    },
  } as ClientOptions);

  const fail = (failure: Failure) => {
    outcome ??= { failure, answers };
    socket.terminate();
  };
  const failBy = (cause: Error) => {
    const stage = opened ? "waiting for the answer" : handshakeStage(watch.stage);
    if (answers.length > 0 && cause instanceof TimeLimitError) {
      return fail(wrongAnswer(expected, answers, showsAnswers));
    }
    outcome ??= { error: { cause, stage }, answers };
    socket.terminate();
  };
  const finish = () => {
    outcome ??= { phases: watch.stop(), answers };
    socket.close(NORMAL);
  };
  const abort = () => failBy(signal.reason);
  const timer = setTimeout(
    () => failBy(new TimeLimitError(connectTimeout)),
    Math.max(0, connectTimeout - watch.elapsed),
  );

  socket.on("upgrade", ({ statusCode = 0, headers }) => witness?.answered(statusCode, headers));
  socket.on("unexpected-response", (_request, { statusCode = 0, headers }: IncomingMessage) => {
    witness?.answered(statusCode, headers);
    const words = statusWords(statusCode);
    fail({ kind: "answer", reason: `the WebSocket handshake was answered ${words}` });
  });
  socket.on("open", () => {
    clearTimeout(timer);
    opened = true;
    watch.pass("answer", "waiting for the answer");
    if (message !== undefined) socket.send(message);
    if (expected.length === 0) finish();
  });
  socket.on("message", (data: Buffer, isBinary) => {
    if (outcome !== undefined) return;
    const answer = messageText(data, isBinary);
    if (answers.length < MOST_ANSWERS) answers.push(answer);
    try {
      if (isExpected(answer)) finish();
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      fail({ kind: "configuration", reason: `expect: ${error.message}` });
    }
  });
  socket.on("error", (cause) => {
    const failure = protocolFailure(cause, opened);
    if (failure === undefined) failBy(cause);
    else fail(failure);
  });
  socket.on("close", (code: number, reason: Buffer) => {
    if (code === ABNORMAL) failBy(closed());
    else if (answers.length > 0) fail(wrongAnswer(expected, answers, showsAnswers));
    else fail(closedEarly(code, showsAnswers ? messageText(reason, false) : ""));
    resolve(outcome!);
  });
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  return await promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  });
}

function handshakeStage(stage: Stage): Stage {
  return stage === "waiting for the first byte" ? "waiting for the WebSocket handshake" : stage;
}

function closed(): Error {
  return Object.assign(new Error("closed"), { code: "ECONNABORTED" });
}
