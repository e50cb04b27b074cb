import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import sodium from "libsodium-wrappers";
import { seal } from "../../../lib/io/sealed_box.ts";

Deno.test("what is sealed is opened with the other half of the key, and is another text each time", async () => {
  await sodium.ready;
  const { publicKey, privateKey } = sodium.crypto_box_keypair();
  const values = ["a", "two\nlines\n", "grüße 🔑", "x".repeat(48 * 1024)];
  for (const value of values) {
    const bytes = new TextEncoder().encode(value);
    const sealed = await seal(bytes, publicKey.toBase64());
    const opened = sodium.crypto_box_seal_open(
      Uint8Array.fromBase64(sealed),
      publicKey,
      privateKey,
    );
    assertEquals(new TextDecoder().decode(opened), value);
    assertNotEquals(await seal(bytes, publicKey.toBase64()), sealed);
  }
});

Deno.test("nothing is sealed with what is no key", async () => {
  for (const key of ["", "c2hvcnQ=", "not base64!", btoa("x".repeat(33))]) {
    await assertRejects(() => seal(new Uint8Array(1), key), RangeError, "expected 32 bytes");
  }
});
