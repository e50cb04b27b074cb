import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import { formatProblem } from "../../../lib/io/problem.ts";
import { LANGUAGE_CODES } from "../../../lib/text/languages/mod.ts";

/** Reads a configuration with these lines: the languages of messages and page, and the problems. */
async function read(lines: string) {
  const text = `${lines}\nsites: [{ name: Shop, url: https://shop.example }]\n`;
  const { config, problems } = await parseConfig(text);
  const { language, pages: { lang }, i18n } = config!;
  const found = problems.map((one) =>
    `${one.severity} ${formatProblem(one, "")}`.replace(" :", " ")
  );
  return { languages: `${language ?? "none"}, ${lang}`, i18n, problems: found };
}

const KNOWN = `known are ${LANGUAGE_CODES.join(", ")}`;

Deno.test("one key sets the language of everything, and others that of page, README and feeds alone", async () => {
  const cases: [lines: string, languages: string][] = [
    ["", "none, en"],
    ["language: de", "de, de"],
    ["pages: { lang: de }", "none, de"],
    ["i18n: { locale: de }", "none, de"],
    ["language: de\npages: { lang: fr }\ni18n: { locale: it }", "de, fr"],
    ["language: de\ni18n: { locale: it }", "de, it"],
    ["language: de_DE.UTF-8", "de-DE, de-DE"],
    ["language: DE-at", "de-AT, de-AT"],
    ["language: ' pt '", "pt, pt"],
    ["language: pt-PT", "pt-PT, pt-PT"],
    ["language: zh-CN", "zh-CN, zh-CN"],
    ["language: zh_hans", "zh-Hans, zh-Hans"],
    ["language: en-US", "en-US, en-US"],
    ["pages: { lang: sw }\ni18n: { up: Sawa }", "none, sw"],
    ["i18n: { locale: zh-TW, up: 正常 }", "none, zh-TW"],
  ];
  for (const [lines, languages] of cases) {
    assertEquals(await read(lines), { ...await read(lines), languages, problems: [] }, lines);
  }
});

Deno.test("an unknown language is ignored with one warning, which names the nearest and all known ones", async () => {
  const cases: [lines: string, warning: string, languages?: string][] = [
    ["language: sw", '1:1 language: unknown language "sw": English is used'],
    ["language: nb", '1:1 language: unknown language "nb": English is used'],
    ...[
      ["dee", "dee", "de (German)"],
      ["German", "german", "de (German)"],
      ["deutsch", "deutsch", "de (German)"],
      ["portugese", "portugese", "pt-BR (Portuguese)"],
      ["Français", "Français", "fr (French)"],
      ["中文", "中文", "zh (Chinese)"],
      ["zh-TW", "zh-TW", "zh (Chinese)"],
      ["cn", "cn", "zh (Chinese)"],
      ["jp", "jp", "ja (Japanese)"],
    ].map(([written, tag, near]): [string, string] => [
      `language: ${written}`,
      `1:1 language: unknown language "${tag}", did you mean ${near}? English is used`,
    ]),
    ["pages: { lang: sw }", '1:10 pages.lang: unknown language "sw": English is used'],
    ["i18n: { locale: sw }", '1:9 i18n.locale: unknown language "sw": English is used'],
    [
      "language: fr\npages: { lang: sw }",
      '2:10 pages.lang: unknown language "sw": French is used',
      "fr, fr",
    ],
    [
      "i18n: { locale: english, up: Up }",
      '1:9 i18n.locale: unknown language "english", did you mean en (English)? English is used',
    ],
    [
      "language: sw\ni18n: { up: Sawa }",
      '1:1 language: unknown language "sw": messages and issues are in English',
      "none, sw",
    ],
  ];
  for (const [lines, warning, languages = "none, en"] of cases) {
    const { languages: used, problems } = await read(lines);
    assertEquals([problems, used], [[`warning ${warning}; ${KNOWN}`], languages], lines);
  }
});

Deno.test("a value that is no language is an error, and everything stays English", async () => {
  const expected = "expected a language such as en or pt-BR, found";
  const cases: [lines: string, problem: string][] = [
    ["language: 5", `error 1:1 language: ${expected} 5`],
    ["language: ''", `error 1:1 language: ${expected} ""`],
    ["language: [de]", `error 1:1 language: ${expected} a list`],
    ["language: wie bitte", `error 1:1 language: ${expected} "wie bitte"`],
    ["pages: { lang: 5 }", `error 1:10 pages.lang: ${expected} 5`],
    ["i18n: { locale: [de] }", `warning 1:9 i18n.locale: ${expected} a list; it is ignored`],
  ];
  for (const [lines, problem] of cases) {
    const { languages, problems } = await read(lines);
    assertEquals([problems, languages], [[problem], "none, en"], lines);
  }
});

Deno.test("own texts are checked for their keys, placeholders and plural forms in their language", async () => {
  const two = 'serviceCount.one: "$COUNT site"\n  serviceCount.other: "$COUNT sites"';
  const cases: [lines: string, ...problems: string[]][] = [
    [`i18n:\n  ${two}`],
    ['language: ja\ni18n:\n  serviceCount.other: "$COUNT 件"'],
    [
      'language: fr\ni18n:\n  serviceCount.one: "$COUNT site"\n  serviceCount.other: "$COUNT sites"',
    ],
    ["i18n:\n  serviceCount.one: One site\n  serviceCount.other: $COUNT sites"],
    [
      "language: fr\ni18n:\n  serviceCount.one: Un site\n  serviceCount.other: Des sites",
      "notice 4:3 i18n.serviceCount.other: lacks $COUNT",
    ],
    [
      'i18n:\n  serviceCount.other: "$COUNT sites"',
      "warning 2:3 i18n.serviceCount.other: is one of several plural forms: write serviceCount.one as well",
    ],
    [
      `language: pl\ni18n:\n  ${two}`,
      "warning 3:3 i18n.serviceCount.one: is one of several plural forms: write serviceCount.few, serviceCount.many as well",
    ],
    [
      `i18n:\n  ${two}\n  serviceCount.few: "$COUNT sites"`,
      'warning 4:3 i18n.serviceCount.few: has no effect: the plural forms in "en" are one, other',
    ],
    [
      'language: pl\ni18n:\n  serviceCount: "$COUNT serwisy"',
      "warning 3:3 i18n.serviceCount: has a text for each plural form: write serviceCount.one, serviceCount.few, serviceCount.many",
    ],
    [
      "i18n:\n  serviceCountOne: 1 site",
      'notice 2:3 i18n.serviceCountOne: unknown text, did you mean "serviceCount.one"?',
    ],
    [
      "i18n:\n  checksUpTo: Checked\n  navIncident: Outages\n  weather: Sunny\n  liveStatusHtmlComment: <!-- x -->",
      "notice 1:1 i18n: 1 text is not used: weather",
      "notice 2:3 i18n.checksUpTo: lacks $TIME",
      'notice 3:3 i18n.navIncident: unknown text, did you mean "navIncidents"?',
    ],
  ];
  for (const [lines, ...problems] of cases) {
    assertEquals((await read(lines)).problems, problems, lines);
  }
});
