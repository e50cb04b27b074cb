import type { Secrets } from "../io/secrets/secrets.ts";
import { plainText, shorten } from "../text/plain_text.ts";
import type { CheckResult } from "./judge.ts";

/** Longest error that is kept, in characters. */
const LONGEST_ERROR = 300;
/** Longest text of the details, in characters: a server may answer with anything. */
const LONGEST_DETAIL = 2000;

/**
 * A result whose texts may be kept and shown. Secrets are masked before anything is cut: the first half
 * of one would be known to nobody as a secret.
 */
export function withoutSecrets(result: CheckResult, secrets: Secrets): CheckResult {
  const shown = (text: string, longest: number) =>
    shorten(plainText(secrets.redact(text)), longest);
  const { error, details } = result;
  return {
    ...result,
    ...(error === undefined ? {} : { error: shown(error, LONGEST_ERROR) }),
    ...(details === undefined
      ? {}
      : { details: mapTexts(details, (text) => shown(text, LONGEST_DETAIL)) }),
  };
}

/** Plain data with each text in it replaced; other values stay as they are. */
function mapTexts<T>(value: T, map: (text: string) => string): T;
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]));
}
