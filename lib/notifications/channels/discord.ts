import { cutParts, cutText, fitParts } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import { EVENT_COLORS, type EventText, type MessageText, toTimeFact } from "../message_text.ts";
import { escapeMarkdown, linkTarget, MARKDOWN_WHOLE } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Language } from "../../text/language.ts";
import type { Outgoing } from "./outgoing.ts";

/**
 * A webhook of Discord (discord.com/developers/docs/resources/webhook#execute-webhook). Without `wait` a
 * message that is not kept would be no error; a query of the address, such as `thread_id`, stays.
 */
export const discord = httpChannel({
  vendor: "Discord",
  requests: (outgoing) => [{
    address: outgoing.webhookUrl(),
    query: { wait: "true" },
    body: discordMessage(outgoing),
  }],
  cures: [
    {
      says: /"code":\s*(?:10015|50027)\b/,
      cure: "the webhook was deleted: make a new one and change webhook-url",
    },
    {
      says: /"code":\s*220001\b|thread_name or thread_id/,
      cure: "the channel is a forum: add ?thread_id= and the number of a thread to webhook-url",
    },
    {
      says: /"code":\s*(?:10003|160005|50083)\b/,
      cure:
        "the channel or thread is gone, locked or archived: open it again, or change webhook-url",
    },
  ],
});

/** The title of an embed of several events of a kind; a report has its own. */
const TITLES = {
  down: "countDown",
  degraded: "countWithDegraded",
  up: "countUpAgain",
  notice: "countToNote",
  test: "countToNote",
} as const;

const LONGEST_CONTENT = 2_000;
/** In UTF-16 units; Discord takes more in all but the title, but nobody reads such long texts. */
const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 700;
const LONGEST_FIELD = 400;
/** Discord takes 4,096 characters in a description, and 6,000 in all embeds together. */
const LONGEST_LINES = 4_000;
const LONGEST_LINE = 400;

/** Renders one event with all its facts, or an embed for each kind of event. */
function discordMessage(outgoing: Outgoing) {
  const { only } = outgoing.text;
  const flags = outgoing.isWithoutSound ? WITHOUT_SOUND : undefined;
  const content = outgoing.chatText({
    // A backslash does not escape `@everyone` and `@here`.
    escape: (text) => escapeMarkdown(text).replaceAll(/@(?=everyone|here)/g, "@\u200b"),
    escapeAddress: (address) => address,
    link,
    separator: "\n",
    longest: LONGEST_CONTENT,
    whole: MARKDOWN_WHOLE,
  });
  if (content !== undefined) return { content, flags, allowed_mentions: findMentions(outgoing) };
  const embeds = only
    ? [
      cutParts((longest) => eventEmbed(only, longest, outgoing.language), isFitting, LONGEST_FIELD),
    ]
    : kindEmbeds(outgoing.text, outgoing.language);
  return { embeds, flags, allowed_mentions: { parse: [] } };
}

/** The flag SUPPRESS_NOTIFICATIONS (discord.com/developers/docs/resources/message#message-object-message-flags). */
const WITHOUT_SOUND = 1 << 12;

const MOST_MENTIONS = 100;

/**
 * Finds the mentions that the owner wrote in `message-template`; those in the values of an event don't
 * count (discord.com/developers/docs/resources/message#allowed-mentions-object).
 */
function findMentions(outgoing: Outgoing) {
  const template = outgoing.fillLeniently(outgoing.templates.join("\n"));
  const listIds = (mention: RegExp) => {
    const ids = new Set([...template.matchAll(mention)].map(([, id]) => id!));
    return ids.size === 0 ? undefined : [...ids].slice(0, MOST_MENTIONS);
  };
  return {
    parse: /@(?:everyone|here)\b/.test(template) ? ["everyone"] : [],
    users: listIds(/<@!?(\d+)>/g),
    roles: listIds(/<@&(\d+)>/g),
  };
}

/** Characters of an embed that count. */
const LONGEST_EMBED = 5_500;

function isFitting({ title, description = "", fields = [] }: ReturnType<typeof eventEmbed>) {
  const texts = [title, description, ...fields.flatMap(({ name, value }) => [name, value])];
  return texts.join("").length <= LONGEST_EMBED;
}

/** Renders one event (discord.com/developers/docs/resources/message#embed-object). */
function eventEmbed(
  { sign, headline, reason, event, times, facts, links }: EventText,
  longestField: number,
  language: Language,
) {
  const lines = [
    ...reason === "" ? [] : [escaped(reason, LONGEST_DESCRIPTION)],
    ...links.length === 0 ? [] : [links.map(link).join(" · ")],
  ];
  const time = toTimeFact(times, { show: (at) => moment(at, "f"), language });
  const ago = times.to === undefined ? ` (${moment(times.from, "R")})` : "";
  const fields = [
    { name: time.label, value: `${time.value}${ago}`, inline: true },
    ...facts.map(({ name, label, value }) => ({
      name: label,
      value: escaped(value, longestField),
      inline: name !== "address",
    })),
  ];
  return {
    title: cutText(`${sign} ${escapeMarkdown(headline)}`, LONGEST_TITLE, MARKDOWN_WHOLE),
    description: lines.join("\n") || undefined,
    color: toColor(event.kind),
    fields: isOfSite(event) ? fields : undefined,
    timestamp: event.since,
  };
}

function toColor(kind: SiteEvent["kind"]): number {
  return parseInt(EVENT_COLORS[kind].slice(1), 16);
}

/** Embeds with a line for each event, as many as fit. */
function kindEmbeds({ headline, lines, events }: MessageText, language: Language) {
  const { parts, more } = fitParts(
    lines,
    (some, rest) => [...some.map(line), rest ?? ""].join("\n").length <= LONGEST_LINES,
    language,
  );
  const kinds = [...Map.groupBy(parts, ({ event }) => event.kind)];
  return kinds.map(([kind, some], index) => ({
    title: kind === "report" ? escaped(headline, LONGEST_TITLE) : language.say(TITLES[kind], {
      COUNT: events.filter(({ event }) => event.kind === kind).length,
    }),
    color: toColor(kind),
    description: [...some.map(line), index === kinds.length - 1 ? more ?? "" : ""].join("\n")
      .trimEnd(),
  }));
}

function line({ sign, brief, event, links }: EventText): string {
  return [
    sign,
    escaped(brief, LONGEST_LINE),
    ...event.kind === "report" ? [] : [moment(event.since, "R")],
    ...links.slice(0, 1).map(link),
  ].join(" ");
}

function escaped(text: string, longest: number): string {
  return cutText(escapeMarkdown(text), longest, MARKDOWN_WHOLE);
}

/** A link of Markdown, which shows no preview. */
function link({ text, address }: EventText["links"][number]): string {
  return `[${text}](<${linkTarget(address)}>)`;
}

/** A moment that each reader sees in their own time zone. */
function moment(time: string, style: "f" | "R"): string {
  return `<t:${Math.floor(Date.parse(time) / 1000)}:${style}>`;
}
