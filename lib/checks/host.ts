import { hostAndPort, isPort, portOfScheme } from "../config/checks/hosts.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { endpoint } from "./network_failure.ts";
import { misconfigured, missingSecrets, type Observation } from "./observation.ts";

interface HostAddress {
  host: string;
  port: number;
  /** True if no secret hides host and port. */
  showsHost: boolean;
  shown: string;
}

/** Reads host and port of a site with its secrets filled in, or returns the observation that they are unusable. */
export function readHost(
  { check, url, port, usual }: {
    check: string;
    url: string;
    port?: string;
    /** Port of an address without one. @default That of its scheme */
    usual?: number;
  },
  secrets: Secrets,
): HostAddress | Observation {
  const address = secrets.substitute(url);
  const given = secrets.substitute(port ?? "");
  const missing = [...address.missing, ...given.missing];
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const portOf = (text: string) =>
    hostAndPort(text).port ?? (usual === undefined ? portOfScheme(text) : String(usual));
  const { host } = hostAndPort(address.text);
  if (host === "") return misconfigured(`a check of type ${check} needs a host`);
  const chosen = port === undefined ? portOf(address.text) : given.text.trim();
  if (chosen === undefined || !isPort(chosen)) {
    return misconfigured(`a check of type ${check} needs a port from 1 to 65535`);
  }
  return {
    host,
    port: Number(chosen),
    showsHost: !address.secret && !given.secret,
    shown: endpoint(hostAndPort(url).host, port ?? portOf(url)),
  };
}
