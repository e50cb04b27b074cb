import { assertEquals } from "@std/assert";
import { createLanguage as createSentences } from "../../lib/text/language.ts";
import { mergeMessages } from "../../lib/text/messages.ts";
import { findGraphLanguage } from "../../templates/graph/graph_times.ts";
import { renderGraph } from "../../templates/graph/graph_svg.ts";
import { monthMarkdown } from "../../templates/markdown/month_report.ts";
import { createLanguage } from "../../templates/pages/language.ts";
import { renderMoreScript } from "../../templates/pages/more_script.ts";
import type { View } from "../../templates/pages/view.ts";
import { computeMonthReport, parseMonth } from "../../lib/statistics/report/month.ts";
import { graph } from "../helpers/graphs.ts";
import { changeTexts } from "../helpers/languages.ts";
import { filesOf, pagesOf, textOf } from "../helpers/page_files.ts";
import { viewOf, type World } from "../helpers/page_world.ts";
import { type WorldName, WORLDS } from "../helpers/page_worlds.ts";
import { readmeText, readmeViewOf } from "../helpers/shown_readme.ts";

/** Every text between signs, in a language that writes dates and units without Latin letters. */
const MESSAGES = mergeMessages(changeTexts((words) => `⟦${words}⟧`));
const LANG = "ja";

const NAMES: readonly WorldName[] = [
  ...["others down", "one cause", "maintenance", "unchecked", "silent"] as const,
  ...["locations", "busy weeks", "past"] as const,
];

/** Values of people and of checks, whose letters become Greek. */
const WRITTEN = /^(?:name|text|error|description|title|updates|group)$/;
const PHASE = /^(?:Investigating|Identified|Monitoring|Resolved|Post-mortem): /;

function toGreek(text: string): string {
  const [phase = ""] = PHASE.exec(text) ?? [];
  return phase + text.slice(phase.length).replaceAll(/\(http[^)]*\)/g, "").replaceAll(
    /[a-z]/gi,
    (letter) => String.fromCodePoint(0x3b1 + letter.toLowerCase().codePointAt(0)! % 17),
  );
}

function translate(value: unknown, key = ""): unknown {
  if (typeof value === "string") return WRITTEN.test(key) ? toGreek(value) : value;
  if (Array.isArray(value)) return value.map((one) => translate(one, key));
  if (value === null || typeof value !== "object") return value;
  const own = Object.entries(value).map(([name, one]) => [name, translate(one, name)]);
  const { url, slug, name } = value as Record<string, string | undefined>;
  // A site keeps its slug, by which others name it.
  const isSite = url !== undefined && slug === undefined && name !== undefined;
  if (isSite) own.push(["slug", name.toLowerCase().replaceAll(/\W+/g, "-")]);
  return Object.fromEntries(own);
}

function worldInGreek(name: WorldName): World {
  const world = WORLDS[name] as World;
  const { maintenance: _, ...top } = world.top ?? {};
  const settings = { name: "σελίδα", lang: LANG, messages: MESSAGES, ...PUBLISHED };
  return { ...translate({ ...world, top }) as World, settings };
}

const PUBLISHED = {
  address: "https://status.example.com",
  repository: "https://git.example.com/a/b",
  commits: "https://git.example.com/a/b/commits/",
  watched: "https://git.example.com/a/b",
};

/** Names, formats and units that are the same in all languages; addresses, paths and code. */
const FIXED = [
  /https?:\/\/[^\s"<>)]+|\/feed subscribe\b|\S+\.(?:example|ics|yml|md)\b\S*/g,
  /\$[A-Z]+|\b(?:Monitor Action|monitor-action|Slack|RSS|JSON|UTC|GMT|ms|Markdown)\b/gi,
  /&(?:\w+|#\d+);/g,
];

/** Words outside of the signs. */
function bareWords(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const rest = [/⟦[^⟧]*⟧/g, ...FIXED].reduce((left, one) => left.replaceAll(one, " "), text);
    return (rest.match(/[a-z]{2,}/gi) ?? []).map((word) => `${word}: ${text.slice(0, 120)}`);
  });
  return [...new Set(words)];
}

/** Texts of a page that people see or hear: attributes too, and what the script shows. */
function textsOf(html: string): string[] {
  const body = html.replaceAll(/<style[^]*?<\/style>|<code dir="ltr">[^]*?<\/code>/g, "");
  const attributes = body.matchAll(
    / (?:title|aria-label|alt|placeholder|data-late|data-name|data-(?:day|week|month|quarter|year|all))="([^"]*)"/g,
  );
  const named = body.matchAll(
    /<meta (?:name|property)="(?:description|og:(?:title|description|site_name|image:alt))" content="([^"]*)"/g,
  );
  const scripts = [...body.matchAll(/data-live="([^"]*)"/g)].flatMap(([, json]) =>
    stringsIn(JSON.parse(json!.replaceAll("&quot;", '"').replaceAll("&amp;", "&")))
  );
  const days = [...body.matchAll(/<script type="application\/json"[^>]*>([^]*?)<\/script>/g)]
    .flatMap(([, json]) => stringsIn(JSON.parse(json!)));
  const texts = body.replaceAll(/<script[^]*?<\/script>/g, "").split(/<(?:"[^"]*"|[^>"])*>/);
  return [
    ...texts,
    ...[...attributes].map(([, text]) => text!).filter((text) => !isEncoded(text)),
    ...[...named].map(([, text]) => text!),
    ...scripts,
    ...days,
  ];
}

