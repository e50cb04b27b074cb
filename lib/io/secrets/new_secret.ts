/** Most bytes of a secret on GitHub. */
const MOST_BYTES = 48 * 1024;

/**
 * The name that GitHub keeps a secret under: in capitals, however it is written.
 *
 * @throws {RangeError} If the name is not allowed; the message says why.
 */
export function storedName(written: string): string {
  const wrong = RULES.find(([broken]) => broken.test(written))?.[1];
  if (wrong !== undefined) throw new RangeError(wrong);
  return written.toUpperCase();
}

/** Rules that names must not break, and the message for each. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/^$/, "the name is missing"],
  [/^\$/, "write the name without $, which belongs in the configuration only"],
  [/^\d/, "a name doesn't begin with a digit"],
  [/[^A-Za-z0-9_]/, "a name has only letters from A to Z, digits and underscores"],
  [/^GITHUB_/i, "names that begin with GITHUB_ are GitHub's own"],
];

/**
 * The value of a secret, of what was read for it: as it is, but for one new line at the end, which
 * `echo` and editors add.
 *
 * @throws {RangeError} If GitHub does not accept the value; the message contains none of it.
 */
export function secretValue(input: Uint8Array): string {
  const value = decoded(input).replace(/\r?\n$/, "");
  if (value === "") throw new RangeError("no value came");
  const size = new TextEncoder().encode(value).length;
  if (size > MOST_BYTES) {
    throw new RangeError(`the value has ${size} bytes, and GitHub takes ${MOST_BYTES}`);
  }
  return value;
}

function decoded(input: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    throw new RangeError("the value is no text in UTF-8; encode it, in base64 for example");
  }
}
