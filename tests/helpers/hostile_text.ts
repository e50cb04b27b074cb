import fc, { anyText } from "./property.ts";

/** Texts that GitHub turns into links or notifications, after its markup is parsed. */
export const REFERENCES: readonly RegExp[] = [
  /@\w/,
  /#\d/,
  /(?<![a-z\d])gh-\d/i,
  /(?<![a-z\d])(?:ghsa|cve)-[a-z\d]/i,
  /:(?!\d\d:)[\w+-]+:/,
  /(?<![a-z\d])[\da-f]{7,40}(?![a-z\d])/i,
];

const PARTS = [
  ..."\\`*_[]<>|~#!&:@$()+-=.{}'\"^%/ 1aé日\u200b\u00a0",
  ...["\n", "\n\n", "\r\n", "\t", "    ", "\u2028", "\u202e", "\u0000", "👩‍💻"],
  ...[
    "@jo",
    "@acme/team",
    "jo@a.example",
    "#12",
    "GH-12",
    "gh-7",
    "acme/repo#3",
    "acme/repo@da39a3e",
  ],
  ...[
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "1234567",
    "GHSA-35p6-xmwp-9g52",
    "CVE-2021-44228",
  ],
  ...[":smile:", ":+1:", ":a:b:", "https://a.example/(b)?c=d&e", "http://a", "ftp://a.example"],
  ...[
    "www.a.example",
    "WWW.a.example",
    "mailto:a@b.example",
    "xmpp:a@b.example/c",
    "javascript:alert(1)",
  ],
  ...["<b>", "</td>", "<!-- a", "-->", "<a@b.example>", "<https://a.example>", "<script>", "<?a?>"],
  ...[
    "![a](b)",
    "[a](b)",
    "[a]: b",
    "[^1]",
    "[^1]: a",
    "[ ]",
    "[x] ",
    "- [ ] a",
    "1. ",
    "12) ",
    "> ",
    "# ",
  ],
  ...[
    "---",
    "===",
    ":--",
    "| a |",
    "|---|",
    "**",
    "__a__",
    "~~a~~",
    "```",
    "~~~",
    "$a$",
    "$$",
    "&amp;",
    "&#64;",
    "&copy",
  ],
];

/** Texts that mean as much as possible in Markdown and on GitHub. */
export function hostileText(): fc.Arbitrary<string> {
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...PARTS) },
    { weight: 1, arbitrary: anyText({ maxLength: 5 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
  );
  return fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
}
