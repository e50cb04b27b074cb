/** What a first configuration says of a site. */
export interface FirstSite {
  name: string;
  url: string;
  check?: "tcp-ping";
  port?: number;
}

/** A host, with or without a port and a path. */
const HOST = /^(localhost|[\w-]+(?:\.[\w-]+)+|\d+(?:\.\d+){3})(?::(\d{1,5}))?([/?#]\S*)?$/i;
/** Ports at which the web is met; at any other a TCP connection is tried. */
const WEB: Readonly<Record<string, string>> = { "80": "http", "443": "https" };

/**
 * The site that somebody means by an address; `undefined` where none can be told from it.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(firstSite("www.example.com"), { name: "example.com", url: "https://www.example.com" });
 * assertEquals(firstSite("db.example.com:5432"), { name: "db.example.com:5432", url: "db.example.com", check: "tcp-ping", port: 5432 });
 * ```
 */
export function firstSite(address: string): FirstSite | undefined {
  const text = address.trim();
  if (/^\$[A-Z_][A-Z0-9_]*$/.test(text)) return { name: text.slice(1), url: text };
  if (/^https?:\/\//i.test(text)) {
    const url = URL.parse(text);
    if (url === null || /\s/.test(text)) return undefined;
    return { name: nameOf(url.host, url.pathname), url: text };
  }
  const [, host, port, path = ""] = HOST.exec(text) ?? [];
  if (host === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  if (port === undefined || path !== "" || Object.hasOwn(WEB, port)) {
    const scheme = port === undefined ? "https" : WEB[port] ?? "http";
    return firstSite(`${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`);
  }
  return { name: `${host}:${port}`, url: host, check: "tcp-ping", port: Number(port) };
}

/** Sites with names of their own: the second of a name is numbered. */
export function withDistinctNames(sites: readonly FirstSite[]): FirstSite[] {
  const taken = new Set<string>();
  return sites.map((site) => {
    let { name } = site;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${site.name} (${number})`;
    taken.add(name.toLowerCase());
    return { ...site, name };
  });
}

function nameOf(host: string, path: string): string {
  return host.replace(/^www\./, "") + path.replace(/\/$/, "");
}
