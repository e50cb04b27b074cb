import type { Told, ToldEvent } from "../../tell.ts";
import { plainText } from "../../../text/plain_text.ts";
import { Markup, markup } from "./markup.ts";
import type { Sender } from "./plain_part.ts";
import { STYLE, TINTS } from "./style.ts";

/** A table that only arranges. */
const LAYOUT = new Markup('role="presentation" cellpadding="0" cellspacing="0" border="0"');

/** What a card says under the state of its site. */
interface Card {
  told: ToldEvent;
  body: Markup;
}

/** A message as a page that mail programs keep as it is: tables, no pictures, nothing to load. */
export function htmlPart(told: Told, sender: Sender): string {
  return page(told, told.events.map((event) => ({ told: event, body: factsOf(event) })), sender);
}

/** The same with texts of the configuration in place of our words, one for each event. */
export function htmlPartOf(told: Told, texts: readonly string[], sender: Sender): string {
  const cards = told.events.map((event, index) => ({
    told: event,
    body: markup`<p class="told">${withBreaks(texts[index] ?? "")}</p>`,
  }));
  return page(told, cards, sender);
}

function page({ headline, events }: Told, cards: readonly Card[], sender: Sender): string {
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

function factsOf({ headline, sentence, facts, links }: ToldEvent): Markup {
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
