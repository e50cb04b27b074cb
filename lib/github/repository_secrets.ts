import { GitHubClient, type GitHubOptions } from "./client.ts";

/** Secrets of a repository's workflows; values can't be read. */
interface RepositorySecrets {
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** The key that secrets are sealed with, in base64. */
  publicKey(): Promise<{ id: string; key: string }>;
  /** Creates or replaces a secret, given sealed in base64; true if it is new. */
  save(name: string, secret: { sealed: string; keyId: string }): Promise<boolean>;
}

/** Opens the secrets of a repository; it requests nothing before it is used. */
export function openRepositorySecrets(options: GitHubOptions): RepositorySecrets {
  const client = new GitHubClient(options);
  const { place, repository } = client;
  return {
    repository,

    publicKey: () =>
      client.request("read the public key for secrets", async ({ rest }) => {
        const { data } = await rest.actions.getRepoPublicKey(place);
        return { id: data.key_id, key: data.key };
      }, { needs: "secrets: read" }),

    save: (name, { sealed, keyId }) =>
      client.request(`save the secret ${name}`, async ({ rest }) => {
        const { status } = await rest.actions.createOrUpdateRepoSecret({
          ...{ ...place, secret_name: name },
          ...{ encrypted_value: sealed, key_id: keyId },
        });
        return status === 201;
      }, { needs: "secrets: write" }),
  };
}

/**
 * Seals bytes for the owner of a private key, as GitHub requires for
 * its secrets: libsodium's `crypto_box_seal`. Key and result are base64.
 *
 * @throws {RangeError} If that is not a key.
 */
export async function seal(value: Uint8Array, publicKey: string): Promise<string> {
  const { default: sodium } = await import("libsodium-wrappers");
  await sodium.ready;
  return sodium.crypto_box_seal(value, keyBytes(publicKey, sodium.crypto_box_PUBLICKEYBYTES))
    .toBase64();
}

function keyBytes(publicKey: string, length: number): Uint8Array {
  try {
    const bytes = Uint8Array.fromBase64(publicKey);
    if (bytes.length === length) return bytes;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new RangeError(`Cannot seal with that key: expected ${length} bytes in base64`);
}

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
