import { getCACertificates } from "node:tls";

let added: string[] | undefined;

/**
 * The authorities that `NODE_EXTRA_CA_CERTS` adds to those the runtime trusts anyway, in PEM; often none.
 * To hand this list to every connection is what keeps checks apart and cheap: without any list the
 * runtime resumes TLS sessions across connections, and with the variable set it reads all authorities
 * it knows anew for each connection, which takes up to 20 ms of the processor.
 */
export function addedAuthorities(): string[] {
  if (added === undefined) {
    const bundled = new Set(getCACertificates("bundled").map(withoutSpaces));
    added = getCACertificates("extra").filter((pem) => !bundled.has(withoutSpaces(pem)));
  }
  return added;
}

function withoutSpaces(pem: string): string {
  return pem.replaceAll(/\s/g, "");
}
