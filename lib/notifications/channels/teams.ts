import { cutText, fitParts } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, sayFact, toTimeFact } from "../message_text.ts";
import type { Language } from "../../text/language.ts";
import { escapeCardText, linkTarget, MARKDOWN_WHOLE, withGaps } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * A workflow of Microsoft Teams with the trigger "When a Teams webhook request is received"
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). The
 * query of its address is signed and stays unchanged. A connector, the predecessor of workflows, answers
 * 200 even if it could not post; its body says so.
 */
export const teams = httpChannel({
  vendor: "Teams",
  requests: (outgoing) => [{ address: outgoing.webhookUrl(), body: teamsMessage(outgoing) }],
  statusOf({ status, body }) {
    if (status !== 200 || !/\b(?:error|failed)\b/i.test(body)) return status;
    return Number(/HTTP error (\d{3})/i.exec(body)?.[1] ?? 400);
  },
  cures: [
    {
      says: /WorkflowTriggerIsNotEnabled|WorkflowNotActivated|TriggerDisabled/,
      cure: "the workflow is turned off: turn it on in Teams or Power Automate",
    },
    {
      says: /DirectApiAuthorizationRequired|InvalidTemplateToken|AuthorizationFailed|signature/i,
      cure:
        "the address is not complete, or anyone must be allowed to trigger the workflow: copy the whole of it anew, in quotes, to webhook-url",
    },
    {
      says: /WorkflowNotFound|Invalid webhook URL|connector configuration/i,
      cure: "the workflow or connector was deleted: make a new workflow and change webhook-url",
    },
  ],
});

/** Colors of a card, which follow the reader's theme. */
const COLORS = {
  down: "Attention",
  degraded: "Warning",
  up: "Good",
  notice: "Warning",
  report: "Accent",
  test: "Accent",
} as const;
const TITLE = { size: "Large", weight: "Bolder" } as const;

/** In UTF-16 units. */
const LONGEST_FALLBACK = 500;
const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 1_000;
const LONGEST_FACT = 500;
const LONGEST_SUMMARY = 300;
const LONGEST_TEXT = 6_000;
/** Bytes of a message; Teams takes 28 KB, of which it needs some itself. */
const MOST_BYTES = 20_000;
/** Cards ignore a single line break. */
const SINGLE_BREAK = /(?<!\n)\n(?!\n)/g;

/** Renders one card, with a part for each event as far as they fit. */
function teamsMessage(outgoing: Outgoing) {
  const { language, text: { headline, lines, only } } = outgoing;
  const buttons = only?.links.map(({ text: title, address: url }) => (
    { type: "Action.OpenUrl", title, url }
  ));
  const mentions = new Map<string, unknown>();
  const text = outgoing.chatText({
    adapt: (template) => adaptMentions(template, outgoing, mentions),
    link: ({ text, address }) => `[${text}](${linkTarget(address)})`,
    escape: escapeCardText,
    escapeAddress: (address) => address,
    separator: "\n\n",
    longest: LONGEST_TEXT,
    whole: MARKDOWN_WHOLE,
  });
  if (text !== undefined) {
    const body = [textBlock(text.replace(SINGLE_BREAK, "\n\n"))];
    const links = outgoing.isShort ? undefined : buttons;
    return toMessage(headline, body, links, [...mentions.values()]);
  }
  if (only !== undefined) return toMessage(headline, eventElements(only, language), buttons);
  const toDigest = (some: readonly EventText[], more?: string) =>
    toMessage(headline, [
      textBlock(escapeCardText(headline), TITLE),
      ...some.map((one) => summaryElement(one, language)),
      ...more === undefined ? [] : [textBlock(more)],
    ]);
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
  const { parts, more } = fitParts(
    lines,
    (some, rest) => bytesOf(toDigest(some, rest)) <= MOST_BYTES,
    language,
  );
  return toDigest(parts, more);
}

