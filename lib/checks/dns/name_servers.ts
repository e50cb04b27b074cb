import { getServers, lookup } from "node:dns";
import { isIP } from "node:net";
import { hostAndPort } from "../../config/checks/hosts.ts";
import type { NameServer } from "./ask.ts";

const DNS_PORT = 53;

/** The name servers of the system, each once. */
export function systemNameServers(): NameServer[] {
  return [...new Set(getServers())].map((text) => {
    if (isIP(text) !== 0) return { address: text, port: DNS_PORT };
    const { host, port = DNS_PORT } = hostAndPort(text);
    return { address: host, port: Number(port) };
  });
}

/**
 * The name server that `host` or `host:port` names.
 *
 * @throws The error of the look-up, where a host has no address.
 */
export function nameServer(text: string): Promise<NameServer> {
  const { host, port = DNS_PORT } = hostAndPort(text);
  return new Promise((resolve, reject) => {
    lookup(host, (error, address) => {
      if (error === null) resolve({ address, port: Number(port) });
      else reject(error);
    });
  });
}
