import { connectionWords, type ErrorKind, retry } from "../../../io/requests.ts";
import { EffectError } from "../../../outbox/effect.ts";
import { parseJson } from "../../../text/safe_parse.ts";
import { plainText } from "../../../text/plain_text.ts";
import { cutText } from "../../fit_text.ts";
import type { Sending, SendingPace } from "../channel.ts";
import { type HttpAnswer, type HttpRequest, prepare } from "./request.ts";

/** Advice on a refusal: for answers with a status, with certain words, or both. */
interface Cure {
  /** The answer is a refusal that a person must change, also if others have this status for success or for now. */
  status?: number;
  says?: RegExp;
  cure: string;
}

export interface Vendor {
  /** Its name at the start of a sentence. */
  vendor: string;
  cures?: readonly Cure[];
  /** Least time before a retry, in milliseconds. */
  pause?: number;
  /** Returns what a refusal says of recipients that got nothing, if others got the message. */
  findRefused?(answer: HttpAnswer): string | undefined;
  /** The status that an answer amounts to, as some vendors hide a refusal in the body. */
  statusOf?(answer: HttpAnswer): number;
  /**
   * True if a successful answer is the vendor's own: a proxy in front may answer 200 with its login page.
   *
   * @default Any answer that is no page
   */
  confirms?(answer: HttpAnswer): boolean;
  /** Milliseconds that the vendor asks to wait, if it says so in a place of its own. */
  waitOf?(answer: HttpAnswer, now: Temporal.Instant): number | undefined;
}

export interface Delivery extends Vendor {
  sending: Sending;
  pace: SendingPace;
  /** The configuration keys that may be wrong, for people. */
  settings: string;
  /** False if the host is a secret. */
  showsHost: boolean;
  /** Milliseconds that have been waited because the vendor asked for it. */
  waited: number;
}

/**
 * Sends a request until it is accepted, and returns the vendor's answer in words. Transient failures are
 * retried, after the wait that the vendor asks for if it is short enough. A request may arrive twice if its
 * answer is lost.
 *
 * @throws {EffectError} If the request was not accepted.
 */
export async function deliver(first: HttpRequest, delivery: Delivery): Promise<string> {
  const { vendor, pace, confirms = isNoPage, waitOf, findRefused, pause = 0, sending } = delivery;
  const { clock, random, secrets, onRefused } = sending;
  let request = first;
  const attempt = async (): Promise<string> => {
    const { answer, host, status: own } = await ask(request, delivery);
    const { status } = answer;
    const words = cutText(plainText(secrets.redact(findMessage(answer))), LONGEST_MESSAGE)
      .replace(/\.$/, "");
    const said = `answered ${own}${words && `: ${words}`}`;
    const isGood = status >= 200 && status < 300 &&
      !delivery.cures?.some((cure) => cure.status === status);
    if (isGood && !confirms(answer)) {
      throw new EffectError(
        `${vendor} (${host}) ${said}, which is no answer of ${vendor}: check ${delivery.settings}`,
        { kind: "misconfigured" },
      );
    }
    if (isGood) return request.note ? `${said}; ${request.note}` : said;
    const refused = findRefused?.(answer);
    if (refused !== undefined) {
      onRefused?.(secrets.redact(refused));
      return said;
    }
    const { kind, cure } = diagnose(answer, delivery);
    const other = kind === "transient" ? undefined : request.otherwise?.(answer);
    if (other === undefined) {
      const asked = waitOf?.(answer, clock.now());
      throw new EffectError(`${vendor} (${host}) ${said}${cure && `; ${cure}`}`, {
        kind,
        retryAfter: kind === "transient" ? asked ?? retryAfter(answer, clock.now()) : asked,
      });
    }
    request = other;
    return await attempt();
  };
  return await retry(attempt, {
    delays: pace.delays.map((delay) => delay * (0.8 + 0.4 * random())),
    clock,
    delayAfter(error, delay) {
      if (!(error instanceof EffectError) || error.kind !== "transient") return undefined;
      const { retryAfter } = error;
      if (retryAfter === undefined) return Math.max(delay, pause);
      if (delivery.waited + retryAfter > pace.patience) return undefined;
      delivery.waited += retryAfter;
      // Spreads channels that were asked to wait at the same time.
      return retryAfter + delay / 4;
    },
  });
}

/**
 * Sends a request once, and returns the answer with the status that it amounts to, its own status, and the host for
 * people.
 *
 * @throws {EffectError} If there is no answer.
 */
async function ask(
  request: HttpRequest,
  delivery: Delivery,
): Promise<{ answer: HttpAnswer; host: string; status: number }> {
  const { vendor, pace, statusOf } = delivery;
  const { url, init } = prepare(request, delivery);
  const host = delivery.showsHost ? url.host : "its host is a secret";
  const answer = await exchange(url, init, pace.request).catch((error) => {
    throw new EffectError(`${vendor} can't be reached: ${error.message} (${host})`, {
      kind: "transient",
    });
  });
  const { status } = answer;
  return { answer: { ...answer, status: statusOf?.(answer) ?? status }, host, status };
}