/** An Adaptive Card; Teams shows no version above 1.5, and its mobile clients nothing newer than 1.4. */
function toMessage(headline: string, body: unknown[], actions?: unknown[], entities?: unknown[]) {
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: {
        $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
        type: "AdaptiveCard",
        version: "1.4",
        fallbackText: cutText(headline, LONGEST_FALLBACK),
        msteams: { width: "Full", entities: entities?.length === 0 ? undefined : entities },
        body,
        actions: actions?.length === 0 ? undefined : actions,
      },
    }],
  };
}

function eventElements(
  { sign, headline, reason, event, times, facts }: EventText,
  language: Language,
): unknown[] {
  const { label: title, value } = toTimeFact(times, { show: moment, language });
  const { rows = [], addresses = [] } = Object.groupBy(
    facts,
    ({ name }) => name === "address" ? "addresses" : "rows",
  );
  const shown = rows.map(({ label: title, value }) => (
    { title, value: cutText(escapeCardText(value), LONGEST_FACT, MARKDOWN_WHOLE) }
  ));
  return [
    richText(`${sign} ${words(headline, LONGEST_HEADLINE)}`, {
      color: COLORS[event.kind],
      ...TITLE,
    }),
    ...reason === "" ? [] : [richText(words(reason, LONGEST_REASON))],
    ...isOfSite(event)
      ? [
        { type: "FactSet", facts: [{ title, value }, ...shown] },
        // This element is not Markdown, so an address needs no escapes and can be copied.
        ...addresses.map((fact) =>
          richText(sayFact({ ...fact, value: words(fact.value, LONGEST_FACT) }, language))
        ),
      ]
      : [],
  ];
}

function summaryElement(
  { sign, headline, reason, event, times, links }: EventText,
  language: Language,
) {
  const { say } = language;
  const when = times.to === undefined
    ? say("sinceMomentAlone", { TIME: moment(times.from) })
    : toTimeFact(times, { show: moment, language }).value;
  const shown = links.map(({ text, address }) => `[${text}](${linkTarget(address)})`);
  const time = event.kind === "report" ? [] : [when];
  return {
    type: "Container",
    separator: true,
    items: [
      richText(`${sign} ${words(headline, LONGEST_SUMMARY)}`, {
        color: COLORS[event.kind],
        weight: "Bolder",
      }),
      ...reason === "" ? [] : [richText(words(reason, LONGEST_SUMMARY))],
      ...time.length + shown.length === 0 ? [] : [textBlock([...time, ...shown].join(" · "))],
    ],
  };
}

/** A text with Markdown (adaptivecards.io/explorer). */
function textBlock(text: string, style: object = {}) {
  return { type: "TextBlock", text, wrap: true, ...style };
}

function richText(text: string, style: object = {}) {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}

function words(text: string, longest: number): string {
  return cutText(withGaps(text), longest);
}

/** A moment that each reader sees in their own time zone; the functions take no fractions of seconds. */
function moment(time: string): string {
  const seconds = Temporal.Instant.from(time).toString({ smallestUnit: "second" });
  return `{{DATE(${seconds},SHORT)}} {{TIME(${seconds})}}`;
}

const MENTION = /<at(?:\s+id="([^"<>]*)")?\s*>([^<>]*)<\/at>/g;

/**
 * Adds the mentions that the owner wrote in a configured text to `mentions` and rewrites them as Teams reads them
 * (learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format):
 * `<at>jo@acme.example</at>`, or `<at id="jo@acme.example">Jo</at>` with another name. Mentions in the values
 * of an event don't count.
 */
function adaptMentions(
  template: string,
  outgoing: Outgoing,
  mentions: Map<string, unknown>,
): string {
  return template.replace(
    MENTION,
    (written, id: string | undefined, shown: string) => {
      const name = outgoing.fillLeniently(shown).trim();
      const mentioned = { id: id === undefined ? name : outgoing.fillLeniently(id).trim(), name };
      // A placeholder would be filled with text from outside.
      const isUnsafe = Object.values(mentioned).some((text) => text === "" || /[$<>]/.test(text));
      if (isUnsafe) return written;
      const text = `<at>${name}</at>`;
      mentions.set(text, { type: "mention", text, mentioned });
      return text;
    },
  );
}
