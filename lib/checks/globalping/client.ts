import * as v from "valibot";
import type { Clock } from "../../io/clock.ts";
import { connectionWords } from "../../io/requests.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { parseJson } from "../../text/safe_parse.ts";
import { formatTime } from "../../time.ts";
import { statusWords } from "../network_failure.ts";
import type { MeasurementRequest } from "./request.ts";

const GLOBALPING_API = "https://api.globalping.io";

/** Shortest time from an answer to the next request about the same measurement, in milliseconds: Globalping's rule. */
const POLL_INTERVAL = 500;
/** Pause before the next request, as a share of the time since the start: a slow probe may take long. */
const PATIENT_SHARE = 0.1;
/** Milliseconds that a request may take. */
const PATIENCE = 10_000;
/** Milliseconds that a measurement may take longer than the tests of its probes. */
const GRACE = 10_000;
/** Consecutive failed requests after which a measurement is given up. */
const MOST_FAILURES = 3;
/** Status codes that refuse this request only, not all requests. */
const OF_REQUEST = [400, 404, 413, 422];
/** Longest message of Globalping that a reason quotes, in characters. */
const LONGEST_MESSAGE = 200;

/** Globalping gives no result; nothing is known of the site. The message is the reason. */
export class GlobalpingError extends Error {
  override readonly name = "GlobalpingError";
  /** `run`: no measurement of this run will get one. */
  constructor(message: string, readonly scope: "run" | "measurement") {
    super(message);
  }
}

const CREATED = v.object({ id: v.string() });
const MEASUREMENT = v.object({
  status: v.string(),
  results: v.tuple([v.object({ result: v.looseObject({ status: v.string() }) })]),
});
const REFUSAL = v.object({
  error: v.object({
    type: v.string(),
    message: v.string(),
    params: v.optional(v.record(v.string(), v.unknown())),
  }),
});

/** A result of a probe, as far as every one has it. */
export type ProbeAnswer = v.InferOutput<typeof MEASUREMENT>["results"][number]["result"];

interface Answer {
  status: number;
  headers: Headers;
  json: unknown;
}

export class GlobalpingClient {
  constructor(
    readonly options: {
      clock: Clock;
      userAgent: string;
      /** Without one all users of this machine's address share a smaller limit. */
      token?: string;
      base?: string;
    },
  ) {}

