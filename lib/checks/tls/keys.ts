import * as v from "valibot";
import { about, flag, type KeyProblem, text } from "../../config/keys/values.ts";

/** What a check over TLS reads of its site. */
export const TLS_KEYS = {
  insecure: v.optional(
    about(
      "http, ws: true accepts any certificate; ssl: of any host and authority, unless expired.",
      flag(),
    ),
    false,
  ),
  ca: v.optional(
    about(
      "http, ssl, ws: certificate authority to trust, as a file or a $SECRET.",
      text("a file or a $SECRET with certificates in PEM"),
    ),
  ),
  clientCertificate: v.optional(
    about(
      "http, ssl, ws: client certificate, as a file or a $SECRET; needs `clientKey`.",
      text("a file or a $SECRET with a certificate in PEM"),
    ),
  ),
  clientKey: v.optional(
    about(
      "http, ssl, ws: key of `clientCertificate`, as a file or a $SECRET.",
      text("a file or a $SECRET with a key in PEM"),
    ),
  ),
};

/** {@linkcode TLS_KEYS} as read. */
export type TlsKeys = v.InferOutput<v.ObjectSchema<typeof TLS_KEYS, undefined>>;

/** A certificate without its key is of no use, nor is a key without its certificate. */
export function tlsProblem({ clientCertificate, clientKey }: TlsKeys): KeyProblem | undefined {
  if ((clientCertificate === undefined) === (clientKey === undefined)) return undefined;
  const key = clientKey === undefined ? "clientCertificate" : "clientKey";
  return { path: [key], message: "clientCertificate and clientKey go together" };
}
