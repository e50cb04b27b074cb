import { ENGLISH } from "../../lib/text/english.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { World } from "./page_world.ts";

/** Sets a mark in the window of whoever executes it. */
const MARK = "window.pwned=1";

/** Texts that would have an effect if a page did not treat them as text. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${MARK}</script>`,
  `"><img src=x onerror="${MARK}"><b class="evil">`,
  `' onmouseover='${MARK}' autofocus onfocus='${MARK}`,
  `javascript:${MARK}`,
  `]]></svg></style></title></textarea><svg onload="${MARK}">`,
  `</script><script>${MARK}</script><!-- --!>`,
  `\u202egnp.exe \u2066\u2067 turned round \u202c`,
  `nul \u0000 bell \u0007 escape \u001b[31m delete \u007f`,
  `[a](javascript:${MARK}) ![b](x" onerror="${MARK}) <javascript:${MARK}> [c]: javascript:${MARK}`,
  `**broken [markdown](  \`\`\` | a | --- |\n> # <details open ontoggle=${MARK}>`,
  `data:text/html,<script>${MARK}</script>`,
  `{{constructor.constructor('${MARK}')()}} \${${MARK}} $NAME $& $1`,
  "x".repeat(5000),
  "\ud800 lone \udfff surrogates",
];

const all = HOSTILE_TEXTS.join("\n\n");
const oneOf = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length]!;

/** A page of which every text that people write is hostile. */
export const HOSTILE: World = {
  sites: HOSTILE_TEXTS.map((text, index) => ({
    keys: {
      name: text,
      slug: `site-${index + 1}`,
      url: `https://example.com/?q=${encodeURIComponent(text.toWellFormed())}`,
      group: oneOf(index + 1),
      description: oneOf(index + 2),
      icon: oneOf(index + 3),
      link: index % 2 === 0 ? oneOf(index + 4) : undefined,
      tags: [oneOf(index + 5)],
    },
    past: {
      days: 5,
      locations: index > 0 ? [] : HOSTILE_TEXTS.map((text, index) => ({
        name: plainText(text),
        failing: index % 2 === 0 ? { hours: 1, error: oneOf(index + 1) } : undefined,
      })),
      troubles: [
        { hoursAgo: 70, minutes: 30, error: oneOf(index + 6), updates: [`Resolved: ${text}`] },
        ...index % 3 === 0
          ? [{ hoursAgo: 5, error: text, updates: [`Investigating: ${all}`, oneOf(index + 1)] }]
          : [],
      ],
    },
  })),
  maintenance: HOSTILE_TEXTS.map((text, index) => ({
    name: text,
    from: index % 2 === 0 ? -1 : 24,
    until: index % 2 === 0 ? 3 : 26,
    sites: index < 3 ? [`site-${index + 1}`] : [],
    text: all,
    updates: [text],
  })),
  manual: HOSTILE_TEXTS.map((text, index) => ({
    name: text,
    hoursAgo: 2 + 30 * index,
    minutes: index % 2 === 0 ? undefined : 60,
    sites: [`site-${index + 1}`, text],
    text: all,
    updates: [`Identified: ${all}`],
  })),
  settings: {
    name: HOSTILE_TEXTS.slice(0, 3).join(" "),
    messages: {
      ...ENGLISH,
      liveStatus: oneOf(0),
      up: oneOf(1),
      down: oneOf(4),
      partialOutage: oneOf(5),
      minorOutage: oneOf(2),
      majorOutage: oneOf(1),
      checksUpTo: `$TIME ${oneOf(11)}`,
      footer: all,
    },
    links: HOSTILE_TEXTS.map((text) => ({ title: text, href: "https://example.com/" })),
    introTitle: oneOf(1),
    introMessage: all,
  },
};
