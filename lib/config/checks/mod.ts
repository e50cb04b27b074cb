import { readKeys } from "../keys/read_keys.ts";
import type { KeyProblem } from "../keys/values.ts";
import type { CheckKind, Settings, Target } from "./check_kind.ts";
import { dns } from "./dns.ts";
import { http } from "./http.ts";
import { ssl } from "./ssl.ts";
import { tcpPing } from "./tcp_ping.ts";
import { ws } from "./ws.ts";

/** Every check type, under the name that `check:` gives it. */
export const CHECK_KINDS = { http, "tcp-ping": tcpPing, ssl, dns, ws };

/** Name of a check type. */
export type CheckName = keyof typeof CHECK_KINDS;

/** Names of all check types. */
export const CHECK_NAMES = Object.keys(CHECK_KINDS) as CheckName[];

/** Settings that a probe of this check type reads. */
export type CheckSettings<Name extends CheckName> = Settings<(typeof CHECK_KINDS)[Name]["keys"]>;

/** A site as its probe reads it. */
export type CheckTarget = {
  [Name in CheckName]: CheckSettings<Name> & {
    check: Name;
    /** Reason why the site can't be checked, if a key that the check needs is missing or wrong. */
    fault?: string;
  };
}[CheckName];

/** True if a value is the name of a check type. */
export function isCheckName(value: unknown): value is CheckName {
  return typeof value === "string" && Object.hasOwn(CHECK_KINDS, value);
}

/**
 * Reads the keys of a site for its check. No target is returned only if the url is wrong. Any other
 * unusable key is ignored, or, if the check needs it, becomes the {@linkcode CheckTarget.fault}.
 */
export function readCheck(
  check: CheckName,
  target: Target,
  input: Readonly<Record<string, unknown>>,
): { target?: CheckTarget; problems: KeyProblem[] } {
  const kind: CheckKind = CHECK_KINDS[check];
  const rest = { ...input };
  const problems: KeyProblem[] = [];
  while (true) {
    const settings = { ...target, ...readKeys(kind.keys, rest).values };
    const problem = kind.findProblem(settings as never);
    const read = { check, ...settings } as unknown as CheckTarget;
    if (problem === undefined) return { target: read, problems };
    const key = String(problem.path[0]);
    if (key === "url") return { problems: [problem] };
    problems.push({ ...problem, isIgnored: true });
    if (!Object.hasOwn(rest, key)) {
      return { target: { ...read, fault: problem.message }, problems };
    }
    delete rest[key];
  }
}
