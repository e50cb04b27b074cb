/** What a probe saw beside its result, for who looks at one site closely. Texts may still hold secrets. */
export interface Details {
  /** Headers of the first request, as lines; configured ones with the names of their secrets. */
  sent?: string[];
  /** Requests in their order, redirects included. */
  hops: Hop[];
  /** Address and port of the last connection. */
  address?: string;
  /** Version of TLS of the last connection, such as `TLSv1.3`. */
  protocol?: string;
  /** Of the last connection. */
  certificate?: CertificateDetails;
  /** The certificates that vouch for it, each for the one before. */
  issuers?: CertificateDetails[];
  /** The name server that answered. */
  resolver?: string;
  /** What was answered: records of a name server. */
  answers?: string[];
  /** Some headers of the last answer, names in small letters. */
  headers?: Record<string, string>;
  /** Bytes of the last body that were read. */
  bytes?: number;
  /** What each assertion came to, in the order they are judged. */
  assertions?: AssertionDetails[];
}

/** An assertion and what it came to. */
export interface AssertionDetails {
  /** As written. */
  text: string;
  severity: "down" | "degraded";
  holds: boolean;
  /** The value found, in words. */
  found: string;
}

/** A request and its answer. */
export interface Hop {
  /** What was asked for, such as `GET`. */
  method: string;
  /** Absent where it could repeat a secret. */
  url?: string;
  /** HTTP status; absent where there is none. */
  status?: number;
  /** The answer in words, such as `Not Found`; absent where none came. */
  words?: string;
}

/** The certificate that a server showed; nothing but its times where the host is a secret. */
export interface CertificateDetails {
  subject?: string;
  issuer?: string;
  /** Host names and addresses it is for. */
  names: string[];
  from: Temporal.Instant;
  to: Temporal.Instant;
}
