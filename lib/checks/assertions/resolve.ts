import type { Secrets } from "../../io/secrets/secrets.ts";
import {
  type Assertion,
  bareWord,
  type Test,
  type Word,
} from "../../config/checks/assertions/assertion.ts";

/** Assertions with their secrets in place. */
export interface Resolved {
  assertions: Assertion[];
  /** Names of secrets that nobody gave. */
  missing: string[];
}

/** Puts secrets into the values of assertions; what is shown of each stays as written. */
export function withSecrets(assertions: readonly Assertion[], secrets: Secrets): Resolved {
  const missing: string[] = [];
  const substitute = (text: string, encode?: (value: string) => string) => {
    const result = secrets.substitute(text, encode);
    missing.push(...result.missing);
    return result.text;
  };
  const word = ({ text, quoted }: Word): Word =>
    quoted ? { text: substitute(text), quoted } : bareWord(substitute(text));
  const resolved = (test: Test): Test => {
    switch (test.operator) {
      case "==":
      case "!=":
      case "contains":
        return test.word.text.includes("$") ? { ...test, word: word(test.word) } : test;
      case "in":
        return {
          ...test,
          among: test.among.map((one) => "text" in one && one.text.includes("$") ? word(one) : one),
        };
      case "matches":
        return { ...test, source: withSecretsInPattern(test.source, substitute) };
      default:
        return test;
    }
  };
  return {
    assertions: assertions.map(({ condition, ...rest }) => ({
      ...rest,
      condition: { ...condition, test: resolved(condition.test) },
    })),
    missing,
  };
}

/** A secret stands for itself in a pattern; a dollar behind a backslash begins none. */
function withSecretsInPattern(
  source: string,
  substitute: (text: string, encode: (value: string) => string) => string,
): string {
  return source.replace(
    /\\[^]|[^\\]+/g,
    (piece) => piece.startsWith("\\") ? piece : substitute(piece, RegExp.escape),
  );
}
