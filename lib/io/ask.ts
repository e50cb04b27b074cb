/**
 * Asks the person at the terminal, and returns what they answer: `fallback` where they only press enter,
 * `undefined` where there is none, or where the input is at its end.
 */
export type Ask = (question: string, fallback?: string) => string | undefined;

/** Asks on the terminal of the program. */
export const askOnTerminal: Ask = (question, fallback) => {
  const answer = prompt(fallback === undefined ? question : `${question} [${fallback}]`);
  return answer === null ? undefined : answer.trim() || fallback;
};
