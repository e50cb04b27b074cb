/**
 * Host and port of what stands in `url`, whether a bare host or an address with a scheme.
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

/** Whether a text is a port that something can listen on. */
export function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65535;
}
