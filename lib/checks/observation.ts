import type { Target } from "../config/checks/check_kind.ts";
import { nearSecret } from "../config/references.ts";
import { describeMissing } from "../io/secrets/missing.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import { joinNames } from "../text/words.ts";
import type { Heartbeat } from "./heartbeat/heartbeat.ts";

/** Milliseconds spent in each phase of an exchange, summed over redirects. */
export interface Phases {
  dns: number;
  connect: number;
  tls: number;
  ttfb: number;
  download: number;
}

export interface Failure {
  /**
   * `network`: no answer arrived (name, connection, TLS, time); `answer`: an unexpected answer arrived;
   * `configuration`: the user must fix something, nothing is known of the site; `machine`: a limit of this
   * machine prevented the attempt; `pending`: nothing is known yet, and nobody has to act.
   */
  kind: "network" | "answer" | "configuration" | "machine" | "pending";
  /** When it began, if that was before the attempt. */
  since?: Temporal.Instant;
  /** For people; may still contain secrets. */
  reason: string;
}

/** Result of one attempt. A failed attempt is an observation, not an exception. */
export interface Observation {
  /** HTTP status of the last answer, `0` if none arrived. Checks without one report 200 or 0. */
  code: number;
  /** Milliseconds from the start of the name look-up to the last byte, all redirects included. */
  responseTime: number;
  isUnmeasured?: true;
  phases?: Phases;
  failure?: Failure;
  /** Reason why a site that answers is degraded; may still contain secrets. */
  degradation?: string;
  /** Remaining validity of a certificate in words, if that is the {@linkcode Observation.degradation}. */
  expiry?: string;
  remark?: string;
  /** Body of an unexpected answer, its start at least; may still contain secrets. */
  body?: string;
  /** Milliseconds for which the site asks not to be checked again. */
  retryAfter?: number;
  /** Expiry of the certificate of the last TLS connection. */
  certificate?: Temporal.Instant;
  heartbeat?: Heartbeat;
  registration?: Registration;
  details?: Details;
}

/** Facts of a registry about a domain, kept between runs so that it is not asked for each check. */
export interface Registration {
  domain: string;
  /** Time from which on the registry is asked again. */
  next: Temporal.Instant;
  expires?: Temporal.Instant;
  /** A status that means that the domain does not work. */
  status?: string;
  /** Reason why the last question had no answer, without secrets. */
  fault?: string;
}

/** Facts about an attempt for `check`. Texts may still contain secrets. */
export interface Details {
  /** Header lines of the first request; configured ones with the names of their secrets. */
  sent?: string[];
  hops: Hop[];
  address?: string;
  /** TLS version of the last connection, such as `TLSv1.3`. */
  protocol?: string;
  certificate?: CertificateDetails;
  /** Certificates of its issuers, up to the root. */
  issuers?: CertificateDetails[];
  resolver?: string;
  /** Records of a name server or messages of a WebSocket. */
  answers?: string[];
  /** Selected headers of the last answer, names in lower case. */
  headers?: Record<string, string>;
  /** Bytes of the last body that were read. */
  bytes?: number;
  assertions?: AssertionDetails[];
}

export interface AssertionDetails {
  text: string;
  severity: "down" | "degraded";
  holds: boolean;
  found: string;
}

interface Hop {
  method: string;
  /** Absent if it could repeat a secret. */
  url?: string;
  status?: number;
  /** The answer in words, such as `Not Found`; absent if none arrived. */
  words?: string;
}

/** A server's certificate; only its dates if the host is secret. */
export interface CertificateDetails {
  subject?: string;
  issuer?: string;
  names: string[];
  from: Temporal.Instant;
  to: Temporal.Instant;
}

export interface ProbeContext {
  secrets: Secrets;
  /** Aborted when the run is out of time. */
  signal: AbortSignal;
  /** Time of the attempt: certificates are evaluated at it. */
  now: Temporal.Instant;
  /** Folder that relative paths of certificates start from. */
  root: string;
  userAgent: string;
  detailed?: boolean;
  /** True if texts of an answer may be quoted; else their types and lengths are described. @default false */
  quotesAnswers?: boolean;
  /** True for addresses that a public one must not redirect to. @default isPrivateAddress */
  isPrivate?(address: string): boolean;
  /** Number of the attempt in the run, from 1: each one takes the next address of the site's name. */
  attempt?: number;
  /** State of the site's job as earlier runs left it; absent before its first check. */
  heartbeat?: Heartbeat;
  registration?: Registration;
  readVariable?: ReadVariable;
}

/**
 * Returns a variable whose name starts with `HEARTBEAT_`, empty if it is missing; `undefined` if nothing passes it. The
 * error says why it can't be read.
 */
export type ReadVariable = (name: string) => string | undefined | Promise<string | undefined>;

/** Checks a site once, over a new connection. */
export type Probe<Settings extends Target = Target> = (
  settings: Settings,
  context: ProbeContext,
) => Promise<Observation>;

/** An observation of the user's mistake: it says nothing about the site. */
export function misconfigured(reason: string): Observation {
  return { code: 0, responseTime: 0, failure: { kind: "configuration", reason } };
}

/**
 * Describes what an answer consists of, if it must not be quoted.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(describeSizes([4, 1], "message", "byte"), "2 messages of 4 and 1 bytes");
 * assertEquals(describeSizes([1], "text", "character"), "a text of 1 character");
 * ```
 */
export function describeSizes(sizes: readonly number[], thing: string, unit: string): string {
  const all = sizes.length === 1 ? `a ${thing}` : `${sizes.length} ${thing}s`;
  return `${all} of ${joinNames(sizes.map(String))} ${unit}${
    sizes.length === 1 && sizes[0] === 1 ? "" : "s"
  }`;
}

export function missingSecrets(names: readonly string[], secrets: Secrets): Observation {
  const known = secrets.namesWithValue();
  const meant = new Set(names.flatMap((name) => nearSecret(name, known) ?? []));
  return misconfigured(describeMissing(names, [...meant]));
}
