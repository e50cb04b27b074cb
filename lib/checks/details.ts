/** What a probe saw beside its result, for who looks at one site closely. Texts may still hold secrets. */
export interface Details {
  /** Requests in their order, redirects included. */
  hops: Hop[];
  /** Address and port of the last connection. */
  address?: string;
  /** Version of TLS, such as `TLSv1.3`. */
  protocol?: string;
  certificate?: CertificateDetails;
  /** Some headers of the last answer, names in small letters. */
  headers?: Record<string, string>;
  /** Bytes of the last body that were read. */
  bytes?: number;
}

/** A request and its answer. */
export interface Hop {
  method: string;
  /** Absent where it could repeat a secret. */
  url?: string;
  /** HTTP status; absent where no answer came. */
  status?: number;
}

/** The certificate that a server showed. */
export interface CertificateDetails {
  subject: string;
  issuer: string;
  /** Host names and addresses it is for. */
  names: string[];
  from: Temporal.Instant;
  to: Temporal.Instant;
}
