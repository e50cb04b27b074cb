/** Patterns of the runtime's errors, and our words for them. */
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

/** Why `fetch` failed, in our words: the runtime's contain the URL. */
export function connectionWords(error: unknown): string {
  const said = texts(error).replaceAll(/\bhttps?:\/\/\S+/gi, "");
  return WORDS.find(([says]) => says.test(said))?.[1] ?? "it can't be reached";
}

/** The words of an error and of what caused it. */
function texts(error: unknown): string {
  return error instanceof Error ? `${error.message} ${texts(error.cause ?? "")}` : String(error);
}
