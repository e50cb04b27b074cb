import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { getCACertificates } from "node:tls";
import type { TlsKeys } from "../config/checks/connection_keys.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { misconfigured, type Observation } from "./observation.ts";

/** TLS options of a connection to a site; certificates and keys in PEM. */
export interface TlsOptions {
  insecure: boolean;
  ca?: string;
  cert?: string;
  key?: string;
  /** Protocols to choose from (ALPN); by default none is negotiated. */
  protocols?: string[];
}

let added: string[] | undefined;

/**
 * Authorities in PEM that `NODE_EXTRA_CA_CERTS` adds to the ones the runtime trusts; often none. Every connection
 * must pass this list: without one the runtime resumes TLS sessions across connections, and if the variable is set,
 * it parses all authorities again for each connection, which takes up to 20 ms of CPU time.
 */
export function addedAuthorities(): string[] {
  if (added === undefined) {
    const withoutSpaces = (pem: string) => pem.replaceAll(/\s/g, "");
    const bundled = new Set(getCACertificates("bundled").map(withoutSpaces));
    added = getCACertificates("extra").filter((pem) => !bundled.has(withoutSpaces(pem)));
  }
  return added;
}

/** Certificates and keys of a site: each is a file or PEM, secrets replaced. */
interface Credentials {
  ca?: string;
  cert?: string;
  key?: string;
  missing: string[];
}

export function resolveCredentials(
  { ca, clientCertificate, clientKey }: TlsKeys,
  secrets: Secrets,
): Credentials {
  const [authority, cert, key] = [ca, clientCertificate, clientKey].map((pem) =>
    pem === undefined ? undefined : secrets.substitute(pem)
  );
  return {
    ca: authority?.text,
    cert: cert?.text,
    key: key?.text,
    missing: [authority, cert, key].flatMap((part) => part?.missing ?? []),
  };
}

class CredentialsError extends Error {}

/**
 * Reads a site's certificates and keys, or returns the observation that one can't be used. The runtime
 * ignores what it can't use without an error, and the site would seem to be at fault: so each is parsed first.
 */
export async function readTlsOptions(
  { ca, cert, key }: Credentials,
  { insecure }: TlsKeys,
  root: string,
): Promise<TlsOptions | Observation> {
  try {
    const [caText, certText, keyText] = await Promise.all(
      [ca, cert, key].map((pem) => pem === undefined ? undefined : readPem(pem, root)),
    );
    if (caText !== undefined && !findCertificates(caText).some(parseCertificate)) {
      throw unusable("ca", "certificate");
    }
    if (certText !== undefined && keyText !== undefined) {
      const certificate = parseCertificate(findCertificates(certText)[0] ?? "");
      if (certificate === undefined) throw unusable("clientCertificate", "certificate");
      const privateKey = parseKey(keyText);
      if (privateKey === undefined) throw unusable("clientKey", "key");
      if (!certificate.checkPrivateKey(privateKey)) {
        throw new CredentialsError("clientKey is not the key of clientCertificate");
      }
    }
    return {
      insecure,
      ...(caText === undefined ? {} : { ca: caText }),
      ...(certText === undefined ? {} : { cert: certText }),
      ...(keyText === undefined ? {} : { key: keyText }),
    };
  } catch (error) {
    if (!(error instanceof CredentialsError)) throw error;
    return misconfigured(error.message);
  }
}

async function readPem(text: string, root: string): Promise<string> {
  if (text.includes("-----BEGIN")) return text;
  try {
    return await Deno.readTextFile(isAbsolute(text) ? text : resolve(root, text));
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? "it does not exist"
      : error instanceof Deno.errors.IsADirectory
      ? "it is a folder"
      : (error as Error).name;
    throw new CredentialsError(`cannot read the file ${text}: ${why}`);
  }
}

function unusable(key: string, content: string): CredentialsError {
  return new CredentialsError(`${key} holds no ${content} in PEM that can be read`);
}

function findCertificates(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function parseCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function parseKey(text: string): KeyObject | undefined {
  const pem = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^]*?-----END \1-----/.exec(text)?.[0];
  try {
    return createPrivateKey(pem ?? "");
  } catch {
    return undefined;
  }
}
