import fc from "../../helpers/property.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { plainText } from "../../../lib/text/plain_text.ts";
import {
  escapeMentions,
  markdownLink,
  markdownTable,
} from "../../../templates/markdown/markdown.ts";
import { hostileText, REFERENCES } from "../../helpers/hostile_text.ts";
import { rendered } from "../../helpers/rendered_markdown.ts";

/** What a text says, without what nobody sees. */
function said(text: string): string {
  return plainText(text.replaceAll("\u200b", "")).trim();
}

Deno.test("any text is shown as it is and nothing else, wherever it stands", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const inert = escapeMentions(text);
      const places: [markdown: string, shown: string, elements: string[]][] = [
        [inert, text, inert === "" ? [] : ["p"]],
        [`**Why:** ${inert}. More`, `Why: ${plainText(text)}. More`, ["p", "strong"]],
        [`<sub>${inert}</sub>`, text, ["p", "sub"]],
        [markdownTable([inert], []), text, ["table", "thead", "tr", "th"]],
        [
          markdownTable(["a", "b"], [[inert, inert]]),
          `a b ${plainText(text)} ${plainText(text)}`,
          ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "td"],
        ],
        [`- ${inert}`, text, ["ul", "li"]],
      ];
      for (const [markdown, shown, elements] of places) {
        const { text: seen, ...rest } = rendered(markdown);
        assertEquals(rest, { elements, addresses: [] }, markdown);
        assertEquals(said(seen), said(shown), markdown);
      }
    }),
  );
});

Deno.test("no text notifies anybody or refers to anything, though its backslashes are gone", () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const shown = rendered(`${escapeMentions(text)} | ${escapeMentions(text)}`).text;
      assertEquals(REFERENCES.filter((one) => one.test(shown)), [], text);
    }),
  );
});

Deno.test("what GitHub refers to is found where nothing is done about it", () => {
  const live = [
    "@jo",
    "(@acme/team)",
    "see #12",
    "GH-12",
    "acme/repo#3",
    ":smile:",
    "da39a3e",
    "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
    "GHSA-35p6-xmwp-9g52",
    "CVE-2021-44228",
    "me@a.example",
  ];
  for (const text of live) {
    assertEquals(REFERENCES.some((reference) => reference.test(text)), true, text);
    assertMatch(escapeMentions(text), /\u200b/);
  }
});

Deno.test("a link leads where it should, whatever its text and its address are", () => {
  const address = hostileText()
    .map((text) => URL.parse(text) ?? new URL("https://a.example/".concat(text.toWellFormed())))
    .filter(({ protocol }) => /^https?:$/.test(protocol));
  fc.assert(
    fc.property(hostileText(), address, (text, url) => {
      for (const link of [markdownLink(text, url), markdownTable([markdownLink(text, url)], [])]) {
        const { text: seen, elements, addresses } = rendered(link);
        assertEquals(
          elements.filter((name) => !/^(?:p|table|thead|tr|th)$/.test(name)),
          ["a"],
          link,
        );
        assertEquals(said(seen), said(text), link);
        assertEquals(addresses.map(decoded), [decoded(url.href)], link);
        assertEquals(/@\w/.test(link), false, link);
      }
    }),
  );
});

/** An address without the signs of percent-encoding, in which two that lead to the same place may differ. */
function decoded(address: string): string {
  return address.replace(
    /%([\dA-F]{2})/gi,
    (_, digits) => String.fromCharCode(parseInt(digits, 16)),
  );
}
