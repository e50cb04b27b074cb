import { findMeantAddress } from "./addresses.ts";

/**
 * The host and port of a `url`, which is a bare host or an address with a scheme.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(hostAndPort("db.example.com:5432"), { host: "db.example.com", port: "5432" });
 * assertEquals(hostAndPort("https://[::1]/x"), { host: "::1", port: undefined });
 * assertEquals(hostAndPort("2001:db8::1"), { host: "2001:db8::1", port: undefined });
 * ```
 */
export function hostAndPort(text: string): { host: string; port?: string } {
  const authority = text.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").split(/[/?#]/)[0]!.replace(
    /^.*@/,
    "",
  );
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(authority);
  if (bracketed !== null) return { host: bracketed[1]!, port: bracketed[2] };
  const named = /^([^:]*):(\d+)$/.exec(authority);
  return named === null
    ? { host: authority, port: undefined }
    : { host: named[1]!, port: named[2] };
}

export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}

/** The port that an address has by its scheme: 443 for https and wss, 80 for http and ws. */
export function portOfScheme(url: string): string | undefined {
  const [, secure] = /^(?:http|ws)(s)?:\/\//i.exec(url.trim()) ?? [undefined, null];
  if (secure === null) return undefined;
  return secure === undefined ? "80" : "443";
}

/** A host without a scheme, alone or with a user before it, and a port or path behind it. */
const BARE =
  /^(?!mailto:)(?:\/\/)?(?:[^\s:/?#@]+(?::[^\s/?#@]*)?@)?(\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.?)(?::\d{1,5})?(?:[/?#]|$)/iu;

/**
 * An address, with `http://` before it if it has no scheme, as curl does.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(withScheme("example.com:8080/x"), "http://example.com:8080/x");
 * assertEquals(withScheme("hhttps://example.com"), "hhttps://example.com");
 * ```
 */
export function withScheme(url: string): string {
  return BARE.test(url) && findMeantAddress(url, "http") === undefined
    ? `http://${url.replace(/^\/\//, "")}`
    : url;
}

/** The host of an address, an IPv6 address without its brackets. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

const TCP_ADDRESS = /^(?:\$[A-Z_]\w*|(?:\[[\da-f:.]+\]|[^\s:/@[\]]+):(?:\$[A-Z_]\w*|(\d+)))$/i;

/**
 * True if a text is a host with a port, as far as this is known before secrets are filled in.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const texts = ["router.lan:22", "[::1]:22", "$HOST:$PORT", "$ROUTER", "router.lan", "a:70000", "::1:22"];
 * assertEquals(texts.map(isTcpAddress), [true, true, true, true, false, false, false]);
 * ```
 */
export function isTcpAddress(text: string): boolean {
  const [whole, port = "1"] = TCP_ADDRESS.exec(text.trim()) ?? [];
  return whole !== undefined && isPort(port);
}

const BYTE = String.raw`(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])`;
const IPV4 = new RegExp(String.raw`^${BYTE}(?:\.${BYTE}){3}$`);

export function ipVersion(host: string): 4 | 6 | undefined {
  if (IPV4.test(host)) return 4;
  const isIPv6 = host.includes(":") && URL.canParse(`http://[${host.replace(/%\w+$/, "")}]/`);
  return isIPv6 ? 6 : undefined;
}
