interface AnswerHead {
  status: number;
  /** GitHub's own words. */
  message: string;
  /** Values by header name in lower case. */
  headers: Readonly<Record<string, string | number | undefined>>;
}

export interface Answer extends AnswerHead {
  faults: readonly Fault[];
  /** False if something on the way answered, such as a proxy. */
  isOfApi: boolean;
}

export interface Fault {
  resource?: string;
  field?: string;
  code?: string;
  message?: string;
  value?: unknown;
}

interface AnsweredError {
  status: number;
  response: { status: number; headers: AnswerHead["headers"]; data?: unknown };
}

/** Makes an error like Octokit's for a response that is not the API's. */
export function foreignAnswerError(response: AnsweredError["response"]): Error & AnsweredError {
  const { status } = response;
  return Object.assign(new Error("no answer of the API"), { status, response });
}

/** The response behind an error of Octokit; `undefined` if none came. */
export function toAnswer(error: unknown): Answer | undefined {
  if (!isAnswered(error)) return undefined;
  const { status, headers, data } = error.response;
  const isOfApi = typeof data === "object" && data !== null && status >= 400;
  const { message, errors } = (isOfApi ? data : {}) as { message?: unknown; errors?: unknown };
  return {
    status,
    message: typeof message === "string" ? message : "",
    headers,
    faults: Array.isArray(errors)
      ? errors.map((one) => typeof one === "string" ? { message: one } : one)
      : [],
    isOfApi: isOfApi && typeof message === "string",
  };
}

function isAnswered(error: unknown): error is AnsweredError {
  return error instanceof Error && "response" in error &&
    typeof error.response === "object" && error.response !== null && "status" in error.response;
}

/**
 * Seconds until a rate limit ends: an hour at most, and a minute if GitHub does not say; `undefined` if the
 * answer is no rate limit. `now` is the time in milliseconds, used only if the answer has no date.
 */
export function secondsToWait(head: AnswerHead, now: number): number | undefined {
  const seconds = secondsAsked(head, now);
  return seconds && Math.min(seconds, 3600);
}

function secondsAsked(
  { status, message, headers }: AnswerHead,
  now: number,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const today = Date.parse(String(headers["date"])) || now;
  const after = headers["retry-after"];
  if (after !== undefined && after !== "") {
    const seconds = Number(after);
    if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds));
    const date = Date.parse(String(after));
    if (!Number.isNaN(date)) return secondsUntil(date, today);
  }
  const isLimited = status === 429 || /rate limit|abuse detection/i.test(message);
  if (!isLimited) return undefined;
  const reset = Number(headers["x-ratelimit-reset"]);
  return String(headers["x-ratelimit-remaining"]) === "0" && reset > 0
    ? secondsUntil(reset * 1000, today) + 1
    : 60;
}

function secondsUntil(moment: number, now: number): number {
  return Math.max(0, Math.ceil((moment - now) / 1000));
}
