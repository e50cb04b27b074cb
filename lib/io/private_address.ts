import { BlockList, isIP } from "node:net";

/**
 * Networks outside the public internet, from the registries of special addresses (RFC 6890):
 * loopback, private, shared (RFC 6598) and link-local networks, which include the metadata services of
 * clouds, and networks for benchmarks, tunnels, multicast and future use.
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
  // Loopback, and addresses that embed an IPv4 address. Mapped ones (::ffff:0:0/96) match the networks above.
  ["::", 96, "ipv6"],
  ["::ffff:0:0:0", 96, "ipv6"],
  // Private addresses behind a translator (RFC 8215), the discard prefix, Teredo, 6to4, and segment routing.
  ["64:ff9b:1::", 48, "ipv6"],
  ["100::", 64, "ipv6"],
  ["2001::", 32, "ipv6"],
  ["2002::", 16, "ipv6"],
  ["5f00::", 16, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
];
const BLOCKED = new BlockList();
for (const [address, prefix, family] of PRIVATE_NETWORKS) {
  BLOCKED.addSubnet(address, prefix, family);
  // A translator (NAT64) may reach a private network too, though RFC 6052, section 3.1, forbids that.
  if (family === "ipv4") BLOCKED.addSubnet(`64:ff9b::${address}`, 96 + prefix, "ipv6");
}

/**
 * True for IP addresses that are loopback, private, link-local or otherwise outside the public internet, and for
 * IPv6 addresses that embed an IPv4 address (those of NAT64 only if that is private). False for texts that are not
 * IP addresses.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const addresses = ["127.0.0.1", "::ffff:10.1.2.3", "fe80::1%eth0", "203.0.113.7", "64:ff9b::203.0.113.7"];
 * assertEquals(addresses.map(isPrivateAddress), [true, true, true, false, false]);
 * ```
 */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, "");
  const family = isIP(bare);
  return family !== 0 && BLOCKED.check(bare, family === 4 ? "ipv4" : "ipv6");
}

/**
 * True if the text of a host shows that it is private. Used with a proxy, which resolves names itself.
 */
export function isPrivateHost(host: string, isPrivate: (address: string) => boolean): boolean {
  return isPrivate(host) || /(?:^|\.)localhost\.?$/i.test(host);
}

export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
  constructor() {
    super("The address is private");
  }
}
