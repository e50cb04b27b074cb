import { cutText, fitParts, importantFirst } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, renderMessage } from "../message_text.ts";
import { type Outgoing, textByTemplate } from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import { escapeCardText, linkTarget, MARKDOWN_WHOLE, withGaps } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";

/**
 * A workflow of Microsoft Teams with the trigger "When a Teams webhook request is received"
 * (learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). The
 * query of its address is signed and stays unchanged. A connector, the predecessor of workflows, answers
 * 200 even if it could not post; its body tells.
 */
export const teams: ChannelSender = httpChannel({
  vendor: "Teams",
  requests: (outgoing) => [{
    method: "POST",
    address: outgoing.filler.address(outgoing.notification["webhook-url"] ?? ""),
    body: teamsMessage(outgoing),
  }],
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

/** Colours of a card, which follow the reader's theme. */
type CardColour = "Attention" | "Warning" | "Good" | "Accent";

interface TextRun {
  type: "TextRun";
  text: string;
  color?: CardColour;
  size?: "Large";
  weight?: "Bolder";
}

/** The elements we use (adaptivecards.io/explorer). Runs of text know no Markdown, unlike blocks. */
type CardElement =
  | { type: "TextBlock"; text: string; wrap: true; size?: "Large"; weight?: "Bolder" }
  | { type: "RichTextBlock"; inlines: TextRun[] }
  | { type: "FactSet"; facts: { title: string; value: string }[] }
  | { type: "Container"; items: CardElement[]; separator?: true };

/** A button. */
interface OpenUrl {
  type: "Action.OpenUrl";
  title: string;
  url: string;
}

const LONGEST_FALLBACK = 500;

/** An Adaptive Card; Teams shows no version above 1.5, and its mobile clients nothing newer than 1.4. */
export function cardOf(
  { headline, body, actions, mentions = [] }: {
    headline: string;
    body: CardElement[];
    actions: OpenUrl[];
    mentions?: TeamsMention[];
  },
) {
  return {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    fallbackText: cutText(headline, LONGEST_FALLBACK),
    msteams: { width: "Full", ...(mentions.length === 0 ? {} : { entities: mentions }) },
    body,
    ...(actions.length === 0 ? {} : { actions }),
  };
}

/** A text with Markdown. */
function textBlock(
  text: string,
  style: { size?: "Large"; weight?: "Bolder" } = {},
): CardElement {
  return { type: "TextBlock", text, wrap: true, ...style };
}

/** A text without Markdown. */
function richText(text: string, style: Omit<TextRun, "type" | "text"> = {}): CardElement {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text, ...style }] };
}

const COLOURS: Readonly<Record<EventText["event"]["kind"], CardColour>> = {
  down: "Attention",
  degraded: "Warning",
  up: "Good",
  notice: "Warning",
  test: "Accent",
};

const LONGEST_HEADLINE = 300;
const LONGEST_REASON = 1_000;
const LONGEST_FACT = 500;
const LONGEST_SUMMARY = 300;

/** Renders one event with all its facts. */
function eventElements({ sign, headline, reason, event, facts }: EventText): CardElement[] {
  const color = COLOURS[event.kind];
  const others = facts.filter(({ label }) => label !== "Address").map(({ label, value }) => ({
    title: label,
    value: cutText(escapeCardText(value), LONGEST_FACT, MARKDOWN_WHOLE),
  }));
  // This element is not Markdown, so an address needs no escapes and can be copied.
  const addresses = facts.filter(({ label }) => label === "Address")
    .map(({ label, value }) => richText(`${label}: ${words(value, LONGEST_FACT)}`));
  const set: CardElement = {
    type: "FactSet",
    facts: [{ title: "Since", value: moment(event.since) }, ...others],
  };
  return [
    richText(`${sign} ${words(headline, LONGEST_HEADLINE)}`, {
      color,
      size: "Large",
      weight: "Bolder",
    }),
    ...(reason === "" ? [] : [richText(words(reason, LONGEST_REASON))]),
    ...(isOfSite(event) ? [set, ...addresses] : []),
  ];
}

/** Renders one of several events. */
function summaryElement(
  { sign, headline, reason, event, links }: EventText,
): CardElement {
  const color = COLOURS[event.kind];
  const shown = links.map(({ text, address }) => `[${text}](${linkTarget(address)})`);
  return {
    type: "Container",
    separator: true,
    items: [
      richText(`${sign} ${words(headline, LONGEST_SUMMARY)}`, { color, weight: "Bolder" }),
      ...(reason === "" ? [] : [richText(words(reason, LONGEST_SUMMARY))]),
      textBlock([`Since ${moment(event.since)}`, ...shown].join(" · ")),
    ],
  };
}

