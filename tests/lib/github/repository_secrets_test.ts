import { assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import sodium from "libsodium-wrappers";
import { seal, secretValue, storedName } from "../../../lib/github/repository_secrets.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("storedName() accepts the names that GitHub accepts, and explains what is wrong with others", () => {
  for (const name of ["A", "_", "API_TOKEN", "_2", "GITHUB", "MY_GITHUB_TOKEN"]) {
    assertEquals(storedName(name), name);
  }
  const wrong: [name: string, why: string][] = [
    ["", "missing"],
    ["$API_TOKEN", "without $"],
    ["2FA", "digit"],
    ["API-TOKEN", "only letters"],
    ["API TOKEN", "only letters"],
    ["ÜBER", "only letters"],
    ["A\n", "only letters"],
    ["../x", "only letters"],
    ["github_token", "GitHub's own"],
  ];
  for (const [name, why] of wrong) assertThrows(() => storedName(name), RangeError, why);
});

Deno.test("secretValue() keeps a text, except for one trailing line break", () => {
  const cases: [given: string, value: string][] = [
    ["abc", "abc"],
    ["abc\n", "abc"],
    ["abc\r\n", "abc"],
    ["abc\n\n", "abc\n"],
    [" a b ", " a b "],
    ["\ufeffa", "\ufeffa"],
    ["x".repeat(48 * 1024) + "\n", "x".repeat(48 * 1024)],
  ];
  for (const [given, value] of cases) assertEquals(secretValue(bytes(given)), value);
});

Deno.test("secretValue() rejects invalid secrets without repeating them", () => {
  assertThrows(() => secretValue(bytes("")), RangeError, "no value came");
  assertThrows(() => secretValue(bytes("\n")), RangeError, "no value came");
  assertThrows(() => secretValue(bytes("é".repeat(24 * 1024) + "x")), RangeError, "49153 bytes");
  assertThrows(() => secretValue(new Uint8Array([0xff, 0xfe])), RangeError, "no text in UTF-8");
});

Deno.test("a sealed value is opened with the private key, and differs each time it is sealed", async () => {
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

Deno.test("an invalid public key is rejected, and nothing is sealed", async () => {
  for (const key of ["", "c2hvcnQ=", "not base64!", btoa("x".repeat(33))]) {
    await assertRejects(() => seal(new Uint8Array(1), key), RangeError, "expected 32 bytes");
  }
});
