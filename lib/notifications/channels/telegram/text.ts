import { cutText } from "../../cut_text.ts";
import { joinFitting } from "../../fit_parts.ts";
import { importantFirst } from "../../important_first.ts";
import { isOfSite } from "../../message.ts";
import { tell, type ToldEvent } from "../../tell.ts";
import { plainText } from "../../../text/plain_text.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { withGaps } from "../inert/gaps.ts";
import { escapeHtml } from "../inert/html.ts";
import { textByTemplate } from "../told_by_template.ts";

/** Telegram counts after the entities are read, so that HTML of this length always fits. */
const LONGEST = 4_096;
const LIMITS = { separator: "\n\n", longest: LONGEST };
const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 600;
const LONGEST_FACT = 500;
/** Of one of several events. */
const LONGEST_SUMMARY = 200;

/** A message as HTML; `undefined` where a template makes more of it than may be sent. */
export function telegramHtml(outgoing: Outgoing): string | undefined {
  const text = textByTemplate(outgoing, {
    ...LIMITS,
    escape: (value) => escapeHtml(withGaps(value)),
    escapeAddress: escapeHtml,
  });
  if (text !== undefined) return text.length <= LONGEST ? text : undefined;
  const told = toldEvents(outgoing);
  if (told.length === 1) return eventHtml(told[0]!);
  const { headline } = tell(outgoing.message, outgoing.sending.places);
  return joinFitting([`<b>${escapeHtml(headline)}</b>`, ...told.map(summaryHtml)], LIMITS);
}

/** A message without markup, of which Telegram finds nothing wrong. */
export function telegramText(outgoing: Outgoing): string {
  const text =
    textByTemplate(outgoing, { ...LIMITS, escape: withGaps, escapeAddress: (value) => value }) ??
      joinFitting(
        toldEvents(outgoing).map(({ sign, headline, sentence }) =>
          `${sign} ${withGaps(headline)}: ${withGaps(sentence)}`
        ),
        LIMITS,
      );
  return cutText(text, LONGEST);
}

function toldEvents({ message, sending }: Outgoing): ToldEvent[] {
  return tell({ ...message, events: importantFirst(message.events) }, sending.places).events;
}

function eventHtml({ sign, headline, reason, since, event, facts, links }: ToldEvent): string {
  const details = [{ label: "Since", value: since }, ...facts].map(({ label, value }) =>
    `${label}: ${label === "Address" ? code(value, LONGEST_FACT) : escapeHtml(value)}`
  );
  return [
    `${sign} <b>${text(headline, LONGEST_HEADLINE)}</b>`,
    ...(reason === "" ? [] : [words(reason, event.kind, LONGEST_REASON)]),
    ...(isOfSite(event) ? details : []),
    ...(links.length === 0 ? [] : [links.map(link).join(" · ")]),
  ].join("\n");
}

function summaryHtml({ sign, headline, reason, since, event, links }: ToldEvent): string {
  const why = reason === "" ? "" : `${words(reason, event.kind, LONGEST_SUMMARY)}, `;
  const first = links[0] === undefined ? "" : ` · ${link(links[0])}`;
  return `${sign} <b>${text(headline, LONGEST_SUMMARY)}</b>\n${why}since ${since}${first}`;
}

/** Words of others stand as code, in which nothing is looked for; ours as they are. */
function words(reason: string, kind: ToldEvent["event"]["kind"], longest: number): string {
  return kind === "down" || kind === "degraded" ? code(reason, longest) : text(reason, longest);
}

function text(value: string, longest: number): string {
  return escapeHtml(cutText(withGaps(value), longest));
}

function code(value: string, longest: number): string {
  return `<code>${escapeHtml(cutText(plainText(value), longest))}</code>`;
}

function link({ text, address }: ToldEvent["links"][number]): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
}
