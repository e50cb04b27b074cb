/** An error of the parser. */
export interface SyntaxFault {
  code: string;
  message: string;
  pos: readonly [number, number];
}

/** What people did, by what the parser says of it. */
const WORDS: readonly [said: RegExp, words: string][] = [
  [/second document|multiple documents/i, "a second document begins here, only one can be read"],
  [
    /must start at the same column|block sequence may not be/,
    "this line is indented otherwise than those it belongs to",
  ],
  [
    /Sequence item without -/,
    'this line stands in a list and has no "- ": indent it like the key before it',
  ],
  [/Nested mappings/, 'a text with ": " in it has to be quoted, or this line is indented wrongly'],
  [/single line|followed by map values/, "a key without a colon and a blank after it"],
  [/Unexpected scalar at node end/, "the text goes on after its end: quote the whole of it"],
  [/Missing closing ["']/, "the quote that begins here is not closed"],
  [/end with a \]/, "a list is not closed: ] is missing"],
  [/end with a \}/, "a map is not closed: } is missing"],
  [/tab/i, "a tab does not indent in YAML, use blanks"],
];

/** An error of the parser in the words of who wrote the text. */
export function syntaxWords({ code, message, pos: [offset] }: SyntaxFault, text: string): string {
  const line = /^[^\n]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))![0].trim();
  if (/^(?:<{7}|={7}|>{7})/.test(line)) return "a merge conflict is not resolved here";
  if (code === "DUPLICATE_KEY") {
    return `the key "${/^[^:\n]*/.exec(text.slice(offset))![0].trim()}" stands twice`;
  }
  if (code === "BAD_SCALAR_START") {
    return `a text that begins with ${text[offset]} has to be quoted`;
  }
  return WORDS.find(([said]) => said.test(message))?.[1] ?? message;
}
