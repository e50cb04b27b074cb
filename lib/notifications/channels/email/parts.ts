import { type EventText, type MessageText, sayLink } from "../../message_text.ts";
import { parseWebAddress } from "../../../text/safe_parse.ts";
import { column, textWidth } from "../../../text/columns.ts";
import type { Language } from "../../../text/language.ts";
import type { MessageKey } from "../../../text/messages.ts";
import { withReason } from "../../recorded_words.ts";
import { escapeMarkup } from "../escape.ts";

/** The monitor as the end of a mail names it. */
interface Sender {
  monitor: string;
  home?: string;
  language: Language;
}

/** Renders a message as text. `texts` are the configured ones, which replace the usual text of their events. */
export function plainPart(
  message: MessageText,
  { monitor, home, language }: Sender,
  texts: readonly (string | undefined)[],
): string {
  const { say, isolate } = language;
  const { headline, events } = message;
  if (events.every((_, index) => texts[index] !== undefined)) return texts.join("\n\n");
  const parts = listParts(message, texts).map(
    ({ sign, headline, sentence, facts, links, event: { body } }, index) => {
      const own = texts[index];
      if (own !== undefined) return own;
      const rows = facts.map(({ label, value }) => ({
        start: withReason(label, " ", language).trimEnd(),
        value,
      }));
      const width = Math.max(0, ...rows.map(({ start }) => textWidth(start))) + 1;
      return [
        `${sign} ${headline}\n${sentence}`,
        rows.map(({ start, value }) => column(start, width) + value).join("\n"),
        body === undefined ? "" : `${say("startOfAnswer")}\n\n${body.replaceAll(/^/gm, "    ")}`,
        links.map((link) => sayLink(link, language)).join("\n"),
      ].filter((part) => part !== "").join("\n\n");
    },
  );
  const opening = parts.length === 1 ? [] : [headline];
  // Programs take what follows two dashes for a signature.
  const sent = say("sentBy", { NAME: isolate(monitor) });
  const closing = ["-- ", sent, ...home === undefined ? [] : [home]];
  return `${[...opening, ...parts].join("\n\n\n")}\n\n${closing.join("\n")}\n`;
}

/** The parts of a mail: equal errors are one, unless events have texts of their own. */
function listParts(
  { events, lines }: MessageText,
  texts: readonly (string | undefined)[],
): EventText[] {
  return texts.every((text) => text === undefined) ? lines : events;
}

/** Text that is HTML already. */
class Markup {
  constructor(readonly text: string) {}
}

/** Values of a template; everything but `Markup` is escaped. */
type Value = string | Markup | readonly Value[];

/** HTML in which every value is escaped that isn't markup itself. */
function markup(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const show = (value: Value): string => {
    if (value instanceof Markup) return value.text;
    return typeof value === "string" ? escapeMarkup(value) : value.map(show).join("");
  };
  return new Markup(strings.map((text, index) => text + show(values[index] ?? "")).join(""));
}

/** A table that only arranges. */
const LAYOUT = new Markup('role="presentation" cellpadding="0" cellspacing="0" border="0"');

/**
 * Renders a message as HTML for mail programs: tables, no images, no external resources. `texts` are
 * the configured ones, which replace the usual text of their events.
 */
