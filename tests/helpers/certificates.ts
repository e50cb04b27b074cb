// @ts-types="@types/node-forge"
import forge from "node-forge";
import { machineClock } from "./calendar.ts";
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
// A key for tests alone: to generate one takes a second. The demo's bundle needs it as an import.
import privateKey from "../testdata/certificate_key.pem" with { type: "text" };

/** A certificate and its key, in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The contents of a certificate. Times are days from now; the past is negative. */
interface CertificateOptions {
  name?: string;
  names?: readonly string[];
  from?: number;
  to?: number;
  /** Self-signed if absent. */
  issuer?: Authority;
}

/** A certificate that signs others. */
export interface Authority extends Certificate {
  readonly subject: forge.pki.CertificateField[];
}

const DAY = 86_400_000;

const signingKey = createPrivateKey(privateKey);
const publicKey = forge.pki.publicKeyFromPem(
  createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString(),
);

/** A private authority, as companies have one. All certificates share one key: that saves seconds. */
export function makeAuthority(
  name = "Test Authority",
  { from = -30, to = 365, issuer }: Pick<CertificateOptions, "from" | "to" | "issuer"> = {},
): Authority {
  const subject = [{ name: "commonName", value: name }];
  const cert = build(subject, { from, to }, issuer, [
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
  ]);
  return { cert, key: privateKey, subject };
}

/** A certificate of a server, or of a client. */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { name = "localhost", names = ["localhost", "127.0.0.1", "::1"], issuer } = options;
  const altNames = names.map((value) =>
    /^[\d.]+$|:/.test(value) ? { type: 7, ip: value } : { type: 2, value }
  );
  const cert = build([{ name: "commonName", value: name }], options, issuer, [
    { name: "basicConstraints", cA: false },
    { name: "extKeyUsage", serverAuth: true, clientAuth: true },
    { name: "subjectAltName", altNames },
  ]);
  return { cert: issuer === undefined ? cert : cert + issuer.cert, key: privateKey };
}

function build(
  subject: forge.pki.CertificateField[],
  { from = -1, to = 30 }: CertificateOptions,
  issuer: Authority | undefined,
  extensions: object[],
): string {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `00${crypto.randomUUID().replaceAll("-", "").slice(0, 16)}`;
  // TLS libraries compare with the date of the machine.
  const now = machineClock.now().epochMilliseconds;
  certificate.validity.notBefore = new Date(now + from * DAY);
  certificate.validity.notAfter = new Date(now + to * DAY);
  certificate.setSubject(subject);
  certificate.setIssuer(issuer?.subject ?? subject);
  certificate.setExtensions(extensions);
  // node signs ten times as fast as forge, which wants an object that signs a digest.
  const signer = {
    sign() {
      const bytes = forge.asn1.toDer(certificate.tbsCertificate as forge.asn1.Asn1).getBytes();
      return sign("sha256", Uint8Array.fromHex(forge.util.bytesToHex(bytes)), signingKey)
        .toString("binary");
    },
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return forge.pki.certificateToPem(certificate);
}
