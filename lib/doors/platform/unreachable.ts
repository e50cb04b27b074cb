import { BudgetError } from "./budget.ts";
import { NoAnswerError } from "./limited_fetch.ts";

/** What the runtime says of a connection that failed, and what people call that. */
const WORDS: readonly [says: RegExp, words: string][] = [
  [/certificate|UnknownIssuer|self.signed/i, "its certificate is not trusted"],
  [/InvalidContentType|corrupt message|wrong version number/i, "the answer is not TLS"],
  [/proxy|tunnel/i, "the proxy refused"],
  [/invalid HTTP/i, "the answer is not HTTP"],
  [/dns error|failed to lookup|Name or service not known/i, "name not found"],
  [/refused/i, "connection refused"],
  [/unreachable/i, "network unreachable"],
  [/reset/i, "connection reset"],
  [/closed|IncompleteMessage|end of file|eof|broken pipe|body/i, "connection closed"],
];

/** Why no answer came from the API at an address, in words; the host is told, credentials are not. */
export function unreachable(error: unknown, api: string): string {
  if (error instanceof BudgetError) {
    return `what the platform was asked for took longer than ${
      error.milliseconds / 1000
    } s together`;
  }
  const { host } = new URL(api);
  const cause = error instanceof Error ? error.cause ?? error : error;
  if (cause instanceof NoAnswerError) return `${cause.message} (${host})`;
  const said = texts(error);
  const known = WORDS.find(([says]) => says.test(said));
  return `${known?.[1] ?? "it can't be reached"} (${host})`;
}

/** The words of an error and of what caused it, without the address that they repeat. */
function texts(error: unknown): string {
  const said = error instanceof Error
    ? `${error.message} ${texts(error.cause ?? "")}`
    : String(error);
  return said.replaceAll(/\bhttps?:\/\/\S+/g, "");
}
