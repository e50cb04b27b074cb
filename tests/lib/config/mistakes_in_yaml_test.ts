import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

const SITE = "sites:\n  - name: A\n    url: https://a.example\n";
const EN_DASH = "this is an en dash (U+2013): write a hyphen";
const SPECIAL = "this text must be quoted, because of its special characters";
const LOST_LIST =
  "this list belongs to a key that is missing in the line above it, or is indented too deep";

/** Texts with a mistake, each with everything that is reported of it. */
const MISTAKES: readonly [text: string, reported: string[]][] = [
  [SITE + "  – name: B\n    url: https://b.example\n", [`error:4:3: ${EN_DASH}`]],
  ["sites:\n  – name: A\n", [`error:2:3 sites.– name: ${EN_DASH}`]],
  ["sites:\n  -name: A\n", [
    'error:2:3 sites.-name: a space is missing after the hyphen: write "- name:"',
  ]],
  ["sites:\n  - name: A\n      url: https://a\n", [
    "error:3:7: this line is indented by 6 instead of 4 spaces",
  ]],
  ["sites:\n  - name: A\n  url: https://a\n", [
    "error:3:3: this line is indented by 2 instead of 4 spaces",
  ]],
  ["sites:\n  - name: A url: https://a\n", [
    'error:2:11: this text must be quoted, because it contains ": "; if "url:" is a key, start a new line before it',
  ]],
  [SITE + "    expectedStatusCodes:\n    - 200\n   - 201\n", [
    "error:6:4: this line is indented by 3 instead of 4 spaces",
  ]],
  ["owner: a\n# sites:\n  - name: A\n    url: https://a\n", [
    'error:3:3: this belongs to "sites:", which is commented out in line 2: remove the # there',
  ]],
  ["owner: a\n\n  - name: A\n    url: https://a\n", [`error:3:3: ${LOST_LIST}`]],
  ["assignees:\n  - amy\n\n  - name: A\n    url: https://a\n", [
    'error:4:5 assignees[1]: "sites:" is missing in a line above this site',
  ]],
  ["assignees:\n  - amy\n#sites:\n  - name: A\n    url: https://a\n", [
    'error:4:3 assignees[1]: this belongs to "sites:", which is commented out in line 3: remove the # there',
  ]],
  [SITE + "      - 200\n      - 201\n", [`error:4:7 sites[0].url: ${LOST_LIST}`]],
  [SITE + "    method: GET\n# a comment\n\n    # another: one\n     port: 80\n", [
    "error:8:6: this line is indented by 5 instead of 4 spaces",
  ]],
  [SITE + "```\n", ['error:4:1: "```" means nothing here: remove it']],
  ["sites: - name: A\n  url: https://x\n", [
    'error:1:8: a list starts in a line of its own, below "sites:"',
  ]],
  ["sites:\n  - name A\n    url: https://x\n", [
    'error:2:5: a colon is missing after "name"',
  ]],
  ["sites:\n  - name:A\n    url: https://x\n", [
    'error:2:5: a space is missing after "name:"',
  ]],
  ["sites:\n  - name: A\n    url:https://x\n", [
    'error:3:5: a space is missing after "url:"',
  ]],
  ["owner: a\nhello the world\n" + SITE, [
    'error:2:1: a colon is missing after "hello", or this is a comment, which starts with #',
  ]],
  ["sites:\n  - name: A\n    method: GET\n   \u00a0url: https://a\n", [
    "error:4:4: this is a no-break space (U+00A0): write an ordinary space",
  ]],
  [SITE + "    method：GET\n", [
    "error:4:11: this is a colon of another script (U+FF1A): write an ordinary colon",
  ]],
  [SITE + "    keyword: “a: b”\n", [
    'error:4:14: this is a curly quote (U+201C): write a straight one (")',
  ]],
  [SITE + "\ufeff    method: GET\n", [
    "warning:4:1 method: this is a byte order mark (U+FEFF): remove it",
  ]],
  [SITE + "    met\u200bhod: GET\n", [
    'warning:4:5 sites[0].met\u200bhod: unknown key, read as "method": this is an invisible character (U+200B): remove it',
  ]],
  ["sites:\n  - name:A\n    url: https://a\n  - name:B\n    url: https://b\n", [
    'error:2:5: a space is missing after "name:"',
  ]],
  ['sites:\n  - name: "A\n    url: https://a\n  - name: "B\n    url: https://b\n', [
    'error:2:11: the " that opens here is never closed',
  ]],
  ['sites:\n  - name: "A\n    url: https://x\n', [
    'error:2:11: the " that opens here is never closed',
  ]],
  ["sites:\r\n  - name: 'A\r\n    url: https://a\r\n", [
    "error:2:11: the ' that opens here is never closed",
  ]],
  ['sites:\n  - name: "A\n    url: https://a\n  - name: "B"\n    url: https://b\n', [
    'error:2:11: the " that opens here is never closed',
  ]],
  ["i18n:\n  up: 'Up\n  down: Down\n  window: Visitors'\n" + SITE, [
    "error:2:7: the ' that opens here is never closed",
  ]],
  [SITE + '    tags: ["a, "b"]\n', ['error:4:12: the " that opens here is never closed']],
  ["owner: 'it's'\n" + SITE, [
    "error:1:11: this ' ends the text that starts with ' before it: double it, or use double quotes around the text",
  ]],
  ["sites:\n  - name: [EU] Shop\n    url: https://x\n", [`error:2:11: ${SPECIAL}`]],
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
    'error:4:5: "name" is already set in line 2: remove one of the two, or start an item of its own with "- "',
  ]],
  [SITE + "---\n" + SITE, ["error:4:1: a second document starts here, only one can be read"]],
  [SITE + "owner: a\x01b\n", ["error:4:11: Stream contains non-printable characters"]],
  [SITE + "    expectedStatusCodes:\n      - 200\n        - 302\n", [
    "error:6:9: this line is indented by 8 instead of 6 spaces",
  ]],
  [SITE + "    expectedStatusCodes:\n      - 200\n      - amy\n", [
    'error:6:9 sites[0].expectedStatusCodes[1]: expected 0 for no answer, or a status code from 100 to 999, or the key of another list above it, found "amy"',
  ]],
  ["---\n  owner: a\n" + SITE, ["error:2:3: this line is indented by 2 instead of 0 spaces"]],
  [SITE + 'i18n:\n  up: "Up\n  down: "Down"\n', [
    'error:5:7: the " that opens here is never closed',
  ]],
  [SITE + "      some words\n", [
    'error:3:5 sites[0].url: expected an address, found "https://a.example some words", did you mean "https://a.example"?',
  ]],
];

Deno.test("a mistake in YAML is reported at its place and with its cure", async () => {
  for (const [text, reported] of MISTAKES) {
    const { problems } = await parseConfig(text);
    assertEquals(problems.map((one) => formatProblem(one, one.severity)), reported, text);
  }
});
