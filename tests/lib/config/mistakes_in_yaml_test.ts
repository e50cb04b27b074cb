import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";

const SITE = "sites:\n  - name: A\n    url: https://a.example\n";

/** Texts with a mistake, each with everything that is reported of it: one line, at the mistake. */
const MISTAKES: readonly [title: string, text: string, reported: string[]][] = [
  ["endash", SITE + "  – name: B\n    url: https://b.example\n", [
    'error:4:3: a list item starts with a hyphen "-", not with "–"',
  ]],
  ["endash first", "sites:\n  – name: A\n    url: https://a.example\n", [
    'error:2:3: a list item starts with a hyphen "-", not with "–"',
  ]],
  [
    "endash all",
    "sites:\n  – name: A\n    url: https://a.example\n  – name: B\n    url: https://a.example\n",
    ['error:2:3: a list item starts with a hyphen "-", not with "–" (also in line 4)'],
  ],
  ["endash codes", SITE + "    expectedStatusCodes:\n      - 200\n      – 201\n", [
    'error:6:7: a list item starts with a hyphen "-", not with "–"',
  ]],
  ["endash one key", "sites:\n  – name: A\n", [
    'error:2:3: a list item starts with a hyphen "-", not with "–"',
    "error:2:5 sites[0].url: is missing",
  ]],
  ["-name", "sites:\n  -name: A\n    url: https://a.example\n", [
    "error:2:3: a space is missing after the hyphen",
  ]],
  ["-name2", SITE + "  -name: B\n    url: https://b.example\n", [
    "error:4:3: a space is missing after the hyphen",
  ]],
  ["-name3", SITE + "  -name: B\n   url: https://b.example\n", [
    "error:4:3: a space is missing after the hyphen",
  ]],
  ["-name4", "sites:\n  -name: A\n   url: https://b.example\n", [
    "error:2:3: a space is missing after the hyphen",
  ]],
  ["-200", SITE + "    expectedStatusCodes:\n      - 200\n      -201\n", [
    "error:6:7: a space is missing after the hyphen",
  ]],
  ["deep", SITE + "      check: http\n    port: 1\n", [
    "error:4:7: indented by 6 spaces, expected 4",
  ]],
  ["deep2", "sites:\n  - name: A\n      url: https://a\n", [
    "error:3:7: indented by 6 spaces, expected 4",
  ]],
  ["deep3", "sites:\n  - name: A\n      url: https://a\n  - name: B\n    url: https://b\n", [
    "error:3:7: indented by 6 spaces, expected 4",
  ]],
  ["deep top", "owner: a\n  repo: b\n" + SITE, ["error:2:3: indented by 2 spaces, expected 0"]],
  ["deep ws", "status-website:\n  name: X\n    theme: dark\n  cname: c.example\n" + SITE, [
    "error:3:5: indented by 4 spaces, expected 2",
  ]],
  ["deep ws first", "status-website:\n    name: X\n  theme: dark\n  cname: c.example\n" + SITE, [
    "error:2:5: indented by 4 spaces, expected 2",
  ]],
  ["shallow", "sites:\n  - name: A\n  url: https://a\n", [
    "error:3:3: indented by 2 spaces, expected 4",
  ]],
  ["shallow1", "sites:\n  - name: A\n   url: https://a\n", [
    "error:3:4: indented by 3 spaces, expected 4",
  ]],
  ["listnokey", "owner: a\nrepo: b\n- name: A\n  url: https://a\n", [
    "error:3:1: a list without its key: write the key on the line above, such as sites:",
  ]],
  ["listnokey2", SITE + "      - 200\n      - 201\n", [
    "error:4:7: a list without its key: write the key on the line above, such as expectedStatusCodes:",
  ]],
  [
    "listnokey3",
    "sites:\n  - name: A\n    url: https://a\n    method: GET\n      - 200\n  - name: B\n    url: https://b\n",
    ["error:5:7: a list without its key: write the key on the line above, such as expectedStatusCodes:"],
  ],
  ["listnokey ws", "status-website:\n  name: X\n    - title: A\n      href: /\n" + SITE, [
    "error:3:5: a list without its key: write the key on the line above, such as navbar:",
  ]],
  ["commented", "owner: a\n# sites:\n  - name: A\n    url: https://a\n", [
    'error:2:1: "sites:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  [
    "commented2",
    "owner: a\n#sites:\n  - name: A\n    url: https://a\n  - name: B\n    url: https://b\n",
    ['error:2:1: "sites:" is commented out, but lines below belong to it: remove the #, or comment them out too'],
  ],
  ["commented3", SITE + "  # - name: B\n    url: https://b\n", [
    'error:4:3: "- name:" is commented out, but lines below belong to it: remove the #, or comment them out too; because of it, the key "url" is already set in line 3, column 5',
  ]],
  [
    "commented4",
    SITE + "  # - name: B\n    url: https://b\n    check: ssl\n  - name: C\n    url: https://c\n",
    ['error:4:3: "- name:" is commented out, but lines below belong to it: remove the #, or comment them out too; because of it, the key "url" is already set in line 3, column 5'],
  ],
  ["commented5", SITE + "    # expectedStatusCodes:\n      - 200\n      - 201\n", [
    'error:4:5: "expectedStatusCodes:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  [
    "commented6",
    "status-website:\n  name: X\n  # navbar:\n    - title: A\n      href: /\n" + SITE,
    ['error:3:3: "navbar:" is commented out, but lines below belong to it: remove the #, or comment them out too'],
  ],
  ["commented7 status-website", "owner: a\n# status-website:\n  name: X\n  theme: dark\n" + SITE, [
    'error:2:1: "status-website:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  ["quote", 'sites:\n  - name: "A\n    url: "https://x"\n  - name: B\n    url: https://x\n', [
    "error:2:11: the quote that opens here is never closed",
  ]],
  ["quote2", 'sites:\n  - name: "A\n    url: https://x\n', [
    "error:2:11: the quote that opens here is never closed",
  ]],
  ["quote3", "sites:\n  - name: 'A\n    url: https://x\n  - name: 'B'\n    url: https://x\n", [
    "error:2:11: the quote that opens here is never closed",
  ]],
  [
    "quote4",
    'sites:\n  - name: A\n    url: https://x\n    headers:\n      - "X-A: b\n      - "X-B: c"\n',
    ["error:5:9: the quote that opens here is never closed"],
  ],
  ["loose", "owner: a\nhello world\n" + SITE, [
    'error:2:1: expected "key: value" or "- item", found "hello world"; a comment starts with #',
  ]],
  [
    "loose2",
    "sites:\n  - name: A\n    url: https://x\n    hello\n  - name: B\n    url: https://y\n",
    ['error:4:5: expected "key: value" or "- item", found "hello"; a comment starts with #'],
  ],
  ["loose3", "hello there\n" + SITE, [
    'error:1:1: expected "key: value" or "- item", found "hello there"; a comment starts with #',
  ]],
  ["loose end", SITE + "hello\n", [
    'error:4:1: expected "key: value" or "- item", found "hello"; a comment starts with #',
  ]],
  ["loose after quote", 'owner: "a" b\n' + SITE, [
    "error:1:10: the text ends at this quote: put quotes of the other kind around the whole text",
  ]],
  ["no colon", "sites:\n  - name A\n    url: https://x\n", [
    'error:2:9: a colon is missing after "name"',
  ]],
  ["no colon2", "sites:\n  - name: A\n    url https://x\n", [
    'error:3:8: a colon is missing after "url"',
  ]],
  ["no colon3", "sites\n  - name: A\n    url: https://x\n", [
    'error:1:6: a colon is missing after "sites"',
  ]],
  ["no colon4", "owner: a\nsites\n  - name: A\n    url: https://x\n", [
    'error:2:6: a colon is missing after "sites"',
  ]],
  ["no space", "sites:\n  - name:A\n    url: https://x\n", [
    "error:2:9: a space is missing after the colon",
  ]],
  ["no space2", "sites:\n  - name: A\n    url:https://x\n", [
    "error:3:8: a space is missing after the colon",
  ]],
  ["no space3", "owner:acme\nrepo: x\n" + SITE, ["error:1:6: a space is missing after the colon"]],
  ["tab", "sites:\n\t- name: A\n\t  url: https://x\n", [
    "error:2:1: a tab does not indent in YAML: use spaces",
  ]],
  ["tab2", "sites:\n  - name: A\n\turl: https://x\n", [
    "error:3:1: a tab does not indent in YAML: use spaces",
  ]],
  ["nbsp", "sites:\n  - name:\u00a0A\n    url: https://x\n", [
    "error:2:10: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
  ]],
  ["nbsp2", "sites:\n  - name: A\n\u00a0\u00a0\u00a0\u00a0url: https://x\n", [
    "error:3:1: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
  ]],
  ["fullwidth", "sites:\n  - name：A\n    url: https://x\n", [
    'error:2:9: a key ends with a plain colon ":", not with "："',
  ]],
  ["smart", "sites:\n  - name: “A: B”\n    url: https://x\n", [
    "error:2:11: “ is not a quote in YAML: write a straight quote",
  ]],
  ["smart2", "sites:\n  - name: A\n    url: “https://x”\n", [
    'error:3:5 sites[0].url: expected an address that starts with https:// or http://, found "“https://x”"',
  ]],
  ["flow", "a: [1, 2\nb: 3\nsites: []\n", [
    "error:1:4: the [ that opens here is never closed: ] is missing",
  ]],
  [
    "flow2",
    "sites:\n  - name: A\n    url: https://x\n    expectedStatusCodes: [200, 201\n  - name: B\n    url: https://y\n",
    ["error:4:26: the [ that opens here is never closed: ] is missing"],
  ],
  ["flow3", "sites: [\n  {name: A, url: https://x},\n", [
    "error:1:8: the [ that opens here is never closed: ] is missing",
  ]],
  ["flow4", "sites:\n  - { name: A, url: https://x\n", [
    "error:2:5: the { that opens here is never closed: } is missing",
  ]],
  ["inner", 'owner: "say "hi" now"\n' + SITE, [
    "error:1:13: the text ends at this quote: put quotes of the other kind around the whole text",
  ]],
  ["apos", "owner: 'it's'\n" + SITE, [
    "error:1:11: the text ends at this quote: put quotes of the other kind around the whole text",
  ]],
  ["inline", "sites: - name: A\n  url: https://x\n", [
    "error:1:8: a list starts on the line below its key",
  ]],
  ["inline2", SITE + '    headers: - "X: y"\n', [
    "error:4:14: a list starts on the line below its key",
  ]],
  ["esc", SITE + '    body: "C:\\path"\n', [
    "error:4:14: \\p has no meaning between double quotes: write \\\\p, or use single quotes",
  ]],
  ["pct", "owner: %foo\n" + SITE, ["error:1:8: a text that starts with % must be quoted"]],
  ["at", "sites:\n  - name: A\n    url: @x\n", [
    "error:3:10: a text that starts with @ must be quoted",
  ]],
  ["backtick", "sites:\n  - name: `A`\n    url: https://x\n", [
    "error:2:11: a text that starts with ` must be quoted",
  ]],
  ["amp", "owner: & b\n" + SITE, ["error:1:8: a text that starts with & must be quoted"]],
  ["amp2", "sites:\n  - name: &A & B\n    url: https://x\n", [
    "error:2:11: a text that starts with & must be quoted",
  ]],
  ["star", "sites:\n  - name: *A\n    url: https://x\n", [
    'error:2:11: "*A" refers to an anchor &A, which does not exist; a text that starts with * must be quoted',
  ]],
  ["star2", "sites:\n  - name: * A\n    url: https://x\n", [
    "error:2:11: a text that starts with * must be quoted",
  ]],
  ["brace", "sites:\n  - name: {{ x }}\n    url: https://x\n", [
    'error:2:5 sites[0].name: expected a name, found a map: the site is named "x"',
  ]],
  ["br2", "sites:\n  - name: [EU] Shop\n    url: https://x\n", [
    "error:2:11: a text that starts with [ must be quoted",
  ]],
  ["gt", "sites:\n  - name: > 5\n    url: https://x\n", [
    "error:2:11: a text that starts with > must be quoted",
  ]],
  ["conflict", "<<<<<<< HEAD\n" + SITE + "=======\n" + SITE + ">>>>>>> main\n", [
    "error:1:1: a merge conflict is not resolved here",
  ]],
  ["dupsite", "sites:\n  - name: A\n    url: https://x\n    name: B\n    url: https://y\n", [
    'error:4:5: the key "name" is already set in line 2, column 5: write "- " before it if it starts a new item, else remove one of the two',
  ]],
  ["dupkey", "sites:\n  - name: A\n    url: https://x\n    url: https://y\n", [
    'error:4:5: the key "url" is already set in line 3, column 5: remove one of the two',
  ]],
  ["duptop", SITE + "" + SITE, [
    'error:4:1: the key "sites" is already set in line 1, column 1: remove one of the two',
  ]],
  [
    "crlf",
    "sites:\r\n  - name: A\r\n      url: https://a\r\n  - name: B\r\n    url: https://b\r\n",
    ["error:3:7: indented by 6 spaces, expected 4"],
  ],
  ["crlf quote", 'sites:\r\n  - name: "A\r\n    url: https://a\r\n', [
    "error:2:11: the quote that opens here is never closed",
  ]],
  ["two on line", "sites:\n  - name: A url: https://a\n", [
    'error:2:11: a text with ": " in it must be quoted; a second key needs a line of its own',
  ]],
  [
    "two mistakes",
    "owner: @a\n" + SITE +
    "  – name: B\n    url: https://b.example\n  - name: Game Server: x\n    url: https://c.example\n",
    [
      "error:1:8: a text that starts with @ must be quoted",
      'error:5:3: a list item starts with a hyphen "-", not with "–"',
      'error:7:11: a text with ": " in it must be quoted; a second key needs a line of its own',
    ],
  ],
  ["colon", "sites:\n  - name: API: EU\n    url: https://x\n", [
    'error:2:11: a text with ": " in it must be quoted; a second key needs a line of its own',
  ]],
  ["semicolon", "sites:\n  - name; A\n    url: https://x\n", [
    'error:2:9: a colon is missing after "name"',
  ]],
  ["equals", "sites:\n  - name = A\n    url: https://x\n", [
    'error:2:9: a colon is missing after "name"',
  ]],
  ["json-ish", 'sites:\n  - name: A,\n    url: "https://x",\n', [
    "error:3:21: a line does not end with a comma in YAML: remove it",
  ]],
  ["block scalar", "status-website:\n  introMessage: |\n  Hello there\n  name: X\n" + SITE, [
    'error:3:3: the text below "introMessage: |" must be indented further than its key',
  ]],
  ["asterisk list", "sites:\n  * name: A\n    url: https://x\n", [
    'error:2:3: a list item starts with a hyphen "-", not with "*"',
  ]],
  ["codes", SITE + "    expectedStatusCodes:\n      - 200\n      maxResponseTime: 5\n", [
    "error:6:7: indented by 6 spaces, expected 0",
  ]],
  ["codes2", SITE + "    expectedStatusCodes:\n    - 200\n   - 201\n", [
    "error:6:4: indented by 3 spaces, expected 2",
  ]],
  ["commented sites between lists", "assignees:\n  - a\n#" + SITE, [
    'error:3:1: "sites:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  ["commented assignees", SITE + "#assignees:\n  - a\n  - b\n", [
    'error:4:1: "assignees:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  ["commented i18n", "status-website:\n  name: X\n#i18n:\n  footer: x\n" + SITE, [
    'error:3:1: "i18n:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  ["keys behind nbsp", "sites:\n  - name: A\n\u00a0\u00a0\u00a0\u00a0url: https://a.example\n", [
    "error:3:1: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
  ]],
  ["a continued url", SITE + "      some words\n", [
    'error:3:5 sites[0].url: expected an address, found "https://a.example some words"; this text continues in line 4',
  ]],
  ["alone -name", "sites:\n  -name: A\n", [
    'error:2:3 sites.-name: expected a list of sites, found the key "-name": a space is missing after the hyphen: write "- name:"',
  ]],
  ["hyphen and space swapped", SITE + "   -name: B\n    url: https://b.example\n", [
    "error:4:4: a space is missing after the hyphen",
  ]],
  ["deep single item", "sites:\n    - name: A\n    url: https://a.example\n", [
    "error:3:5: indented by 4 spaces, expected 6",
  ]],
  [
    "first hyphen missing",
    "sites:\n    name: A\n    url: https://a.example\n    method: HEAD\n  - name: B\n    url: https://b.example\n",
    [
      'error:2:5: a hyphen is missing before the first key of this item: write "- " before it',
    ],
  ],
  ["no colon after a key that stands nowhere else", SITE + "status-website\n  theme: dark\n", [
    'error:4:15: a colon is missing after "status-website"',
  ]],
  ["no colon in an item", SITE + "status-website:\n  navbar:\n    - title A\n      href: /\n", [
    'error:6:12: a colon is missing after "title"',
  ]],
  [
    "list without key after another list",
    SITE +
    "status-website:\n  navbar:\n    - title: A\n      href: /\n\n  - type: slack\n    url: $A\n",
    ["error:9:3: a list without its key: write the key on the line above, such as notifications:"],
  ],
  ["two comments", SITE + "# notifications:\n#   - type: slack\n# assignees:\n  - bob\n", [
    'error:6:1: "assignees:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  ["first item commented out", "sites:\n  # - name: A\n    url: https://a.example\n", [
    'error:2:3: "- name:" is commented out, but lines below belong to it: remove the #, or comment them out too',
  ]],
  [
    "tab below a text",
    SITE +
    "status-website:\n  navbar:\n    - title: A\n\thref: /\n    - title: B\n      href: /b\n",
    ["error:7:1: a tab does not indent in YAML: use spaces"],
  ],
  [
    "special space between items",
    SITE + "  - name: B\n\u00a0   url: https://b.example\n" +
    "  - name: C\n    url: https://c.example\n",
    [
      "error:5:1: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
    ],
  ],
  [
    "asterisk before a key alone",
    SITE +
    "  - name: B\n    url: https://b.example\n  * expectedStatusCodes:\n      - 200\n    name: C\n    url: https://c.example\n",
    [
      'error:6:3: a list item starts with a hyphen "-", not with "*"',
    ],
  ],
  ["quote closed by the next", "i18n:\n  up: 'Läuft\n  down: 'Steht: seit'\n" + SITE, [
    "error:2:7: the quote that opens here is never closed",
  ]],
  ["quote closed far below", "owner: 'me\nrepo: status\nstatus-website:\n  name: 'A'\n" + SITE, [
    "error:1:8: the quote that opens here is never closed",
  ]],
  ["special space after a hyphen", SITE + "assignees:\n  -\u00a0bob\n", [
    "error:5:4: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
  ]],
  ["special space after a colon", SITE + "i18n:\n  up:\u00a0Works\n", [
    "error:5:6: a non-breaking or invisible space (U+00A0) is not a space in YAML: write a plain one",
  ]],
  ["no space before a path", SITE + "status-website:\n  navbar:\n    - title: A\n      href:/\n", [
    "error:7:11: a space is missing after the colon",
  ]],
  [
    "words below a comment",
    SITE + "status-website:\n  # cname: demo.example\n    fix this\n  name: A\n",
    [
      'error:6:5: expected "key: value" or "- item", found "fix this"; a comment starts with #',
    ],
  ],
  ["two docs", SITE + "---\n" + SITE, [
    "error:4:1: a second document starts here, only one can be read",
  ]],
];

Deno.test("a mistake in YAML is reported once, where it was made, with its cure", async () => {
  for (const [title, text, reported] of MISTAKES) {
    const { problems } = await parseConfig(text);
    assertEquals(problems.map((one) => formatProblem(one, one.severity)), reported, title);
  }
});

Deno.test("a file with Windows line ends has the same mistakes at the same places", async () => {
  for (const [title, text, reported] of MISTAKES) {
    const { problems } = await parseConfig(text.replaceAll(/\r?\n/g, "\r\n"));
    assertEquals(problems.map((one) => formatProblem(one, one.severity)), reported, title);
  }
});

Deno.test("a list that a text has swallowed and a key behind a special space cost nothing but themselves", async () => {
  const { config } = await parseConfig(
    `sites:\n  - name: A\n    url: https://a.example/x\n      - 200\n\u00a0\u00a0  method: HEAD\n`,
  );
  assertEquals(config?.sites.map(({ url, method }) => [url, method]), [
    ["https://a.example/x", "HEAD"],
  ]);
});
