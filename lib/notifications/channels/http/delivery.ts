import type { Clock } from "../../../io/clock.ts";
import { connectionWords, retry } from "../../../io/requests.ts";
import type { Secrets } from "../../../io/secrets/secrets.ts";
import { EffectError } from "../../../outbox/effect.ts";
import type { ErrorKind } from "../../../io/error_kind.ts";
import { plainText } from "../../../text/plain_text.ts";
import { cutText } from "../../fit_text.ts";

export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** Its first part. */
  body: string;
}

/** A request with everything in place. */
export interface PreparedRequest {
  url: URL;
  method: string;
  headers: Headers;
  body?: string;
  /** The host as errors name it. */
  host: string;
  /** A remark for the log if the request is accepted. */
  note?: string;
  /** Makes the request to send instead, if the answer calls for one. */
  otherwise(answer: HttpAnswer): PreparedRequest | undefined;
}

/** The vendor of a channel, and the limits of sending to it. */
export interface Delivery {
  /** Name of the vendor at the start of a sentence. */
  vendor: string;
  cures: readonly Cure[];
  /** The keys of the configuration that may be wrong, for people. */
  settings: string;
  /** The real status of an answer, which some vendors hide in the body. */
  statusOf(answer: HttpAnswer): number;
  secrets: Secrets;
  clock: Clock;
  /** From 0 to 1. */
  random(): number;
  pace: SendingPace;
  /** Milliseconds that have been waited because the vendor asked for it. */
  waited: number;
}

export interface Delivered extends HttpAnswer {
  /** A remark for the log. */
  note?: string;
}

/**
 * Sends a request until it is accepted. Transient failures are retried, after the wait that the vendor
 * asks for if it is short enough. A request may arrive twice if its answer is lost.
 *
 * @throws {EffectError} If the request was not accepted.
 */
export async function deliver(first: PreparedRequest, delivery: Delivery): Promise<Delivered> {
  const { pace, clock, random } = delivery;
  let request = first;
  const attempt = async (): Promise<Delivered> => {
    const answer = await attemptOf(request, delivery).catch((error) => {
      throw error instanceof NoAnswerError ? unreached(request, delivery, error) : error;
    });
    if (answer.status >= 200 && answer.status < 300) return { ...answer, note: request.note };
    if (isPassing(answer.status)) throw busy(request, delivery, answer);
    const other = request.otherwise(answer);
    if (other === undefined) throw refused(request, delivery, answer);
    request = other;
    return await attempt();
  };
  return await retry(attempt, {
    delays: pace.delays.map((delay) => delay * (0.8 + 0.4 * random())),
    clock,
    delayAfter(error, delay) {
      if (!(error instanceof EffectError) || error.kind !== "transient") return undefined;
      const { retryAfter } = error;
      if (retryAfter === undefined) return delay;
      if (delivery.waited + retryAfter > pace.patience) return undefined;
      delivery.waited += retryAfter;
      // Spreads channels that were asked to wait at the same time.
      return retryAfter + delay / 4;
    },
  });
}

async function attemptOf(
  { url, method, headers, body }: PreparedRequest,
  { pace, statusOf }: Delivery,
): Promise<HttpAnswer> {
  const answer = await exchange(url, { method, headers, body }, pace.request);
  return { ...answer, status: statusOf(answer) };
}

function unreached({ host }: PreparedRequest, { vendor }: Delivery, error: Error): EffectError {
  return new EffectError(`${vendor} can't be reached: ${error.message} (${host})`, {
    kind: "transient",
  });
}

function busy(
  request: PreparedRequest,
  delivery: Delivery,
  answer: HttpAnswer,
): EffectError {
  return new EffectError(answered(request, delivery, answer), {
    kind: "transient",
    retryAfter: retryAfter(answer, delivery.clock.now()),
  });
}

function refused(
  request: PreparedRequest,
  delivery: Delivery,
  answer: HttpAnswer,
): EffectError {
  const { kind, cure } = cureOf(answer, delivery);
  const said = answered(request, delivery, answer);
  return new EffectError(cure === undefined ? said : `${said}; ${cure}`, { kind });
}

/** `Slack (hooks.slack.com) answered 404: no_service`. */
function answered(
  { host }: PreparedRequest,
  { vendor, secrets }: Delivery,
  answer: HttpAnswer,
): string {
  const words = wordsOf(answer, (text) => secrets.redact(text));
  return `${vendor} (${host}) answered ${answer.status}${words === "" ? "" : `: ${words}`}`;
}

/** Longest part of an answer that anyone looks at, in bytes. */
const LONGEST_ANSWER = 64 * 1024;

/** No answer came: why, in words that hold no address. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
}

/**
 * Sends one request and reads its answer, both within a limit of milliseconds. A redirect is an answer
 * like others: a credential in an address is not carried on to another.
 *
 * @throws {NoAnswerError} If no answer came in time.
 */
