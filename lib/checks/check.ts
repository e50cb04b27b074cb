import type * as v from "valibot";
import { readKeys } from "../config/keys/read_keys.ts";
import type { KeyProblem } from "../config/keys/values.ts";
import type { Details } from "./details.ts";
import { nearSecret } from "../config/secrets/near_misses.ts";
import type { Secrets } from "../config/secrets/secrets.ts";

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

/** Looks at a site once, over a new connection. */
export type Probe = (context: ProbeContext) => Promise<Observation>;

/** The keys every check knows of its site. */
export interface Target {
  url: string;
  /** Milliseconds until a connection must be open, TLS included. */
  connectTimeout: number;
  /** Milliseconds until everything must be done. */
  requestTimeout: number;
  /** What the request calls itself, where the site says so. */
  userAgent?: string;
}

/** What a way of checking reads of a site's keys, and the probe made from them. */
export interface CheckDefinition<Keys extends v.ObjectEntries> {
  keys: Keys;
  /** Those of the keys that the top level may set for all sites. */
  shared: readonly (keyof Keys & string)[];
  /** What keeps a site from being checked this way though each key by itself is right. */
  problem(site: Target & v.InferOutput<v.ObjectSchema<Keys, undefined>>): KeyProblem | undefined;
  prepare(site: Target & v.InferOutput<v.ObjectSchema<Keys, undefined>>): Probe;
}

/** A way of checking a site: keys in, probe out. */
export interface Check {
  keys: v.ObjectEntries;
  shared: readonly string[];
  /**
   * Reads the keys of a site. No probe is returned only if the url is wrong. Any other unusable key is ignored,
   * or, if the check needs it, observed by the probe.
   */
  read(
    target: Target,
    input: Readonly<Record<string, unknown>>,
  ): { probe?: Probe; problems: KeyProblem[] };
}

/** A check whose keys are right each by itself, and are compared before it is prepared. */
export function defineCheck<const Keys extends v.ObjectEntries>(
  definition: CheckDefinition<Keys>,
): Check {
  return {
    keys: definition.keys,
    shared: definition.shared,
    read(target, input) {
      const rest = { ...input };
      const problems: KeyProblem[] = [];
      while (true) {
        const site = { ...target, ...readKeys(definition.keys, rest).values };
        const problem = definition.problem(site);
        if (problem === undefined) return { probe: definition.prepare(site), problems };
        const key = String(problem.path[0]);
        if (key === "url") return { problems: [problem] };
        problems.push({ ...problem, isIgnored: true });
        if (!Object.hasOwn(rest, key)) {
          return { probe: () => Promise.resolve(misconfigured(problem.message)), problems };
        }
        delete rest[key];
      }
    },
  };
}

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
