import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

const SITE = "sites:\n  - name: A\n    url: https://a.example\n";
const INDENT = "this line is indented differently from those it belongs to";
const COLON =
  'a text with ": " in it must be quoted, a list needs a key of its own on the line above it, or this line is indented wrongly';
const NO_KEY =
  'expected "key: value" or "- item": a colon or a hyphen, and a space, are missing; a comment starts with #';
const UNQUOTED =
  "this does not belong to the value before it: quote the whole value, or start a list on its own line";
const SPECIAL = "a text that starts with a special character must be quoted";
const HYPHEN = 'start each site with a hyphen and a space, such as "- name:"';

/** Texts with a mistake, each with everything that is reported of it. */
const MISTAKES: readonly [text: string, reported: string[]][] = [
  [SITE + "  – name: B\n    url: https://b.example\n", [`error:4:3: ${INDENT}`]],
  ["sites:\n  – name: A\n", [
    `error:2:3 sites.– name: expected a list of sites, found the key "– name": ${HYPHEN}`,
  ]],
  ["sites:\n  -name: A\n", [
    `error:2:3 sites.-name: expected a list of sites, found the key "-name": ${HYPHEN}`,
  ]],
  ["sites:\n  - name: A\n      url: https://a\n", [`error:2:11: ${COLON}`]],
  ["sites:\n  - name: A\n  url: https://a\n", [`error:3:3: ${INDENT}`]],
  ["sites:\n  - name: A url: https://a\n", [`error:2:11: ${COLON}`]],
  [SITE + "    expectedStatusCodes:\n    - 200\n   - 201\n", [`error:6:4: ${INDENT}`]],
  ["owner: a\n# sites:\n  - name: A\n    url: https://a\n", [`error:2:1: ${COLON}`]],
  ["sites: - name: A\n  url: https://x\n", [`error:1:8: ${UNQUOTED}`]],
  ["sites:\n  - name A\n    url: https://x\n", [`error:2:5: ${NO_KEY}`]],
  ["sites:\n  - name: A\n    url:https://x\n", [`error:3:5: ${NO_KEY}`]],
  ["owner: a\nhello world\n" + SITE, [`error:2:1: ${NO_KEY}`]],
  ['sites:\n  - name: "A\n    url: https://x\n', [
    'error:2:11: the " that opens here is never closed',
  ]],
  ["sites:\r\n  - name: 'A\r\n    url: https://a\r\n", [
    "error:2:11: the ' that opens here is never closed",
  ]],
  ["owner: 'it's'\n" + SITE, [`error:1:12: ${UNQUOTED}`]],
  ["sites:\n  - name: [EU] Shop\n    url: https://x\n", [`error:2:16: ${UNQUOTED}`]],
  ["sites:\n\t- name: A\n\t  url: https://x\n", [
    "error:2:1: a tab does not indent in YAML: use spaces",
  ]],
  ["a: [1, 2\nb: 3\nsites: []\n", ["error:1:4: the [ that opens here is never closed"]],
  ["sites:\n  - { name: A, url: https://x\n", ["error:2:5: the { that opens here is never closed"]],
  [SITE + '    body: "C:\\path"\n', [
    "error:4:14: this backslash has no meaning between double quotes: double it, or use single quotes",
  ]],
  ["owner: @foo\n" + SITE, [`error:1:8: ${SPECIAL}`]],
  ["owner: & b\n" + SITE, [`error:1:8: ${SPECIAL}`]],
  ["sites:\n  - name: *A\n    url: https://x\n", [
    'error:2:13: unidentified alias "A": a text that starts with * must be quoted',
  ]],
  ["sites:\n  - name: !A\n    url: https://x\n", [
    "error:3:5: Cannot resolve unknown tag !<!A>: a text that starts with ! must be quoted",
  ]],
  [`${SITE}<<<<<<< HEAD\nowner: a\n=======\nowner: b\n>>>>>>> main\n`, [
    "error:4:1: a merge conflict starts here: keep one of its sides, without the markers",
  ]],
  ["sites:\n  - name: A\n    url: https://x\n    name: B\n    url: https://y\n", [
    "error:4:5: this key is already set above: remove one of the two",
  ]],
  [SITE + "---\n" + SITE, ["error:4:1: a second document starts here, only one can be read"]],
  [SITE + "owner: a\x01b\n", ["error:4:11: Stream contains non-printable characters"]],
  [SITE + "      some words\n", [
    'error:3:5 sites[0].url: expected an address, found "https://a.example some words"',
  ]],
];

Deno.test("a mistake in YAML is reported at its place and with its cure", async () => {
  for (const [text, reported] of MISTAKES) {
    const { problems } = await parseConfig(text);
    assertEquals(problems.map((one) => formatProblem(one, one.severity)), reported, text);
  }
});
