import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  allowAddresses,
  markdownToHtml,
  sanitizeHtml,
} from "../../../templates/pages/markdown.tsx";
import { hostileText } from "../../helpers/hostile_text.ts";
import { allElements, elementsOf, wordsOf } from "../../helpers/html.ts";
import fc from "../../helpers/property.ts";

const OPTIONS = {
  addresses: allowAddresses(
    (path) => path.endsWith(".png") ? `../../${path}` : undefined,
    ["img.example"],
  ),
  under: 3,
  tableLabel: "Table",
  prefix: "u1-",
};
const WORDS = { title: "Footnotes", back: (number: number) => `Back to ${number}` };

function allowed(markdown: string): string {
  return sanitizeHtml(markdownToHtml(markdown, WORDS).html, OPTIONS);
}

/** Allowed elements with their attributes. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ["p", "br", "hr", "blockquote", "ul", "pre", "code", "em", "strong", "del", "sup"].map((
      name,
    ) => [name, []]),
  ),
  ...Object.fromEntries(
    ["table", "thead", "tbody", "tr", "h4", "h5", "h6"].map((one) => [one, []]),
  ),
  ol: ["start"],
  li: ["id"],
  th: ["class"],
  td: ["class"],
  div: ["class", "role", "tabindex", "aria-label"],
  a: ["href", "rel", "id", "aria-label"],
  img: ["src", "alt", "loading"],
};

/** Disallowed contents of a page. */
function offences(html: string): string[] {
  return allElements(html).flatMap(({ name, attribs }) => {
    const known = ELEMENTS[name];
    if (known === undefined) return [name];
    const wrong = Object.keys(attribs).filter((one) => !known.includes(one));
    const { href, src, rel } = attribs;
    const isLink = href === undefined || href.startsWith("#u1-") ||
      (/^(?:https?:\/\/|mailto:|\.\.\/\.\.\/)/i.test(href) &&
        rel === "nofollow ugc noopener noreferrer");
    const isPicture = src === undefined || /^(?:https:\/\/img\.example\/|\.\.\/\.\.\/)/.test(src);
    return [...wrong, ...isLink ? [] : [`href ${href}`], ...isPicture ? [] : [`src ${src}`]];
  });
}

// From the OWASP Cross Site Scripting Prevention and Filter Evasion cheat sheets, and ways of Markdown.
const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><animate onbegin=alert(1)>",
  "<iframe src=javascript:alert(1)></iframe>",
  "<a href=javascript:alert(1)>x</a>",
  "<style>@import'https://evil.example'</style><link rel=stylesheet href=https://evil.example>",
  "<base href=https://evil.example><meta http-equiv=refresh content=0>",
  "<form action=https://evil.example><input type=image src=x><button>x</button></form>",
  "<details open ontoggle=alert(1)><math><mtext></p><p title='</math><img src=x onerror=alert(1)>'>",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?php echo 1 ?><!DOCTYPE html><plaintext>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java&#x0A;script:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](vbscript:msgbox(1)) [x](data:text/html,<script>alert(1)</script>) [x](file:///etc/passwd)",
  "[x](//evil.example) [x](/\\evil.example) [x](\\\\evil.example) [x](https:evil.example)",
  "[x](<javascript:alert(1)>) <javascript:alert(1)> <data:text/html,x>",
  '[x]\n\n[x]: javascript:alert(1) "title"',
  '[x](https://a.example "onmouseover=\'alert(1)\'") [x](https://a.example"onmouseover="alert(1))',
  "![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg/onload=alert(1)>) ![x](http://img.example/a)",
  "![x](https://img.example@evil.example/a) ![x](https://img.example.evil.example/a) ![x](https://evil.example/img.example)",
  '![" onerror="alert(1)](https://img.example/a.png)',
  "![x](../../a.png) ![x](%2e%2e/a.png) ![x](..%2fa.png) ![x](a/../../b.png) ![x](/a.png) ![x](a.png?b) ![x](a.png#b)",
  '```js"><script>alert(1)</script>\nx\n```',
  "~~~~</code></pre><script>alert(1)</script>",
  "[^<script>]\n\n[^<script>]: <img src=x onerror=alert(1)>",
  "|<script>|\n|:-:|\n|</td></table><script>alert(1)</script>|",
  "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
  "- [x] <input autofocus onfocus=alert(1)>",
  "{{constructor.constructor('alert(1)')()}} ${alert(1)} <%= 1 %>",
];

Deno.test("sanitized Markdown of strangers contains nothing harmful", () => {
  for (const attack of ATTACKS) {
    for (const text of [attack, `> - ${attack}`, `# ${attack}`, `**${attack}**`]) {
      assertEquals(offences(allowed(text)), [], text);
    }
  }
});