export async function exchange(
  url: URL,
  { method, headers, body }: { method: string; headers: Headers; body?: string },
  limit: number,
): Promise<HttpAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  try {
    const answer = await fetch(url, {
      method,
      headers,
      // The runtime would resend a text by itself if the connection breaks.
      body: body === undefined || body === "" ? body : new Blob([body]),
      redirect: "manual",
      signal: late.signal,
    });
    const { status } = answer;
    return { status, headers: answer.headers, body: await beginning(answer) };
  } catch (error) {
    throw new NoAnswerError(
      late.signal.aborted
        ? `no answer within ${Number((limit / 1000).toFixed(1))} s`
        : connectionWords(error),
    );
  } finally {
    clearTimeout(timer);
  }
}

async function beginning({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    length += chunk.length;
    if (length >= LONGEST_ANSWER) break;
  }
  return text + decoder.decode();
}

/** A cure for answers with a status, with certain words, or both. */
export interface Cure {
  status?: number;
  /** Matches the body of the answer. */
  says?: RegExp;
  /** The cure as a command. */
  cure: string;
}

/** Longest words of a vendor that are repeated, in UTF-16 units. */
const LONGEST_WORDS = 200;
const USUAL: readonly Cure[] = [
  { status: 401, cure: "the credentials are wrong: check" },
  { status: 403, cure: "it does not allow this: check" },
  { status: 404, cure: "there is no such address: check" },
  { status: 410, cure: "the address is gone: make a new one and change" },
];

/** True for statuses that may go away by themselves. */
function isPassing(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

/** Finds kind and cure of a refusal. `settings` names the configuration keys that may be wrong. */
function cureOf(
  { status, body }: HttpAnswer,
  { cures, settings }: { cures: readonly Cure[]; settings: string },
): { kind: ErrorKind; cure?: string } {
  if (status >= 300 && status < 400) {
    return {
      kind: "misconfigured",
      cure: `redirects are not followed, because addresses hold credentials: change ${settings}`,
    };
  }
  const own = cures.find((cure) =>
    (cure.status === undefined || cure.status === status) && (cure.says?.test(body) ?? true)
  );
  if (own !== undefined) return { kind: "misconfigured", cure: own.cure };
  const usual = USUAL.find((cure) => cure.status === status);
  return usual === undefined
    ? { kind: "permanent" }
    : { kind: "misconfigured", cure: `${usual.cure} ${settings}` };
}

/**
 * Extracts the message of an answer on one line, cut and redacted; empty if it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const answer = { status: 400, headers: new Headers(), body: '{"ok": false, "description": "Bad Request: chat not found"}' };
 * assertEquals(wordsOf(answer, (text) => text), "Bad Request: chat not found");
 * ```
 */
export function wordsOf(answer: HttpAnswer, redact: (text: string) => string): string {
  const json = jsonOf(answer);
  const said = json === undefined || typeof json !== "object" || json === null
    ? markless(answer.body)
    : wordsIn(json);
  return cutText(plainText(redact(said)), LONGEST_WORDS);
}

/** Collects the texts at the places that vendors use. */
function wordsIn(json: object): string {
  const places = ["description", "message", "error", "errors", "title", "detail"];
  const found = places.flatMap((key) => {
    const value = within(json, key);
    const inner = within(value, "message") ?? value;
    return Array.isArray(inner) ? inner : [inner];
  });
  const texts = found.filter((text): text is string => typeof text === "string" && text !== "");
  return [...new Set(texts)].join(": ");
}

function markless(body: string): string {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(body) ? "" : body;
}

/**
 * Milliseconds until a vendor accepts requests again; `undefined` if it doesn't say. The source is
 * `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or the body: Discord gives fractions
 * of a second (discord.com/developers/docs/topics/rate-limits), Telegram `parameters.retry_after`
 * (core.telegram.org/bots/api#responseparameters).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const now = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const headers = new Headers({ "Retry-After": "Sat, 21 Nov 2026 10:06:00 GMT" });
 * assertEquals(retryAfter({ status: 429, headers, body: "" }, now), 60_000);
 * assertEquals(retryAfter({ status: 429, headers: new Headers(), body: '{"retry_after": 0.35}' }, now), 350);
 * ```
 */
export function retryAfter(answer: HttpAnswer, now: Temporal.Instant): number | undefined {
  const json = jsonOf(answer);
  const inBody = [within(json, "retry_after"), within(json, "parameters", "retry_after")]
    .find((value) => typeof value === "number" && value >= 0);
  if (typeof inBody === "number") return Math.ceil(inBody * 1000);
  const header = answer.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const wait = Date.parse(header) - now.epochMilliseconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Timeouts and delays of sending. */
export interface SendingPace {
  /** Milliseconds for one request, its answer included. */
  request: number;
  /** Milliseconds before the second attempt, the third, and so on. */
  delays: readonly number[];
  /** Milliseconds that may be waited because a vendor asks for it, all attempts of a message together. */
  patience: number;
  /**
   * Milliseconds after which no further request of a message starts, and no further message of a channel. The
   * rest waits for the next run. The last request may take 65 s, and claims of messages last 3 minutes.
   */
  budget: number;
}

export const USUAL_SENDING_PACE: SendingPace = {
  request: 10_000,
  delays: [1_000, 4_000],
  patience: 30_000,
  budget: 100_000,
};

/** The body of an answer as JSON; `undefined` if it is none. */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The value at a path in JSON; `undefined` if there is none. */
export function within(value: unknown, ...path: string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );
}