/** Bars as the script reads them: `20*up down12`. */
function isEncoded(text: string): boolean {
  return /^(?:(?:\d+\*)?(?:up|down|degraded|maintenance|unknown)\d* ?)+$/.test(text);
}

/** Strings in values for the script, without states, addresses and times. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") {
    const isName = /^(?:up|down|degraded|maintenance|unknown|paused|mixed)$/.test(value);
    return isName || /^\S+\.(?:json|js|html)\S*$|^\d{4}-\d\d-\d\d/.test(value) ? [] : [value];
  }
  return value === null || typeof value !== "object" ? [] : Object.values(value).flatMap(stringsIn);
}

for (const name of NAMES) {
  Deno.test(`all words of page, feeds, badges and README of "${name}" come from messages`, async () => {
    const world = worldInGreek(name);
    const view = await viewOf(world);
    const files = filesOf(view);
    const pages = pagesOf(files).filter((path) => !textOf(files, path).includes('"refresh"'));
    const texts = [
      ...pages.flatMap((path) => textsOf(textOf(files, path))),
      ...[...files.keys()].filter((path) => /(?:\.atom|\.rss|\.xml|feed\.json|\.ics)$/.test(path))
        .flatMap((path) => feedTexts(path, textOf(files, path))),
      ...[...files.keys()].filter((path) => /^api\/.*\.svg$/.test(path))
        .flatMap((path) => textsOf(textOf(files, path))),
      ...stringsIn({ ...JSON.parse(textOf(files, "embed.json")), lang: "", dir: "" }),
      ...scriptTexts(view),
    ];
    assertEquals(bareWords(texts), []);
    const readme = readmeText(await readmeViewOf(world, { language: view.language }));
    const own = readme.replace(/^# .*\n\nHow we are: /, "")
      .replaceAll(/<!--[^]*?-->|\]\([^)]*\)|(?:src|srcset|href|media)="[^"]*"/g, "")
      .replaceAll(
        /<\/?(?:details|summary|br|img|picture|source|strong|a)\b|(?:alt|width|height)=/g,
        "",
      );
    assertEquals(bareWords([own.replaceAll("&nbsp;", " ")]), []);
  });
}

function scriptTexts(view: View): string[] {
  const script = renderMoreScript(view);
  return stringsIn(JSON.parse(script.slice(script.indexOf("{"), script.indexOf(");"))));
}

function feedTexts(path: string, text: string): string[] {
  if (path.endsWith(".ics")) {
    return text.replaceAll("\r\n ", "").split("\r\n").flatMap((line) => {
      const [, value] = /^(?:SUMMARY|DESCRIPTION|NAME[^:]*|X-WR-CALNAME):(.*)$/.exec(line) ?? [];
      return value === undefined ? [] : [value.replaceAll("\\n", " ")];
    });
  }
  if (path.endsWith(".json")) {
    const { title, description, items } = JSON.parse(text);
    const own = items.flatMap((item: Record<string, string>) => [
      item["title"]!,
      ...textsOf(item["content_html"]!),
    ]);
    return [title, description, ...own];
  }
  return [...text.matchAll(/<(title|subtitle|description|content)\b[^>]*>([^<]*)</g)]
    .flatMap(([, , value]) => textsOf(value!.replaceAll("&lt;", "<").replaceAll("&gt;", ">")));
}

Deno.test("all words of a graph and of the report of a month come from messages", async () => {
  const language = createSentences(LANG, MESSAGES);
  const svg = renderGraph(
    graph("maintenance", "day", { name: "σ", timezone: "UTC" }),
    "light",
    language,
  );
  assertEquals(bareWords(textsOf(svg)), []);
  const { report } = await viewOf(worldInGreek("past"));
  const month = parseMonth("2026-11", "UTC")!;
  const text = monthMarkdown(
    computeMonthReport(report, month),
    { repository: "α/β", server: "https://git.example.com" },
    language,
  );
  assertEquals(bareWords([text.replaceAll(/\]\([^)]*\)/g, "")]), []);
});

Deno.test("a graph is in English if its font lacks characters of a language", () => {
  const found = (lang: string, text: string) =>
    findGraphLanguage(createSentences(lang, mergeMessages({ graphDay: text }))).code;
  assertEquals([found("de", "Antwortzeit, größte"), found("ja", "応答時間")], ["de", "en"]);
});

Deno.test("dates and numbers have Latin digits in every language", () => {
  for (const lang of ["ar", "hi", "fa", "bn", "my", "ar-EG-u-nu-arab"]) {
    const language = createLanguage(MESSAGES, lang, "Asia/Riyadh");
    const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
    const texts = [
      language.moment(time),
      language.day("2026-11-21"),
      language.duration(5_220),
      language.share(0.9998),
      language.milliseconds(1234),
      language.ago(90_000),
      language.number(12_345),
    ];
    assertEquals(texts.join(" ").match(/[^\P{Nd}0-9]/gv) ?? [], [], lang);
  }
});
