import type { Secrets } from "../../io/secrets/secrets.ts";
import { decodePercent } from "../../text/safe_parse.ts";

export interface Header {
  name: string;
  value: string;
  /** True if the value contains a secret, so that another origin must not get it. */
  secret: boolean;
}

/** The Basic authorization of `user:password`, which `secrets` redact from now on. */
export function basic(pair: string, secrets?: Secrets): string {
  secrets?.derive(pair);
  return `Basic ${new TextEncoder().encode(pair).toBase64()}`;
}

/** Removes the login from an address and returns it as an authorization; `undefined` if it has none. */
export function takeLogin(url: URL, secrets: Secrets): string | undefined {
  if (url.username === "" && url.password === "") return undefined;
  secrets.derive(decodePercent(url.password));
  const pair = `${decodePercent(url.username)}:${decodePercent(url.password)}`;
  url.username = url.password = "";
  return basic(pair, secrets);
}

/** True if no secret hides the host of a configured address: no reference comes before the path. */
export function showsHost(template: string): boolean {
  const authority = /^(?:http|ws)s?:\/\/([^/?#]*)/i.exec(template)?.[1] ?? "$";
  return !authority.slice(authority.lastIndexOf("@") + 1).includes("$");
}

/**
 * Parses a configured header. A plain `user:password` of a `Basic` authorization is encoded: a colon
 * can't occur in base64. If it contains a secret, `secrets` redact the encoded form too.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(parseHeader("Authorization: Basic me:pass", true).value, "Basic bWU6cGFzcw==");
 * assertEquals(parseHeader("Authorization: Basic bWU6cGFzcw==", true).value, "Basic bWU6cGFzcw==");
 * ```
 */
export function parseHeader(line: string, secret: boolean, secrets?: Secrets): Header {
  const colon = line.indexOf(":");
  const name = line.slice(0, colon).trim();
  const value = line.slice(colon + 1).trim();
  const pair = /^(?:proxy-)?authorization$/i.test(name)
    ? /^Basic\s+(.*:.*)$/is.exec(value)?.[1]
    : undefined;
  if (pair === undefined) return { name, value, secret };
  return { name, value: basic(pair, secret ? secrets : undefined), secret };
}

export function groupHeaders(headers: readonly Header[]): Record<string, string | string[]> {
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase());
  return Object.fromEntries(
    [...byName.values()].map((group) => {
      const values = group.map(({ value }) => value);
      return [group[0]!.name, values.length === 1 ? values[0]! : values];
    }),
  );
}

/**
 * Header lines of a request for people: configured ones as written, with the names of their secrets, the
 * others as sent. Content-Length is left out: it could reveal the length of a secret.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sent = [{ name: "X-Key", value: "s3cret", secret: true }, { name: "Accept", value: "text/html", secret: false }];
 * assertEquals(formatHeaders(["X-Key: $KEY"], sent), ["X-Key: $KEY", "Accept: text/html"]);
 * ```
 */
export function formatHeaders(configured: readonly string[], sent: readonly Header[]): string[] {
  const lines = [...configured];
  return sent.filter(({ name }) => name !== "Content-Length").map(({ name, value, secret }) => {
    const index = lines.findIndex((line) =>
      line.slice(0, line.indexOf(":")).trim().toLowerCase() === name.toLowerCase()
    );
    const [line] = index < 0 ? [] : lines.splice(index, 1);
    return line ?? `${name}: ${secret ? "***" : value}`;
  });
}