Deno.test("any Markdown renders only allowed elements with allowed attributes", () => {
  fc.assert(
    fc.property(hostileText(), fc.constantFrom(...ATTACKS), (text, attack) => {
      assertEquals(offences(allowed(text + attack + text)), []);
    }),
  );
});

Deno.test("even HTML that is not from Markdown is sanitized", () => {
  for (const html of ATTACKS) assertEquals(offences(sanitizeHtml(html, OPTIONS)), [], html);
});

Deno.test("heading levels continue below the page's heading without gaps", () => {
  const names = (text: string) => [...allowed(text).matchAll(/<(h\d)>/g)].map(([, name]) => name);
  assertEquals(names("# a\n### b\n## c\n# d"), ["h4", "h5", "h5", "h4"]);
  assertEquals(names("###### a\n# b\n## c\n### d\n#### e"), ["h4", "h4", "h5", "h6", "h6"]);
  assertEquals(names("#\n\n# a"), ["h4"]);
});

Deno.test("pictures are shown from hosts that are allowed and from the page, others are links", () => {
  const html = allowed(
    "![A](https://img.example/a.png) ![B](https://b.example/b.png) ![](https://b.example/c.png) ![D](d.png) ![E](e.txt)",
  );
  assertEquals(
    elementsOf(html, "img").map(({ attribs }) => attribs),
    [
      { src: "https://img.example/a.png", alt: "A", loading: "lazy" },
      { src: "../../d.png", alt: "D", loading: "lazy" },
    ],
  );
  assertEquals(elementsOf(html, "a").map((one) => [one.attribs["href"], wordsOf(one)]), [
    ["https://b.example/b.png", "B"],
    ["https://b.example/c.png", "https://b.example/c.png"],
  ]);
  assertMatch(html, /E<\/p>/);
  const linked = allowed("[![B](https://b.example/b.png)](https://a.example)");
  assertEquals(elementsOf(linked, "a").map(wordsOf), ["B"]);
});

Deno.test("a link without text shows its target, and empty cells and headings are no headings", () => {
  assertMatch(allowed("[](https://a.example/)"), />https:\/\/a\.example\/<\/a>/);
  const table = allowed("|a||\n|-|-:|\n|1|2|");
  assertEquals(elementsOf(table, "th").map(wordsOf), ["a"]);
  assertEquals(elementsOf(table, "td").length, 3);
});

Deno.test("task lists show their state as signs, and tables can be scrolled by keyboard", () => {
  assertMatch(allowed("- [ ] a\n- [x] b"), /☐ a[\s\S]*☑ b/);
  const [around] = elementsOf(allowed("|a|\n|-|\n|1|"), ".scroll");
  assertEquals([around!.attribs["tabindex"], around!.attribs["aria-label"]], ["0", "Table"]);
});

Deno.test("ids of footnotes are unique on the page", () => {
  const html = allowed("a[^x] b[^x] c[^y] [d](#fn-x)\n\n[^x]: X\n[^y]: Y");
  const ids = [...html.matchAll(/ id="(.*?)"/g)].map(([, id]) => id);
  const links = [...html.matchAll(/href="#(.*?)"/g)].map(([, id]) => id!);
  assertEquals(new Set(ids).size, ids.length);
  assert(ids.every((id) => /^u1-\d+$/.test(id!)), ids.join());
  assertEquals(links.filter((id) => !ids.includes(id)), []);
});

Deno.test("bidirectional control characters are removed, also from character references", () => {
  const html = allowed("a\u202eb &#x202e;c &#8238;d ![\u2066e&#x2066;](https://img.example/a.png)");
  assertEquals(html.match(/[\u202a-\u202e\u2066-\u2069]/gu), null);
});

Deno.test("quotes and lists that are nested very deep give their words alone", () => {
  for (const text of [`${"> ".repeat(600)}deep`, `${"- ".repeat(300)}deep`]) {
    const html = allowed(text);
    assert((html.match(/<(?:blockquote|ul)>/g) ?? []).length <= 8);
    assertMatch(html, /deep/);
    assertEquals(offences(html), []);
  }
});

Deno.test("very long texts and those full of marks are cut, and say so", () => {
  const prose = markdownToHtml("A cable was cut. ".repeat(3_000), WORDS);
  assertEquals([prose.isCut, prose.html.length > 15_000, prose.html.length < 20_100], [
    true,
    true,
    true,
  ]);
  for (const part of ["[", "*a_", "<", "`a``", "> ", "]", "a\n=\n", "1) ", "[](", "&", "|"]) {
    const { html, isCut } = markdownToHtml(part.repeat(60_000 / part.length), WORDS);
    assertEquals(isCut, true, part);
    assert(html.length < 100_000, part);
  }
  assertEquals(markdownToHtml("A *short* one.", WORDS), {
    html: "<p>A <em>short</em> one.</p>",
    isCut: false,
  });
});
