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
