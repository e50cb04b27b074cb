import { BlockList, isIP } from "node:net";

/**
 * Networks outside the public internet, from the registries of special addresses (RFC 6890):
 * loopback, private, shared (RFC 6598) and link-local networks, which include the metadata services of
 * clouds, and networks for benchmarks, multicast and future use.
 */
const PRIVATE_NETWORKS: readonly [address: string, prefix: number, family: "ipv4" | "ipv6"][] = [
  ["0.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["127.0.0.0", 8, "ipv4"],
  // Azure's metadata service; GitHub's hosted runners are machines of Azure.
  ["168.63.129.16", 32, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 127, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];
const BLOCKED = new BlockList();
for (const network of PRIVATE_NETWORKS) BLOCKED.addSubnet(...network);

/** Prefixes of IPv6 addresses that embed an IPv4 address, and the group where it starts. */
const EMBEDDING: readonly [prefix: string, group: number][] = [
  ["0:0:0:0:0:0:", 6],
  ["0:0:0:0:0:ffff:", 6],
  ["0:0:0:0:ffff:0:", 6],
  ["64:ff9b:0:0:0:0:", 6],
  ["2002:", 1],
];

/**
 * True for IP addresses that are loopback, private, link-local or otherwise outside the public internet,
 * including IPv6 addresses that embed such an IPv4 address. False for texts that are not IP addresses.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = ["127.0.0.1", "::ffff:10.1.2.3", "fe80::1%eth0", "203.0.113.7", "2001:db8::1"];
 * assertEquals(addresses.map(isPrivateAddress), [true, true, true, false, false]);
 * ```
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return BLOCKED.check(bare, "ipv4");
  if (family === 0) return false;
  const groups = groupsOf(bare);
  const written = `${groups.join(":")}:`;
  if (BLOCKED.check(groups.join(":"), "ipv6")) return true;
  return EMBEDDING.some(([prefix, at]) => {
    const [high = "0", low = "0"] = groups.slice(at, at + 2);
    return written.startsWith(prefix) && BLOCKED.check(ipv4Of(high, low), "ipv4");
  });
}

/** The eight groups of an IPv6 address, in hexadecimal digits without leading zeros. */
function groupsOf(address: string): string[] {
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [before = "", after] = short.split("::");
  const split = (text: string) => text === "" ? [] : text.split(":");
  if (after === undefined) return split(before);
  const [first, last] = [split(before), split(after)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
}

function ipv4Of(high: string, low: string): string {
  return [high, low].map((group) => parseInt(group, 16))
    .flatMap((value) => [value >> 8, value & 0xff]).join(".");
}

/**
 * True if the text of a host shows that it is private. Used with a proxy, which resolves names itself.
 */
export function isPrivateHost(host: string, isPrivate: (address: string) => boolean): boolean {
  return isPrivate(host) || /(?:^|\.)localhost\.?$/i.test(host);
}

/** A redirect must not lead to this address. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
  constructor() {
    super("The address is private");
  }
}
