import { connectionWords } from "../io/connection_words.ts";
import { BudgetError } from "./budget.ts";
import { NoAnswerError } from "./limited_fetch.ts";

/** Why no answer came from the API at an address, in words; the host is told, credentials are not. */
export function unreachable(error: unknown, api: string): string {
  if (error instanceof BudgetError) {
    return `what GitHub was asked for took longer than ${error.milliseconds / 1000} s together`;
  }
  const { host } = new URL(api);
  const cause = error instanceof Error ? error.cause ?? error : error;
  if (cause instanceof NoAnswerError) return `${cause.message} (${host})`;
  return `${connectionWords(error)} (${host})`;
}
