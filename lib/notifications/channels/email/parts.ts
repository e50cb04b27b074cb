import { plainText } from "../../../text/plain_text.ts";
import { latestEvents, namedHeadline } from "../../headlines.ts";
import type { EventText, MessageText } from "../../message_text.ts";
import { escapeMarkup } from "../escape.ts";

/** Text that is HTML already. */
export class Markup {
  constructor(readonly text: string) {}
}

/** Values of a template; everything but `Markup` is escaped. */
type Value = string | number | Markup | readonly Value[];

/**
 * HTML in which every value is escaped that isn't markup itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const cells = ["<b>", "&"].map((name) => markup`<td>${name}</td>`);
 * assertEquals(markup`<tr>${cells}</tr>`.text, "<tr><td>&lt;b&gt;</td><td>&amp;</td></tr>");
 * ```
 */
export function markup(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const parts = strings.map((text, index) => text + (index in values ? show(values[index]!) : ""));
  return new Markup(parts.join(""));
}

function show(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "object") return value.map(show).join("");
  return escapeMarkup(String(value));
}

/** A table that only arranges. */
const LAYOUT = new Markup('role="presentation" cellpadding="0" cellspacing="0" border="0"');

interface Card {
  told: EventText;
  body: Markup;
}

/** Renders a message as HTML for mail programs: tables, no images, no external resources. */
export function htmlPart(told: MessageText, sender: Sender): string {
  return page(told, told.events.map((event) => ({ told: event, body: factsOf(event) })), sender);
}

/** Renders the texts of `message-template` in place of our words, one for each event. */
export function htmlPartOf(told: MessageText, texts: readonly string[], sender: Sender): string {
  const cards = told.events.map((event, index) => ({
    told: event,
    body: markup`<p class="told">${withBreaks(texts[index] ?? "")}</p>`,
  }));
  return page(told, cards, sender);
}

