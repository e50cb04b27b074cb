import type { Target } from "../config/checks/check_kind.ts";
import { nearSecret } from "../config/secrets/near_misses.ts";
import type { Secrets } from "../io/secrets/secrets.ts";
import type { Details } from "./details.ts";

/** Milliseconds spent in each part of an exchange, summed over redirects. */
export interface Phases {
  dns: number;
  connect: number;
  tls: number;
  ttfb: number;
  download: number;
}

/** Why a probe found a site not to be as it should. */
export interface Failure {
  /**
   * `network`: no answer came (name, connection, TLS, time); `answer`: an answer came, and not the one
   * expected; `configuration`: the fault is ours, and nothing is known of the site; `machine`: a limit of this
   * machine kept the site from being asked.
   */
  kind: "network" | "answer" | "configuration" | "machine";
  /** In words a person understands; may still hold secrets. */
  reason: string;
}

/** What one probe of a site saw. A failed probe is an observation, not an exception. */
export interface Observation {
  /**
   * HTTP status of the last answer, `0` where none came. A check without an HTTP status reports 200
   * for success and 0 for failure.
   */
  code: number;
  /** Milliseconds from the start of the name look-up to the last byte, all redirects included. */
  responseTime: number;
  phases?: Phases;
  /** Absent where the site is as it should be, or only {@linkcode Observation.degradation} says otherwise. */
  failure?: Failure;
  /** Why a site that answers is not as well as it should be, in words; may still hold secrets. */
  degradation?: string;
  /** Remaining validity of a certificate in words, if that is the {@linkcode Observation.degradation}. */
  expiry?: string;
  /** What there is to know of a site that is as it should be. */
  remark?: string;
  /** Milliseconds for which the site asks not to be looked at again. */
  retryAfter?: number;
  /** Until when the certificate is valid that was seen; of several on the way, the last. */
  certificate?: Temporal.Instant;
  /** Present where they were asked for. */
  details?: Details;
}

/** What a probe is given by the run that makes it. */
export interface ProbeContext {
  secrets: Secrets;
  /** Ends the probe early when the run is out of time. */
  signal: AbortSignal;
  /** The moment of the probe: certificates are judged by it. */
  now: Temporal.Instant;
  /** The folder that relative paths of certificates start from. */
  root: string;
  /** What requests call themselves where the site does not say. */
  userAgent: string;
  /** Whether the observation tells its details. */
  detailed?: boolean;
  /** True for addresses that a public one must not redirect to. @default isPrivateAddress */
  isPrivate?(address: string): boolean;
  /** Which attempt of the run this is, from 1: each next one takes the next address of the site's name. */
  attempt?: number;
}

/** Probes a site once, over a new connection. */
export type Probe<Settings extends Target = Target> = (
  settings: Settings,
  context: ProbeContext,
) => Promise<Observation>;

/** An observation of our own fault: it says nothing of the site. */
export function misconfigured(reason: string): Observation {
  return { code: 0, responseTime: 0, failure: { kind: "configuration", reason } };
}

/** The observation that secrets are missing, with the names that were probably meant. */
export function missingSecrets(names: readonly string[], secrets: Secrets): Observation {
  const missing = [...new Set(names)];
  const list = missing.map((name) => `$${name}`).join(", ");
  const known = secrets.namesWithValue();
  const meant = [...new Set(missing.flatMap((name) => nearSecret(name, known) ?? []))];
  const question = meant.length === 0
    ? ""
    : `, did you mean ${meant.map((name) => `$${name}`).join(", ")}?`;
  return misconfigured(
    `${list} is not among the secrets${question} (names are case-sensitive; SECRETS_CONTEXT or --secrets gives them)`,
  );
}
