import { CarrierError } from "../../../outbox/effect.ts";
import type { Clock } from "../../../io/clock.ts";
import type { Secrets } from "../../../io/secrets/secrets.ts";
import { exchange, NoAnswerError } from "./exchange.ts";
import type { SendingPace } from "./pace.ts";
import type { PreparedRequest } from "./prepare.ts";
import { type Cure, cureOf, isPassing, wordsOf } from "./refusal.ts";
import type { HttpAnswer } from "./request.ts";
import { retryAfter } from "./retry_after.ts";

/** What is known of who is sent to, and how long that may take. */
export interface Delivery {
  /** Name of the vendor, as a sentence begins with it. */
  vendor: string;
  cures: readonly Cure[];
  /** The keys of the configuration that may be wrong, for people. */
  settings: string;
  /** What the status of an answer really is, where the vendor hides that in the body. */
  statusOf(answer: HttpAnswer): number;
  secrets: Secrets;
  clock: Clock;
  /** From 0 to 1. */
  random(): number;
  pace: SendingPace;
  /** Milliseconds that have been waited because the vendor asked for it. */
  waited: number;
}

/** What came back of a request that was taken. */
export interface Delivered extends HttpAnswer {
  /** What people should know. */
  note?: string;
}

/**
 * Sends a request until it is taken: what may pass is tried again, after the wait that the vendor asks
 * for where that is short enough. A request may arrive twice where its answer is lost.
 *
 * @throws {CarrierError} Where it was not taken.
 */
export async function deliver(first: PreparedRequest, delivery: Delivery): Promise<Delivered> {
  const { pace, clock, random } = delivery;
  let request = first;
  for (let attempt = 0;; attempt++) {
    const last = attempt >= pace.delays.length;
    const usual = last ? 0 : pace.delays[attempt]! * (0.8 + 0.4 * random());
    let answer: HttpAnswer;
    try {
      answer = await attemptOf(request, delivery);
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      if (last) throw unreached(request, delivery, error);
      await clock.wait(usual);
      continue;
    }
    if (answer.status >= 200 && answer.status < 300) return { ...answer, note: request.note };
    if (!isPassing(answer.status)) {
      const other = request.otherwise(answer);
      if (other === undefined) throw refused(request, delivery, answer);
      request = other;
      continue;
    }
    const asked = retryAfter(answer, clock.now());
    const isLong = asked !== undefined && delivery.waited + asked > pace.patience;
    if (last || isLong) throw busy(request, delivery, { answer, asked });
    delivery.waited += asked ?? 0;
    // Others were told the same moment.
    await clock.wait(asked === undefined ? usual : asked + usual / 4);
  }
}

async function attemptOf(
  { url, method, headers, body }: PreparedRequest,
  { pace, statusOf }: Delivery,
): Promise<HttpAnswer> {
  const answer = await exchange(url, { method, headers, body }, pace.request);
  return { ...answer, status: statusOf(answer) };
}

function unreached({ host }: PreparedRequest, { vendor }: Delivery, error: Error): CarrierError {
  return new CarrierError(`${vendor} can't be reached: ${error.message} (${host})`, {
    prospect: "passing",
  });
}

function busy(
  request: PreparedRequest,
  delivery: Delivery,
  { answer, asked }: { answer: HttpAnswer; asked?: number },
): CarrierError {
  return new CarrierError(answered(request, delivery, answer), {
    prospect: "passing",
    retryAfter: asked,
  });
}

function refused(
  request: PreparedRequest,
  delivery: Delivery,
  answer: HttpAnswer,
): CarrierError {
  const { prospect, cure } = cureOf(answer, delivery);
  const said = answered(request, delivery, answer);
  return new CarrierError(cure === undefined ? said : `${said}; ${cure}`, { prospect });
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