export function htmlPart(
  message: MessageText,
  { monitor, home = "", language }: Sender,
  texts: readonly (string | undefined)[],
): string {
  const { headline } = message;
  const rows = listParts(message, texts).map((event, index) => {
    const text = texts[index];
    const body = text === undefined
      ? eventBody(event, language)
      : markup`<p class="text">${withBreaks(text)}</p>`;
    return markup`<tr><td>${toCard(event, body, language)}</td></tr>\n`;
  });
  const direction = new Markup(language.isRightToLeft ? ' dir="rtl"' : "");
  return markup`<!doctype html>
<html lang="${language.code}"${direction}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${headline}</title>
<style>
${new Markup(STYLE + (language.isRightToLeft ? MIRRORED : ""))}
</style>
</head>
<body>
<table ${LAYOUT} width="100%" class="back"${direction}>
<tr><td align="center" class="space">
<table ${LAYOUT} width="600" class="page">
${rows.length === 1 ? "" : markup`<tr><td class="title">${headline}</td></tr>`}
${rows}<tr><td class="end">${
    language.sayParts<Markup>("sentBy", { NAME: linkTo(home, monitor) ?? monitor })
  }</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.text;
}

function toCard({ event, sign }: EventText, body: Markup, { say }: Language): Markup {
  const { kind, flapping, reminder } = event;
  const isFlapping = flapping !== undefined && kind !== "up";
  const { word, still = word }: { word: MessageKey; still?: MessageKey } = TINTS[kind];
  const state = say(reminder ? still : isFlapping ? "mailFlapping" : word);
  return markup`<table ${LAYOUT} width="100%" class="card ${event.kind}">
<tr><td width="5" class="edge">&nbsp;</td><td class="inside"><div class="state">${sign} ${state}</div>
${body}</td></tr></table><div class="gap">&nbsp;</div>`;
}

function eventBody(
  { headline, sentence, facts, links, event: { body } }: EventText,
  { say }: Language,
): Markup {
  const rows = facts.map(({ label, value }) =>
    markup`<tr><td class="label">${label}</td><td>${value}</td></tr>\n`
  );
  const table = markup`<table cellpadding="0" cellspacing="0" border="0" class="facts">
${rows}</table>\n`;
  const shown = links.flatMap(({ text, address }) => linkTo(address, text, "link") ?? []);
  return markup`<div class="name">${headline}</div>
<p class="text">${sentence}</p>
${rows.length === 0 ? "" : table}${
    body === undefined
      ? ""
      : markup`<p class="text">${say("startOfAnswer")}</p><pre class="answer">${body}</pre>`
  }${shown.length === 0 ? "" : markup`<div class="links">${shown}</div>`}`;
}

/** A link to the web; `undefined` for other addresses. */
function linkTo(address: string, text: string, style = "plain"): Markup | undefined {
  const url = parseWebAddress(address);
  if (url === undefined) return undefined;
  return markup`<a href="${url.href}" class="${style}">${text}</a> `;
}

function withBreaks(text: string): Value[] {
  return text.split(/\r?\n/).map((line, index) => [
    index === 0 ? "" : markup`<br>\n`,
    line.replaceAll(/\p{Cc}/gu, " "),
  ]);
}

/** Texts of the states, and colors with a contrast of at least 4.5 to a light and a dark card. */
export const TINTS = {
  down: { word: "mailDown", still: "mailStillDown", light: "#b42318", dark: "#ff8a80" },
  degraded: {
    word: "mailDegraded",
    still: "mailStillDegraded",
    light: "#8a5300",
    dark: "#f5b942",
  },
  up: { word: "mailUp", light: "#18794e", dark: "#5dd39e" },
  notice: { word: "mailNotice", light: "#8a5300", dark: "#f5b942" },
  report: { word: "mailReport", light: "#1f5fbf", dark: "#8ab4f8" },
  test: { word: "mailTest", light: "#1f5fbf", dark: "#8ab4f8" },
} as const;

const renderTints = (scheme: "light" | "dark", important: string) =>
  Object.entries(TINTS).map(([kind, { [scheme]: color }]) =>
    `.${kind} .state{color:${color}${important}}.${kind} .edge{background:${color}${important}}`
  ).join("\n");

/**
 * Styles of a mail. Programs that know none of them show tables of black text on white; those that know
 * no `prefers-color-scheme` show the light colors, or turn them by themselves.
 */
const STYLE = `
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
.text{margin:0}
.facts{margin-top:12px;width:100%}
.facts td{padding:6px 0;border-top:1px solid #e4e7ec;font-size:14px;overflow-wrap:anywhere;word-break:break-word}
.facts .label{width:104px;padding-right:12px;color:#5b6675;overflow-wrap:normal;word-break:normal}
.answer{margin:6px 0 0;padding:8px 10px;border:1px solid #e4e7ec;border-radius:6px;font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;word-break:break-word}
.links{margin-top:14px}
.link{display:inline-block;margin:4px 8px 0 0;padding:7px 14px;border:1px solid #b6bfcb;border-radius:6px;color:#1d2939;font-size:14px;font-weight:600;text-decoration:none}
.end{padding:16px 4px 0;font-size:13px;color:#5b6675;overflow-wrap:anywhere}
.end a{color:#5b6675}
${renderTints("light", "")}
@media (prefers-color-scheme:dark){
body,.back{background:#14171c!important}
td,.link{color:#e8ebef!important}
.card{background:#1e232a!important;border-color:#39414c!important}
.facts td,.answer{border-color:#39414c!important}
.facts .label,.end,.end a{color:#a8b1bd!important}
.link{border-color:#5a6573!important}
${renderTints("dark", "!important")}
}
`.trim();

/** Styles that right-to-left mails have on the other side. */
const MIRRORED = `
.edge{border-radius:0 7px 7px 0}
.facts .label{padding-right:0;padding-left:12px}
.answer{direction:ltr;text-align:left}
.link{margin:4px 0 0 8px}`;
