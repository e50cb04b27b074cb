import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { isAbsolute, resolve } from "node:path";

/** Certificates and keys of a site, in PEM. */
export interface Credentials {
  ca?: string;
  cert?: string;
  key?: string;
}

/** What is wrong with the certificates and keys of a site, in words. */
export class CredentialsError extends Error {
  override readonly name = "CredentialsError";
}

/**
 * Reads certificates and keys, each a file or the PEM itself. What the runtime could not use it would
 * leave out without a word, and the site would seem to be at fault: so everything is looked at first.
 *
 * @throws {CredentialsError} Where one of them can't be used.
 */
export async function readCredentials(
  { ca, cert, key }: Credentials,
  root: string,
): Promise<Credentials> {
  const [caText, certText, keyText] = await Promise.all(
    [ca, cert, key].map(async (pem) => pem === undefined ? undefined : await readPem(pem, root)),
  );
  if (caText !== undefined && !certificates(caText).some(readCertificate)) {
    throw unusable("ca", "certificate");
  }
  if (certText !== undefined && keyText !== undefined) {
    const certificate = readCertificate(certificates(certText)[0] ?? "");
    if (certificate === undefined) throw unusable("clientCertificate", "certificate");
    const privateKey = readKey(keyText);
    if (privateKey === undefined) throw unusable("clientKey", "key");
    if (!certificate.checkPrivateKey(privateKey)) {
      throw new CredentialsError("clientKey is not the key of clientCertificate");
    }
  }
  return {
    ...(caText === undefined ? {} : { ca: caText }),
    ...(certText === undefined ? {} : { cert: certText }),
    ...(keyText === undefined ? {} : { key: keyText }),
  };
}

async function readPem(text: string, root: string): Promise<string> {
  if (text.includes("-----BEGIN")) return text;
  try {
    return await Deno.readTextFile(isAbsolute(text) ? text : resolve(root, text));
  } catch (error) {
    throw new CredentialsError(`cannot read the file ${text}: ${whyUnread(error as Error)}`);
  }
}

function whyUnread(error: Error): string {
  if (error instanceof Deno.errors.NotFound) return "it is not there";
  return error instanceof Deno.errors.IsADirectory ? "it is a folder" : error.name;
}

function unusable(key: string, what: string): CredentialsError {
  return new CredentialsError(`${key} holds no ${what} in PEM that can be read`);
}

function certificates(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function readKey(text: string): KeyObject | undefined {
  const pem = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[^]*?-----END \1-----/.exec(text)?.[0];
  try {
    return createPrivateKey(pem ?? "");
  } catch {
    return undefined;
  }
}
