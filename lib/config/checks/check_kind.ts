import type * as v from "valibot";
import { readKeys } from "../keys/read_keys.ts";
import type { KeyProblem } from "../keys/values.ts";

/** Keys that every check reads of its site. */
export interface Target {
  /** As configured: it may contain credentials and must not be shown. */
  url: string;
  /** Milliseconds until a connection must be open, TLS included. */
  connectTimeout: number;
  /** Milliseconds until everything must be done. */
  requestTimeout: number;
  userAgent?: string;
}

/** A site as a check with these keys reads it. */
export type Settings<Keys extends v.ObjectEntries> =
  & Target
  & v.InferOutput<v.ObjectSchema<Keys, undefined>>;

/**
 * A check type: its keys, and how a site is read. `findProblem`, the rule between keys, finds a reason why a site
 * can't be checked although each key by itself is right.
 */
export function checkKind<const Name extends string, const Keys extends v.ObjectEntries>(
  check: Name,
  keys: Keys,
  findProblem: (settings: Settings<Keys>) => KeyProblem | undefined,
) {
  /**
   * Reads the keys of a site. No target is returned only if the url is wrong. Any other unusable key is ignored,
   * or, if the check needs it, is the `fault` for which the site can't be checked.
   */
  const read = (
    target: Target,
    input: Readonly<Record<string, unknown>>,
  ): {
    target?: Settings<Keys> & { check: Name; fault?: string };
    problems: KeyProblem[];
  } => {
    const rest = { ...input };
    const problems: KeyProblem[] = [];
    while (true) {
      const settings = { ...target, ...readKeys(keys, rest).values };
      const problem = findProblem(settings);
      if (problem === undefined) return { target: { ...settings, check }, problems };
      const key = String(problem.path[0]);
      if (key === "url") return { problems: [problem] };
      problems.push({ ...problem, isIgnored: true });
      if (!Object.hasOwn(rest, key)) {
        return { target: { ...settings, check, fault: problem.message }, problems };
      }
      delete rest[key];
    }
  };
  return { keys, read };
}
