import { everydayNote, isEveryday } from "./everyday.ts";
import { createRedaction, isLongEnough } from "./redaction.ts";

export interface Substituted {
  text: string;
  /** True if the text contains the value of a secret. */
  secret: boolean;
  /** Names that look like secrets and have no value; they stay in the text as written. */
  missing: string[];
}

/** `$NAME` of a secret, or `{{name}}` of a value that was added to them. */
const REFERENCE = /\$([A-Za-z_][A-Za-z0-9_]*)|\{\{\s*([\w-]+)\s*\}\}/g;
const SECRET_NAME = /^[A-Z_][A-Z0-9_]*$/;

/** Percent-encodes a value as a part of an address or a form; what is percent-encoded already stays. */
export function encodeOnce(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(/%25(?=[\da-f]{2})/gi, "%");
}

/** The secrets of a run: fills them into what is sent and redacts them in what is shown. */
export class Secrets {
  readonly #values: ReadonlyMap<string, string>;
  readonly #masked: Set<string>;
  /** True if the run was given no secrets, as on a laptop. */
  readonly isEmpty: boolean;
  /** Names the secrets that are everyday words, if there are any: the only text that is never redacted. */
  readonly warning?: string;
  /** The warning on one line or several. */
  readonly #spared?: RegExp;
  /** Redacts all of these; created again after a text is added. */
  #redact?: (text: string) => string;

  /**
   * `others` are redacted too, without a name: tokens of the run itself. A run is `given` secrets also if it
   * asked for some and none of them has a value.
   */
  constructor(
    values: Readonly<Record<string, string>> = {},
    others: readonly string[] = [],
    given = Object.keys(values).length > 0,
  ) {
    this.isEmpty = !given;
    this.#values = new Map(Object.entries(values));
    const everyday = Object.keys(values).filter((name) => isEveryday(values[name]!));
    if (everyday.length > 0) {
      this.warning = everydayNote(everyday.sort());
      this.#spared = new RegExp(`(${this.warning.split(" ").map(RegExp.escape).join("\\s+")})`);
    }
    this.#masked = new Set([...this.#values.values(), ...others].filter(isLongEnough));
  }

  /**
   * Adds a text that was made of secrets to those that are redacted, such as a pair of user and password.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const secrets = new Secrets({ PASS: "s3cret" });
   * secrets.derive("me:s3cret");
   * assertEquals(secrets.redact("Basic bWU6czNjcmV0"), "Basic ***");
   * ```
   */
  derive(text: string): void {
    if (!isLongEnough(text) || this.#masked.has(text)) return;
    this.#masked.add(text);
    this.#redact = undefined;
  }

  /**
   * The same secrets with further values, which `{{name}}` refers to.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const secrets = new Secrets({ KEY: "s3cret" }).withValues({ token: "t0ken" });
   * assertEquals(secrets.substitute("$KEY/{{token}}/{{id}}").text, "s3cret/t0ken/{{id}}");
   * assertEquals(secrets.redact("s3cret t0ken"), "*** ***");
   * ```
   */
  withValues(values: Readonly<Record<string, string>>): Secrets {
    const added = Object.entries(values).map(([name, value]) => [`{{${name}}}`, value]);
    const all = { ...Object.fromEntries(this.#values), ...Object.fromEntries(added) };
    return new Secrets(all, [...this.#masked], !this.isEmpty);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  /** Names of all secrets with a value; GitHub passes an empty text for one that was never saved. */
  namesWithValue(): string[] {
    return [...this.#values].filter(([, value]) => value !== "").map(([name]) => name);
  }

  value(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** The lines of every value, or of one, for `add-mask` of GitHub Actions. */
  masked(one?: string): string[] {
    const values = one === undefined ? [...this.#values.values()] : [one];
    const lines = values.flatMap((value) => [value, ...value.split(/\r?\n/)]);
    return [...new Set(lines.filter(isLongEnough))];
  }

  /**
   * Replaces each `$NAME` by its secret in one pass, so that references within a value stay. `encodeAdded` is for
   * values of {@linkcode withValues}.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const secrets = new Secrets({ API: "a", API_TOKEN: "$API" });
   * assertEquals(secrets.substitute("Bearer $API_TOKEN/$KEY"), { text: "Bearer $API/$KEY", secret: true, missing: ["KEY"] });
   * ```
   */
  substitute(
    template: string,
    encode: (value: string) => string = (value) => value,
    encodeAdded = encode,
  ): Substituted {
    const missing: string[] = [];
    let secret = false;
    const text = template.replace(REFERENCE, (reference, name: string | undefined, added) => {
      const value = this.#values.get(name ?? `{{${added}}}`);
      if (value === undefined) {
        if (name !== undefined && SECRET_NAME.test(name)) missing.push(name);
        return reference;
      }
      secret = true;
      return name === undefined ? encodeAdded(value) : encode(value);
    });
    return { text, secret, missing };
  }

  /**
   * {@linkcode substitute} for an address: a secret in its user-info part is percent-encoded, and so is a value of
   * {@linkcode withValues}, which may be encoded already.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const secrets = new Secrets({ PASS: "p@ss/1" }).withValues({ id: "a/b?c%20" });
   * assertEquals(secrets.substituteUrl("https://me:$PASS@example.com/").text, "https://me:p%40ss%2F1@example.com/");
   * assertEquals(secrets.substituteUrl("https://example.com/{{id}}").text, "https://example.com/a%2Fb%3Fc%20");
   * ```
   */
  substituteUrl(template: string): Substituted {
    const credentials = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i.exec(template)?.[0] ?? "";
    const before = this.substitute(credentials, encodeURIComponent);
    const after = this.substitute(template.slice(credentials.length), undefined, encodeOnce);
    return {
      text: before.text + after.text,
      secret: before.secret || after.secret,
      missing: [...before.missing, ...after.missing],
    };
  }

  /**
   * Redacts every secret of four or more characters, in its usual encodings. Redact a text before you cut
   * it.
   *
   * @example
   * ```ts
   * import { assertEquals } from "@std/assert";
   * const secrets = new Secrets({ TOKEN: "s3cr&t" });
   * assertEquals(secrets.redact("?a=s3cr&t&b=s3cr%26t czNjciZ0"), "?a=***&b=*** ***");
   * ```
   */
  readonly redact = (text: string): string => {
    const redact = this.#redact ??= createRedaction(this.#masked);
    if (this.#spared === undefined) return redact(text);
    return text.split(this.#spared).map((part, index) => index % 2 === 0 ? redact(part) : part)
      .join("");
  };

  /** Redacts a text before and after `toPlain` removes control characters, which may belong to a secret or hide one. */
  redactPlain(text: string, toPlain: (text: string) => string): string {
    const redacted = this.redact(text);
    const plain = toPlain(redacted);
    return plain === redacted ? plain : this.redact(plain);
  }
}
