import type { Header } from "./hop.ts";

/**
 * The headers of a request as a person may see them: what was configured as it stands there, with the
 * names of its secrets, and the rest as it is sent. How long a body is could tell how long a secret is.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const sent = [{ name: "X-Key", value: "s3cret", secret: true }, { name: "Accept", value: "text/html", secret: false }];
 * assertEquals(sentHeaders(["X-Key: $KEY"], sent), ["X-Key: $KEY", "Accept: text/html"]);
 * ```
 */
export function sentHeaders(configured: readonly string[], sent: readonly Header[]): string[] {
  const lines = [...configured];
  return sent.filter(({ name }) => name !== "Content-Length").map(({ name, value, secret }) => {
    const place = lines.findIndex((line) =>
      line.slice(0, line.indexOf(":")).trim().toLowerCase() === name.toLowerCase()
    );
    const [line] = place < 0 ? [] : lines.splice(place, 1);
    return line ?? `${name}: ${secret ? "***" : value}`;
  });
}
