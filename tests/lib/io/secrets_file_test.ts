import { assertEquals, assertThrows } from "@std/assert";
import { parseSecretsFile } from "../../../lib/io/secrets/secrets_file.ts";

Deno.test("a file of secrets is read as JSON or as .env files are", () => {
  const cases: [text: string, secrets: Record<string, string>][] = [
    ["PASS='ab#cd'", { PASS: "ab#cd" }],
    ["PASS=ab # mine", { PASS: "ab" }],
    ["PASS='a # b'  # mine", { PASS: "a # b" }],
    ['PASS="a # b" # mine', { PASS: "a # b" }],
    ["\ufeffPASS=a\nB=b", { PASS: "a", B: "b" }],
    ['\ufeff{"PASS": "a", "UNSAVED": ""}', { PASS: "a" }],
    ["export PASS=a\n  export  B = b ", { PASS: "a", B: "b" }],
    ["PASS=a\r\nB='b'\r\n\r\nC=\"c\"\r\n", { PASS: "a", B: "b", C: "c" }],
    ["PASS=a=b==\n", { PASS: "a=b==" }],
    ["PASS=a b c \n# B=b\n\n", { PASS: "a b c" }],
    ['KEY="-----BEGIN-----\nabc\n-----END-----"\nB=b', {
      KEY: "-----BEGIN-----\nabc\n-----END-----",
      B: "b",
    }],
    ["KEY=\"a\\nb\"\nB='a\\nb'\nC=a\\nb", { KEY: "a\nb", B: "a\\nb", C: "a\\nb" }],
    ["PASS=", { PASS: "" }],
    ["", {}],
  ];
  for (const [text, secrets] of cases) assertEquals(parseSecretsFile(text), secrets, text);
});

Deno.test("a value that a # would cut is an error with its line, and quotes keep it", () => {
  const error = assertThrows(() => parseSecretsFile("A=1\nPASS=ab#cd\n"), SyntaxError);
  assertEquals(
    error.message,
    "Cannot read secrets: line 2 has a # in its value; put quotes around the value",
  );
  assertEquals(parseSecretsFile("PASS='ab#cd'\nB=x # note\n"), { PASS: "ab#cd", B: "x" });
});
