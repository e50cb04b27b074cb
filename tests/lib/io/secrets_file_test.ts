import { assertEquals } from "@std/assert";
import { parseSecretsFile } from "../../../lib/io/secrets/secrets_file.ts";

Deno.test("a file of secrets is read as its writer meant it", () => {
  const cases: [text: string, secrets: Record<string, string>][] = [
    ["PASS=ab#cd", { PASS: "ab#cd" }],
    ["PASS=#ab", { PASS: "#ab" }],
    ["PASS=ab # mine", { PASS: "ab" }],
    ["PASS=ab\t# mine", { PASS: "ab" }],
    ["PASS= # mine", { PASS: "" }],
    ["PASS='a # b'  # mine", { PASS: "a # b" }],
    ['PASS="a # b" # mine', { PASS: "a # b" }],
    ["\ufeffPASS=a\nB=b", { PASS: "a", B: "b" }],
    ['\ufeff{"PASS": "a"}', { PASS: "a" }],
    ["export PASS=a\n  export  B = b ", { PASS: "a", B: "b" }],
    ["PASS=a\r\nB='b'\r\n\r\nC=\"c\"\r\n", { PASS: "a", B: "b", C: "c" }],
    ["PASS=a=b==\n", { PASS: "a=b==" }],
    ["PASS=it's\nB=b", { PASS: "it's", B: "b" }],
    ["PASS='a'b'\nB='c'", { PASS: "'a'b'", B: "c" }],
    ['PASS="a\nB=b', { PASS: '"a', B: "b" }],
    ["PASS=a b c \n# B=b\n\n", { PASS: "a b c" }],
    ['KEY="-----BEGIN-----\nabc\n-----END-----"\nB=b', {
      KEY: "-----BEGIN-----\nabc\n-----END-----",
      B: "b",
    }],
    ["KEY=\"a\\nb\"\nB='a\\nb'\nC=a\\nb", { KEY: "a\nb", B: "a\\nb", C: "a\\nb" }],
    ["PASS=$OTHER\nPASS=${X}`y`", { PASS: "${X}`y`" }],
    ["PASS=", { PASS: "" }],
    ["no assignment\n=b\n1A=c\n", {}],
    ["", {}],
  ];
  for (const [text, secrets] of cases) assertEquals(parseSecretsFile(text), secrets, text);
});