function page({ headline, events }: MessageText, cards: readonly Card[], sender: Sender): string {
  const title = plainText(headline);
  const heading = markup`<tr><td class="title">${title}</td></tr>`;
  const rows = cards.map((card) => markup`<tr><td>${cardOf(card)}</td></tr>\n`);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
${new Markup(STYLE)}
</style>
</head>
<body>
<table ${LAYOUT} width="100%" class="back">
<tr><td align="center" class="space">
<table ${LAYOUT} width="600" class="page">
${events.length === 1 ? "" : heading}
${rows}<tr><td class="end">${closing(sender)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
}

function cardOf({ told: { event, sign }, body }: Card): Markup {
  const { word } = TINTS[event.kind];
  const changing = event.flapping !== undefined && event.kind !== "up" ? "Flapping" : word;
  const state = event.reminder ? `Still ${word.toLowerCase()}` : changing;
  return markup`<table ${LAYOUT} width="100%" class="card ${event.kind}">
<tr><td width="5" class="edge">&nbsp;</td><td class="inside"><div class="state">${sign} ${state}</div>
${body}</td></tr></table><div class="gap">&nbsp;</div>`;
}

function factsOf({ headline, sentence, facts, links }: EventText): Markup {
  const rows = facts.map(({ label, value }) =>
    markup`<tr><td class="label">${label}</td><td>${plainText(value)}</td></tr>\n`
  );
  const table = markup`<table cellpadding="0" cellspacing="0" border="0" class="facts">
${rows}</table>\n`;
  const shown = links.flatMap(({ text, address }) => linkTo(address, text) ?? []);
  return markup`<div class="name">${plainText(headline)}</div>
<p class="told">${withWholeTimes(plainText(sentence))}</p>
${rows.length === 0 ? "" : table}${
    shown.length === 0 ? "" : markup`<div class="links">${shown}</div>`
  }`;
}

function linkTo(address: string, text: string): Markup | undefined {
  const href = webAddress(address);
  return href === undefined ? undefined : markup`<a href="${href}" class="link">${text}</a> `;
}

function closing({ monitor, home = "" }: Sender): Markup {
  const name = plainText(monitor);
  const href = webAddress(home);
  const linked = href === undefined ? name : markup`<a href="${href}">${name}</a>`;
  return markup`Sent by the monitor of ${linked}`;
}

function webAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Narrow windows would else break a date at its hyphens. */
function withWholeTimes(text: string): (string | Markup)[] {
  return text.split(/(\d{4}-\d\d-\d\d \d\d:\d\d UTC)/).map((part, index) =>
    index % 2 === 0 ? part : markup`<span class="time">${part}</span>`
  );
}

function withBreaks(text: string): Markup[] {
  return text.split(/\r?\n/).map((line, index) =>
    markup`${index === 0 ? "" : markup`<br>\n`}${line.replaceAll(/\p{Cc}/gu, " ")}`
  );
}

/** The monitor as the end of a mail names it. */
interface Sender {
  monitor: string;
  home?: string;
}

/** Renders a message as plain text. */
export function plainPart(told: MessageText, sender: Sender): string {
  const { headline, events } = told;
  const parts = events.map((event) => eventLines(event).join("\n"));
  const opening = events.length === 1 ? [] : [plainText(headline)];
  return `${[...opening, ...parts].join("\n\n\n")}\n\n${plainClosing(sender)}`;
}

/** The end of every plain text; programs take what follows two dashes for a signature. */
function plainClosing({ monitor, home }: Sender): string {
  const where = home === undefined ? [] : [home];
  return ["-- ", `Sent by the monitor of ${plainText(monitor)}`, ...where, ""].join("\n");
}

function eventLines({ sign, headline, sentence, facts, links }: EventText): string[] {
  const width = Math.max(0, ...facts.map(({ label }) => label.length)) + 2;
  return [
    `${sign} ${plainText(headline)}`,
    plainText(sentence),
    ...(facts.length === 0 ? [] : [""]),
    ...facts.map(({ label, value }) => `${`${label}:`.padEnd(width)}${plainText(value)}`),
    ...(links.length === 0 ? [] : [""]),
    ...links.map(({ text, address }) => `${text}: ${plainText(address)}`),
  ];
}

/** The state of a site as a mail shows it: a word, and a colour for light and for dark. */
interface Tint {
  word: string;
  light: string;
  dark: string;
}

/** Every colour has a contrast of at least 4.5 to its card. */
export const TINTS: Readonly<Record<EventText["event"]["kind"], Tint>> = {
  down: { word: "Down", light: "#b42318", dark: "#ff8a80" },
  degraded: { word: "Degraded", light: "#8a5300", dark: "#f5b942" },
  up: { word: "Up", light: "#18794e", dark: "#5dd39e" },
  notice: { word: "Notice", light: "#8a5300", dark: "#f5b942" },
  test: { word: "Test", light: "#1f5fbf", dark: "#8ab4f8" },
};

const tints = Object.entries(TINTS);
const light = tints.map(([kind, { light }]) =>
  `.${kind} .state{color:${light}}.${kind} .edge{background:${light}}`
);
const dark = tints.map(([kind, { dark }]) =>
  `.${kind} .state{color:${dark}!important}.${kind} .edge{background:${dark}!important}`
);

/**
 * Styles of a mail. Programs that know none of them show tables of black text on white; those that know
 * no `prefers-color-scheme` show the light colours, or turn them by themselves.
 */
export const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;background:#f2f4f7;-webkit-text-size-adjust:100%}
table{border-collapse:separate;border-spacing:0}
td{font:15px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;color:#1d2939;vertical-align:top}
.back{background:#f2f4f7}
.page{width:100%;max-width:600px}
.space{padding:24px 12px}
.title{padding:0 4px 16px;font-size:20px;line-height:1.3;font-weight:600}
.card{width:100%;background:#fff;border:1px solid #d5dae1;border-radius:8px;overflow:hidden}
.gap{height:12px;font-size:0;line-height:12px}
.edge{width:5px;font-size:0;border-radius:7px 0 0 7px}
.inside{padding:16px 18px;overflow-wrap:anywhere;word-break:break-word}
.state{font-size:13px;font-weight:600}
.name{margin:2px 0 6px;font-size:18px;line-height:1.3;font-weight:600}
.told{margin:0}
.time{white-space:nowrap}
.facts{margin-top:12px;width:100%}
.facts td{padding:6px 0;border-top:1px solid #e4e7ec;font-size:14px;overflow-wrap:anywhere;word-break:break-word}
.facts .label{width:104px;padding-right:12px;color:#5b6675;overflow-wrap:normal;word-break:normal}
.links{margin-top:14px}
.link{display:inline-block;margin:4px 8px 0 0;padding:7px 14px;border:1px solid #b6bfcb;border-radius:6px;color:#1d2939;font-size:14px;font-weight:600;text-decoration:none}
.end{padding:16px 4px 0;font-size:13px;color:#5b6675;overflow-wrap:anywhere}
.end a{color:#5b6675}
${light.join("\n")}
@media (prefers-color-scheme:dark){
body,.back{background:#14171c!important}
td,.link{color:#e8ebef!important}
.card{background:#1e232a!important;border-color:#39414c!important}
.facts td{border-color:#39414c!important}
.facts .label,.end,.end a{color:#a8b1bd!important}
.link{border-color:#5a6573!important}
${dark.join("\n")}
}
`.trim();

/** Longest subject in characters; mail programs show half of it. */
const LONGEST = 150;

const GRAVITY: readonly EventText["event"]["kind"][] = ["down", "degraded", "up", "notice", "test"];

/** Finds the worst event of a message, whose symbol its subject shows. */
export function gravest(events: readonly EventText[]): EventText {
  return GRAVITY.map((kind) => events.find(({ event }) => event.kind === kind))
    .find((told) => told !== undefined)!;
}

/** Longest name of a monitor in a subject, in characters. */
const LONGEST_MONITOR = 40;

/**
 * The subject of a mail: one line, whatever the names in it hold. One about several sites names up to three
 * of them and the monitor.
 */
export function renderSubject({ headline, events }: MessageText, monitor: string): string {
  const { sign } = gravest(events);
  const last = latestEvents(events.map(({ event }) => event));
  const line = (text: string, length = LONGEST) =>
    cutAtWord(plainText(text.toWellFormed()), length);
  if (last.length === 1) return line(`${sign} ${headline}`);
  const end = ` · ${line(monitor, LONGEST_MONITOR)}`;
  return line(`${sign} ${namedHeadline(last)}`, LONGEST - [...end].length) + end;
}

/**
 * Cuts a text to at most `length` characters, between words if possible.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(cutAtWord("The shop of Jo is down", 15), "The shop of Jo…");
 * assertEquals(cutAtWord("abcdefghij", 5), "abcd…");
 * ```
 */
export function cutAtWord(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  const kept = characters.slice(0, length - 1).join("");
  if (/^\s/u.test(characters[length - 1]!)) return `${kept}…`;
  const word = kept.lastIndexOf(" ");
  return `${word > kept.length / 2 ? kept.slice(0, word) : kept}…`;
}