/** Longest part of an answer that is read, in bytes. */
const LONGEST_ANSWER = 64 * 1024;

/**
 * Sends one request and reads its answer within `limit` milliseconds. A redirect is an answer like others:
 * a credential in an address is not carried on to another. Errors contain no address.
 */
async function exchange(url: URL, init: RequestInit, limit: number): Promise<HttpAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit);
  try {
    const { status, headers, body } = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: late.signal,
    });
    const decoder = new TextDecoder();
    let text = "";
    let length = 0;
    // Leaving the loop early closes the connection.
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      length += chunk.length;
      if (length >= LONGEST_ANSWER) break;
    }
    return { status, headers, body: text + decoder.decode() };
  } catch (error) {
    throw new Error(
      late.signal.aborted
        ? `no answer within ${Number((limit / 1000).toFixed(1))} s`
        : connectionWords(error),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** False for a page of HTML or XML, which no vendor answers a message with. */
function isNoPage({ body }: Pick<HttpAnswer, "body">): boolean {
  return !/^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body);
}

const USUAL_CURES: Readonly<Record<number, string>> = {
  401: "the credentials are wrong: check",
  403: "it does not allow this: check",
  404: "the address does not exist: check",
  410: "the address is gone: make a new one and change",
};

/** The kind of a refusal, and what to do; `cure` is empty if nothing can be done. */
function diagnose(
  { status, body }: HttpAnswer,
  { cures = [], settings }: Delivery,
): { kind: ErrorKind; cure: string } {
  const own = cures.find((cure) =>
    (cure.status === undefined || cure.status === status) && (cure.says?.test(body) ?? true)
  );
  const isTransient = status >= 500 || [408, 425, 429].includes(status);
  if (isTransient && own?.status !== status) return { kind: "transient", cure: "" };
  const usual = USUAL_CURES[status];
  const cure = status >= 300 && status < 400
    ? `redirects are not followed, because addresses hold credentials: change ${settings}`
    : own?.cure ?? (usual && `${usual} ${settings}`);
  return cure === undefined ? { kind: "permanent", cure: "" } : { kind: "misconfigured", cure };
}

/** Longest message of a vendor that is repeated, in UTF-16 units. */
const LONGEST_MESSAGE = 200;

/**
 * Extracts the message of an answer from the places that vendors use; empty if it has none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(findMessage({ body: '{"ok": false, "description": "Bad Request: chat not found"}' }), "Bad Request: chat not found");
 * const errors = [{ message: "is required", source: { field: "title" } }];
 * assertEquals(findMessage({ body: JSON.stringify({ errors }) }), "title: is required");
 * ```
 */
export function findMessage(answer: Pick<HttpAnswer, "body">): string {
  const json = parseAnswer(answer);
  if (typeof json !== "object" || json === null) return isNoPage(answer) ? answer.body : "";
  const places = [
    "description",
    "message",
    "msg",
    "error",
    "errors",
    "errorDescription",
    "title",
    "detail",
  ];
  const texts = places.flatMap((key) => [findWithin(json, key)].flat()).map((value) => {
    const text = findWithin(value, "message") ?? value;
    const field = findWithin(value, "source", "field");
    return typeof text === "string" && typeof field === "string" ? `${field}: ${text}` : text;
  }).filter((text) => typeof text === "string" && text !== "");
  return [...new Set(texts)].join(": ");
}

/**
 * Milliseconds until a vendor accepts requests again; `undefined` if it doesn't say. The source is
 * `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), or the body: Discord gives fractions
 * of a second (discord.com/developers/docs/topics/rate-limits), Telegram `parameters.retry_after`
 * (core.telegram.org/bots/api#responseparameters), and older servers of Matrix `retry_after_ms`.
 */
export function retryAfter(
  answer: Pick<HttpAnswer, "headers" | "body">,
  now: Temporal.Instant,
): number | undefined {
  const json = parseAnswer(answer);
  const inBody = findWithin(json, "retry_after") ?? findWithin(json, "parameters", "retry_after");
  if (typeof inBody === "number" && inBody >= 0) return Math.ceil(inBody * 1000);
  const milliseconds = findWithin(json, "retry_after_ms");
  if (typeof milliseconds === "number" && milliseconds >= 0) return milliseconds;
  const header = answer.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const wait = Date.parse(header) - now.epochMilliseconds;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** The body of an answer as JSON; `undefined` if it is none. */
export function parseAnswer({ body }: Pick<HttpAnswer, "body">): unknown {
  return parseJson(body);
}

export function findWithin(value: unknown, ...path: string[]): unknown {
  return path.reduce(
    (inner: unknown, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? Reflect.get(inner, key)
        : undefined,
    value,
  );
}
