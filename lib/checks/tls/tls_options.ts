import type { Secrets } from "../../io/secrets/secrets.ts";
import { misconfigured, type Observation } from "../check.ts";
import type { TlsKeys } from "../../config/checks/connection_keys.ts";
import { type Credentials, CredentialsError, readCredentials } from "./pem.ts";

/** How TLS is negotiated with a site. */
export interface TlsOptions extends Credentials {
  rejectUnauthorized: boolean;
}

/** Certificates and keys of a site with their secrets in place, not yet read. */
export interface GivenCredentials {
  credentials: Credentials;
  /** Names of secrets that nobody gave. */
  missing: string[];
}

/** Puts the secrets of a site's certificates and keys in place. */
export function credentialsOf(
  { ca, clientCertificate, clientKey }: TlsKeys,
  secrets: Secrets,
): GivenCredentials {
  const [authority, cert, key] = [ca, clientCertificate, clientKey].map((pem) =>
    pem === undefined ? undefined : secrets.substitute(pem)
  );
  return {
    credentials: { ca: authority?.text, cert: cert?.text, key: key?.text },
    missing: [authority, cert, key].flatMap((part) => part?.missing ?? []),
  };
}

/** Reads what a site's keys give, or observes that it can't be used. */
export async function readTlsOptions(
  { credentials }: GivenCredentials,
  { insecure }: TlsKeys,
  root: string,
): Promise<TlsOptions | Observation> {
  try {
    return { rejectUnauthorized: !insecure, ...await readCredentials(credentials, root) };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return misconfigured(error.message);
  }
}
