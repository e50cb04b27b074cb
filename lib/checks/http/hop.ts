/** A header to send, and whether another origin must not see it. */
export interface Header {
  name: string;
  value: string;
  /** Whether the value holds a secret. */
  secret: boolean;
}

/** One request on the way through redirects. */
export interface Hop {
  url: URL;
  method: string;
  headers: readonly Header[];
  body?: string;
  /** Whether the body holds a secret. */
  bodySecret: boolean;
}

const FOLLOWED = [301, 302, 303, 307, 308];
const OF_ORIGIN = ["authorization", "cookie", "host", "proxy-authorization"];
const OF_BODY = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-location",
  "content-type",
];

/** A redirect that can't be followed, in words. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
}

/**
 * The request that a redirect asks for, as the Fetch standard has it (section 4.4, HTTP-redirect
 * fetch); `undefined` where the answer is none. To another origin goes no header that holds a secret.
 *
 * @throws {RedirectError} Where the location is unusable, or a body with a secret would leave its origin.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const hop = { url: new URL("https://a.example/x"), method: "POST", body: "b", bodySecret: false,
 *   headers: [{ name: "X-Key", value: "k", secret: true }] };
 * const next = nextHop(hop, 303, "https://b.example/y");
 * assertEquals([next?.url.href, next?.method, next?.body, next?.headers], ["https://b.example/y", "GET", undefined, []]);
 * ```
 */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (location === undefined || !FOLLOWED.includes(status)) return undefined;
  const url = URL.parse(location, hop.url);
  if (url === null) throw new RedirectError("redirected to an address that is not valid");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new RedirectError("redirected to an address that is neither http nor https");
  }
  url.username = url.password = "";
  if (url.hash === "") url.hash = hop.url.hash;

  const toGet = status === 303
    ? hop.method !== "GET" && hop.method !== "HEAD"
    : status <= 302 && hop.method === "POST";
  const elsewhere = url.origin !== hop.url.origin;
  if (elsewhere && hop.bodySecret && !toGet) {
    throw new RedirectError("redirected to another origin, which the body's secret is not sent to");
  }
  return {
    url,
    method: toGet ? "GET" : hop.method,
    headers: hop.headers.filter(({ name, secret }) => {
      const key = name.toLowerCase();
      return !(elsewhere && (secret || OF_ORIGIN.includes(key))) &&
        !(toGet && OF_BODY.includes(key));
    }),
    body: toGet ? undefined : hop.body,
    bodySecret: hop.bodySecret && !toGet,
  };
}
