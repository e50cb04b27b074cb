import type { AnswerHead } from "./rate_limit.ts";

/** An answer of GitHub that is a refusal. */
export interface Answer extends AnswerHead {
  /** What is wrong with the request, as GitHub lists it. */
  faults: readonly Fault[];
  /** Whether it is GitHub's API that answers. */
  isOfApi: boolean;
}

/** A part of a request that GitHub does not take. */
export interface Fault {
  resource?: string;
  field?: string;
  code?: string;
  message?: string;
  value?: unknown;
}

/** What Octokit throws where an answer came. */
interface AnsweredError {
  status: number;
  response: { status: number; headers: AnswerHead["headers"]; data?: unknown };
}

/** An error like one of Octokit's, for an answer that the API would not give. */
export function notOfApi(response: AnsweredError["response"]): Error & AnsweredError {
  const { status } = response;
  return Object.assign(new Error("no answer of the API"), { status, response });
}

/** The answer that an error of Octokit stands for; `undefined` where none came. */
export function answerOf(error: unknown): Answer | undefined {
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
