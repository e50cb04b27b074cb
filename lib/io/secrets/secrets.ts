import { createRedaction, isLongEnough } from "./redaction.ts";
import { joinNames } from "../../text/words.ts";

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

/** Words of configurations, addresses and services, of the program's own texts, and frequent English ones. */
const WORDS = new Set(
  [
    "true false null none undefined auto default enable enabled disable disabled value values",
    "main master head trunk develop devel development stable latest release beta alpha preview",
    "prod production stage staging test tests testing debug demo example sample live local localhost",
    "http https html json yaml xml path file files index home page pages site sites website host hosts",
    "domain example.com login logout health healthz ready ping check checks status version info metrics",
    "user users username admin administrator root guest owner public private internal external system",
    "service services server servers client clients data database mysql postgres postgresql redis mongo",
    "mongodb sqlite docker linux ubuntu windows macos node python java nginx apache github gitlab google",
    "azure cloud amazon slack discord telegram teams email mail smtp imap webhook webhooks word words",
    "monitor monitoring monitors uptime upptime down degraded unknown maintenance incident incidents",
    "outage outages error errors fail failed failing failure success warning warnings notice alert alerts",
    "message messages response responses request requests timeout connect connection refused certificate",
    "expired redirect answer answers answered found missing history summary report graph graphs workflow",
    "schedule runner hosted location locations notification notifications channel channels event events",
    "secret secrets password passwords token tokens basic bearer name names text texts hello world welcome",
    "europe america asia africa germany france berlin london paris today hour hours minute minutes second",
    "seconds days week weeks month months year years time date open opened close closed start started stop",
    "online offline working shop store blog news docs wiki help team company office good more than with",
    "this that from have been were will would there their what when which about could other after first",
    "into also then them some over only your they does done last long next same each very just like",
  ].join(" ").split(" "),
);

/** Years, usual ports, and round numbers. */
const NUMBERS = /^(?:(?:19|20)\d\d|8080|8443|5432|3306|6379|27017|[1-9]0{3,})$/;

/**
 * True if a value is such a frequent word or number that to redact it makes texts illegible. Only what is surely one
 * counts: a bad password is none.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["Main", "2026", "hunter2", "xkcd", "1"].map(isEveryday), [true, true, false, false, false]);
 * ```
 */
export function isEveryday(value: string): boolean {
  const word = value.trim().toLowerCase();
  return isLongEnough(word) && (WORDS.has(word) || NUMBERS.test(word));
}

export function everydayNote(names: readonly string[]): string {
  const what = names.length === 1
    ? `secret ${names[0]} is an everyday word and redacted wherever that word occurs`
    : `secrets ${joinNames(names)} are everyday words and redacted wherever these occur`;
  return `${what}: choose a longer value, or write it into the configuration if it is no secret`;
}
