import type { CheckName } from "./checks/mod.ts";
import { parseConfig } from "./parse.ts";
import { SLUG_BYTES, toSlug } from "./slug.ts";
import { countBytes } from "../text/plain_text.ts";

export interface FirstSite {
  name: string;
  url: string;
  check?: CheckName;
  port?: number;
}

const HOST = /^(\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)(?::(\d{1,5}))?([/?#]\S*)?$/iu;
/** Addresses whose scheme names a check type, apart from the `s` of TLS. */
const NAMED = /^(ws|grpc|imap|smtp|ssh)(s?):\/\/([^\s/?#@]+)\/?$/i;
/** Ports of web servers; any other is checked by a TCP connection. */
const WEB: Readonly<Record<string, string>> = {
  "80": "http",
  "443": "https",
  "3000": "http",
  "8000": "http",
  "8080": "http",
  "8443": "https",
};

/** An address that can't be monitored; the message has the cure. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

/**
 * Finds the site that an address means.
 *
 * @throws {AddressError} If it is unclear, or contains a password.
 */
export function firstSite(address: string): FirstSite {
  const text = address.trim();
  if (/^\$[A-Z_][A-Z0-9_]*$/.test(text)) return { name: text.slice(1), url: text };
  const [, login = "", place, path = ""] =
    /^https?:\/\/(?:([^/?#]*)@)?([^/?#]+)([^?#]*)/i.exec(text) ?? [];
  if (place !== undefined) {
    if (/\s/.test(text) || (!text.includes("$") && !URL.canParse(text))) throw unclear(address);
    if (/[^:]/.test(login.replaceAll(/\$[A-Za-z_]\w*/g, ""))) {
      throw new AddressError(
        `Cannot write a password into the repository: give https://$USER:$PASS@${place} and keep both as secrets`,
      );
    }
    return { name: toName(place, path), url: text };
  }
  const [, scheme, secure, named] = NAMED.exec(text) ?? [];
  if (named !== undefined && !(scheme === "ssh" && secure !== "")) {
    return { name: named, url: text, check: scheme!.toLowerCase() as CheckName };
  }
  const isTcp = /^tcp:\/\//i.test(text);
  const [, host, port, rest = ""] = HOST.exec(isTcp ? text.slice("tcp://".length) : text) ?? [];
  const whole = host !== undefined &&
    (isTcp
      ? port !== undefined && rest === ""
      : /[.[]|^localhost$/i.test(host) || port !== undefined || rest !== "");
  if (!whole || (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535))) {
    throw unclear(address);
  }
  if (!isTcp && (port === undefined || rest !== "" || Object.hasOwn(WEB, port))) {
    const scheme = port === undefined ? "https" : WEB[port] ?? "http";
    return firstSite(`${scheme}://${text}`);
  }
  const bare = host.replaceAll(/^\[|\]$/g, "");
  return { name: `${host}:${port}`, url: bare, check: "tcp-ping", port: Number(port) };
}

/** Hides everything before the host of an address, such as `***@db.example.com`. */
export function withoutPassword(address: string): string {
  return address.replace(/^.*@/s, "***@");
}

function unclear(address: string): AddressError {
  return new AddressError(
    `Cannot tell what to monitor from ${
      JSON.stringify(withoutPassword(address))
    }: expected an address such as https://example.com or db.example.com:5432`,
  );
}

/** Sites with distinct names: the second of a name is numbered. */
export function withDistinctNames(sites: readonly FirstSite[]): FirstSite[] {
  const taken = new Set<string>();
  return sites.map((site) => {
    let { name } = site;
    for (let number = 2; taken.has(toSlug(name)); number++) name = `${site.name} (${number})`;
    taken.add(toSlug(name));
    return { ...site, name };
  });
}

export async function problemOfLast(sites: readonly FirstSite[]): Promise<string | undefined> {
  const { problems } = await parseConfig(JSON.stringify({ sites }));
  return problems.find(({ severity, path }) =>
    severity !== "notice" && path[0] === "sites" && path[1] === sites.length - 1
  )?.message;
}

/** Room for a number behind a name that two sites would have. */
const ROOM = 6;

function toName(place: string, path: string): string {
  const host = place.replace(/^www\./i, "");
  const name = host + path.replace(/\/$/, "");
  return countBytes(toSlug(name)) <= SLUG_BYTES - ROOM ? name : host.slice(0, 40);
}
