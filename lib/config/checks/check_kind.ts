import type * as v from "valibot";
import type { KeyProblem } from "../keys/values.ts";

/** Keys that every check reads of its site. */
export interface Target {
  /** As configured: it may contain credentials and must not be shown. */
  url: string;
  /** Milliseconds until a connection must be open, TLS included. */
  connectTimeout: number;
  /** Milliseconds until everything must be done. */
  requestTimeout: number;
  /** Value of the User-Agent header, if the site has its own. */
  userAgent?: string;
}

/** A site as a check with these keys reads it. */
export type Settings<Keys extends v.ObjectEntries> =
  & Target
  & v.InferOutput<v.ObjectSchema<Keys, undefined>>;

/** The keys of a check type and the rules between them. */
export interface CheckKind {
  keys: v.ObjectEntries;
  /** Keys that the top level may set for all sites. */
  shared: readonly string[];
  /** Finds a reason why a site can't be checked although each key by itself is right. */
  findProblem(settings: never): KeyProblem | undefined;
}

/** Types the settings of a {@linkcode CheckKind} by its keys. */
export function checkKind<const Keys extends v.ObjectEntries>(kind: {
  keys: Keys;
  shared: readonly (keyof Keys & string)[];
  findProblem(settings: Settings<Keys>): KeyProblem | undefined;
}) {
  return kind;
}