/** Makes buttons of links. */
function openUrls({ links }: EventText): OpenUrl[] {
  return links.map(({ text, address }) => ({ type: "Action.OpenUrl", title: text, url: address }));
}

function words(text: string, longest: number): string {
  return cutText(withGaps(text), longest);
}

/** A moment that each reader sees in their own time zone; the functions take no fractions of seconds. */
function moment(time: string): string {
  const seconds = Temporal.Instant.from(time).toString({ smallestUnit: "second" });
  return `{{DATE(${seconds},SHORT)}} {{TIME(${seconds})}}`;
}

/** A mention of a card (learn.microsoft.com/microsoftteams/github/task-modules-and-cards/cards/cards-format). */
interface TeamsMention {
  type: "mention";
  text: string;
  mentioned: { id: string; name: string };
}

const MENTION = /<at(?:\s+id="([^"<>]*)")?\s*>([^<>]*)<\/at>/g;

/**
 * Finds the mentions in `message-template`, with secrets filled in, and rewrites them as Teams reads them:
 * `<at>jo@acme.example</at>`, or `<at id="jo@acme.example">Jo</at>` with another name. Mentions in the values
 * of an event don't count.
 */
function withMentions(
  { notification, filler }: Pick<Outgoing, "notification" | "filler">,
): { template?: string; mentions: TeamsMention[] } {
  const mentions = new Map<string, TeamsMention>();
  const template = notification["message-template"]?.replace(MENTION, (written, id, name) => {
    const shown = filler.telling(name).trim();
    const mentioned = { id: id === undefined ? shown : filler.telling(id).trim(), name: shown };
    // A placeholder would be filled with text from outside.
    if (Object.values(mentioned).some((value) => value === "" || /[$<>]/.test(value))) {
      return written;
    }
    const text = `<at>${shown}</at>`;
    mentions.set(text, { type: "mention", text, mentioned });
    return text;
  });
  return { template, mentions: [...mentions.values()] };
}

/** The payload of a workflow. */
interface TeamsMessage {
  type: "message";
  attachments: [{
    contentType: "application/vnd.microsoft.card.adaptive";
    contentUrl: null;
    content: ReturnType<typeof cardOf>;
  }];
}

/** Bytes of a message; Teams takes 28 KB, of which it needs some itself. */
const MOST_BYTES = 20_000;
const LONGEST_TEXT = 6_000;
/** Cards ignore a single line break. */
const SINGLE_BREAK = /(?<!\n)\n(?!\n)/g;

/** Renders one card, with a part for each event as far as they fit. */
function teamsMessage(outgoing: Outgoing): TeamsMessage {
  const { message, sending } = outgoing;
  const events = importantFirst(message.events);
  const { headline, events: told } = renderMessage({ ...message, events }, sending.places);
  const [only] = told.length === 1 ? told : [];
  const actions = only === undefined ? [] : openUrls(only);
  const build = (body: CardElement[], buttons: OpenUrl[] = []) =>
    wrapped({ headline, body, actions: buttons });
  const { template, mentions } = withMentions(outgoing);
  const notification = { ...outgoing.notification, "message-template": template };
  const text = textByTemplate({ ...outgoing, notification }, {
    escape: escapeCardText,
    escapeAddress: (address) => address,
    separator: "\n\n",
    longest: LONGEST_TEXT,
    whole: MARKDOWN_WHOLE,
  });
  if (text !== undefined) {
    const body = [textBlock(text.replace(SINGLE_BREAK, "\n\n"))];
    return wrapped({ headline, body, actions, mentions });
  }
  if (only !== undefined) return build(eventElements(only), actions);
  const many = (some: readonly EventText[], more?: string) =>
    build([
      textBlock(headline, { size: "Large", weight: "Bolder" }),
      ...some.map(summaryElement),
      ...more === undefined ? [] : [textBlock(more)],
    ]);
  const { parts, more } = fitParts(told, (some, rest) => bytesOf(many(some, rest)) <= MOST_BYTES);
  return many(parts, more);
}

function wrapped(
  card: Parameters<typeof cardOf>[0],
): TeamsMessage {
  return {
    type: "message",
    attachments: [{
      contentType: "application/vnd.microsoft.card.adaptive",
      contentUrl: null,
      content: cardOf(card),
    }],
  };
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
