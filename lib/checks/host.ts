import { hostAndPort, isPort } from "../config/checks/hosts.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { endpoint } from "./network_failure.ts";
import { misconfigured, missingSecrets, type Observation } from "./observation.ts";

/** Address that a check of a host connects to. */
export interface HostAddress {
  host: string;
  port: number;
  /** True if no secret hides host and port. */
  showsHost: boolean;
  /** Host and port as configured. */
  shown: string;
}

/** Reads host and port of a site with its secrets filled in, or returns the observation that they are unusable. */
export function readHost(
  { check, url, port, usual }: { check: string; url: string; port?: string; usual: number },
  secrets: Secrets,
): HostAddress | Observation {
  const address = secrets.substitute(url);
  const given = secrets.substitute(port ?? "");
  const missing = [...address.missing, ...given.missing];
  if (missing.length > 0) return missingSecrets(missing, secrets);
  const { host, port: inUrl = String(usual) } = hostAndPort(address.text);
  if (host === "") return misconfigured(`a check of type ${check} needs a host`);
  const chosen = port === undefined ? inUrl : given.text.trim();
  if (!isPort(chosen)) {
    return misconfigured(`a check of type ${check} needs a port from 1 to 65535`);
  }
  const configured = hostAndPort(url);
  return {
    host,
    port: Number(chosen),
    showsHost: !address.secret && !given.secret,
    shown: endpoint(configured.host, port ?? configured.port ?? String(usual)),
  };
}