  /** Starts a measurement by one probe at a place, and returns its id. */
  async create(request: MeasurementRequest, place: string, signal: AbortSignal): Promise<string> {
    const locations = [{ magic: place, limit: 1 }];
    const answer = await this.#request("/v1/measurements", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...request, inProgressUpdates: false, locations }),
    }, signal);
    if (answer.status !== 202) throw this.#toError(answer);
    return read(CREATED, answer).id;
  }

  /**
   * Waits for the result of a measurement whose probe has `timeout` seconds. Without a result by then it is still
   * `in-progress`.
   *
   * @throws {GlobalpingError} If there is no result at all.
   */
  async awaitResult(id: string, timeout: number, signal: AbortSignal): Promise<ProbeAnswer> {
    const { clock } = this.options;
    const limit = 1000 * timeout + GRACE;
    const start = clock.elapsed();
    let etag: string | undefined;
    let result: ProbeAnswer | undefined;
    let failures = 0;
    let shortest = POLL_INTERVAL;
    while (true) {
      const waited = clock.elapsed() - start;
      const pause = Math.max(shortest, PATIENT_SHARE * waited);
      if (waited + pause > limit) break;
      await clock.wait(pause, signal);
      shortest = POLL_INTERVAL;
      let answer: Answer;
      try {
        answer = await this.#request(
          `/v1/measurements/${encodeURIComponent(id)}`,
          { headers: etag === undefined ? {} : { "If-None-Match": etag } },
          signal,
        );
      } catch (error) {
        if (signal.aborted || ++failures >= MOST_FAILURES) throw error;
        continue;
      }
      if (answer.status === 429) {
        shortest = 1000 * (readNumber(answer.headers, "retry-after") ?? 5);
      } else if (answer.status >= 500 && ++failures < MOST_FAILURES) continue;
      else if (answer.status === 200) {
        failures = 0;
        const measurement = read(MEASUREMENT, answer);
        result = measurement.results[0].result;
        if (measurement.status !== "in-progress") return result;
        etag = answer.headers.get("etag") ?? undefined;
      } else if (answer.status !== 304) throw this.#toError(answer);
    }
    if (result !== undefined) return result;
    throw new GlobalpingError(`Globalping has no result after ${limit / 1000} s`, "measurement");
  }

  async #request(path: string, init: RequestInit, signal: AbortSignal): Promise<Answer> {
    const { base = GLOBALPING_API, userAgent, token } = this.options;
    if (signal.aborted) throw new GlobalpingError("the run was out of time", "run");
    const limit = AbortSignal.timeout(PATIENCE);
    try {
      // The runtime requests compressed answers by itself.
      const response = await fetch(`${base}${path}`, {
        ...init,
        redirect: "manual",
        headers: {
          ...init.headers as Record<string, string> | undefined,
          "Accept": "application/json",
          "User-Agent": userAgent,
          ...token ? { Authorization: `Bearer ${token}` } : {},
        },
        signal: AbortSignal.any([signal, limit]),
      });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, json: parseJson(text) };
    } catch (error) {
      const reason = signal.aborted
        ? "the run was out of time"
        : limit.aborted
        ? `Globalping gave no answer within ${PATIENCE / 1000} s`
        : `Globalping can't be reached: ${connectionWords(error)}`;
      throw new GlobalpingError(reason, "run");
    }
  }

  #toError({ status, headers, json }: Answer): GlobalpingError {
    const refusal = v.safeParse(REFUSAL, json);
    const { type, message, params = {} } = refusal.success
      ? refusal.output.error
      : { type: "", message: "" };
    if (status === 429) {
      const seconds = readNumber(headers, "x-ratelimit-reset") ??
        readNumber(headers, "retry-after");
      const end = seconds === undefined ? "" : ` until ${this.#describeEnd(seconds)}`;
      return new GlobalpingError(`Globalping's limit is used up${end}${this.#tokenHint()}`, "run");
    }
    if (type === "no_probes_found") {
      return new GlobalpingError(
        "Globalping has no probe there now: try a wider place",
        "measurement",
      );
    }
    const said = [message, ...Object.values(params)].filter((one) => typeof one === "string")
      .join(" ").trim();
    const words = said === "" ? "" : `: ${shorten(plainText(said), LONGEST_MESSAGE)}`;
    const answered = `Globalping answered ${statusWords(status)}${words}`;
    if (status === 401) {
      return new GlobalpingError(`${answered}: save a new GLOBALPING_TOKEN`, "run");
    }
    // A firewall in front of the API answers in words or HTML.
    if (status === 403 && type === "") {
      return new GlobalpingError(`${answered}: it blocks this machine's address`, "run");
    }
    return new GlobalpingError(answered, OF_REQUEST.includes(status) ? "measurement" : "run");
  }

  #tokenHint(): string {
    return this.options.token
      ? ""
      : ", which all users of this address share without a GLOBALPING_TOKEN";
  }

  #describeEnd(seconds: number): string {
    const end = this.options.clock.now().add({ seconds: Math.ceil(Math.min(seconds, 86_400)) });
    return `${formatTime(end).slice(11, 16)} UTC`;
  }
}

function read<T extends v.GenericSchema>(schema: T, { json }: Answer): v.InferOutput<T> {
  const parsed = v.safeParse(schema, json);
  if (parsed.success) return parsed.output;
  throw new GlobalpingError("Globalping's answer has an unexpected format", "run");
}

function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name)?.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
