import { cutText, fitParts, importantFirst } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { type EventText, renderMessage } from "../message_text.ts";
import { type Outgoing, textByTemplate } from "../templates.ts";
import type { ChannelSender } from "./channel.ts";
import { httpChannel } from "./http/http_channel.ts";
import { escapeMarkdown, linkTarget, MARKDOWN_WHOLE } from "./escape.ts";

/**
 * A webhook of Discord (discord.com/developers/docs/resources/webhook#execute-webhook). Without `wait` a
 * message that is not kept would be no error; a query of the address, such as `thread_id`, stays.
 */
export const discord: ChannelSender = httpChannel({
  vendor: "Discord",
  requests: (outgoing) => [{
    method: "POST",
    address: outgoing.filler.address(outgoing.notification["webhook-url"] ?? ""),
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

/** The part of an embed that we use (discord.com/developers/docs/resources/message#embed-object). */
interface DiscordEmbed {
  title: string;
  description?: string;
  url?: string;
  color: number;
  timestamp?: string;
  fields?: { name: string; value: string; inline: boolean }[];
}

export const COLOURS = {
  down: 0xc13737,
  degraded: 0xd29922,
  up: 0x2e9e5b,
  notice: 0xd29922,
  test: 0x3b82c4,
};

/** In UTF-16 units; Discord takes more in all but the title, and so long texts are read by nobody. */
const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 700;
const LONGEST_FIELD = 400;

/** Renders one event with all its facts. */
function eventEmbed(
  { sign, headline, reason, event, facts, links }: EventText,
): DiscordEmbed {
  const cut = (text: string, length: number) => cutText(text, length, MARKDOWN_WHOLE);
  const lines = [
    ...(reason === "" ? [] : [cut(escapeMarkdown(reason), LONGEST_DESCRIPTION)]),
    ...(links.length === 0 ? [] : [links.map(link).join(" · ")]),
  ];
  const since = {
    name: "Since",
    value: `${moment(event.since, "f")} (${moment(event.since, "R")})`,
    inline: true,
  };
  const others = facts.map(({ label, value }) => ({
    name: label,
    value: cut(escapeMarkdown(value), LONGEST_FIELD),
    inline: label !== "Address",
  }));
  return {
    title: cut(`${sign} ${escapeMarkdown(headline)}`, LONGEST_TITLE),
    ...(lines.length === 0 ? {} : { description: lines.join("\n") }),
    color: COLOURS[event.kind],
    ...(isOfSite(event) ? { fields: [since, ...others] } : {}),
    timestamp: event.since,
  };
}

/** A link of Markdown, which shows no preview. */
export function link({ text, address }: EventText["links"][number]): string {
  return `[${text}](<${linkTarget(address)}>)`;
}

/** A moment that each reader sees in their own time zone. */
export function moment(time: string, style: "f" | "R"): string {
  return `<t:${Math.floor(Temporal.Instant.from(time).epochMilliseconds / 1000)}:${style}>`;
}

/** Mentions that Discord turns into notifications (discord.com/developers/docs/resources/message#allowed-mentions-object). */
interface AllowedMentions {
  parse: "everyone"[];
  users?: string[];
  roles?: string[];
}

/** Discord accepts at most this many in a list. */
const MOST = 100;

/** Finds the mentions in `message-template`, with secrets filled in; those in the values of an event don't count. */
function mentionsIn(
  { notification, filler }: Pick<Outgoing, "notification" | "filler">,
): AllowedMentions {
  const template = filler.telling(notification["message-template"] ?? "");
  const numbers = (mention: RegExp) =>
    [...new Set([...template.matchAll(mention)].map(([, number]) => number!))].slice(0, MOST);
  const users = numbers(/<@!?(\d+)>/g);
  const roles = numbers(/<@&(\d+)>/g);
  return {
    parse: /@(?:everyone|here)\b/.test(template) ? ["everyone"] : [],
    ...users.length === 0 ? {} : { users },
    ...roles.length === 0 ? {} : { roles },
  };
}

/** Neutralises `@everyone` and `@here`, which a backslash does not escape. */
function withoutEveryone(text: string): string {
  return text.replaceAll(/@(?=everyone|here)/g, "@\u200b");
}

/** The payload of a webhook, with the fields that we use. */
interface DiscordMessage {
  content?: string;
  embeds?: DiscordEmbed[];
  /** Mentions from a template; names and errors notify nobody. */
  allowed_mentions: AllowedMentions;
}

const LONGEST_CONTENT = 2_000;
/** Discord takes 6,000 characters in all embeds together, and 4,096 in a description. */
const LONGEST_EMBEDS = 6_000;
const LONGEST_LINES = 4_000;
const LONGEST_LINE = 400;
/** More events than this become one line each. */
const MOST_EMBEDS = 3;

/** Renders an embed for each of a few events, or one embed for all events of a kind. */
function discordMessage(outgoing: Outgoing): DiscordMessage {
  const { message, sending } = outgoing;
  const mentions = mentionsIn(outgoing);
  const content = textByTemplate(outgoing, {
    escape: (text) => withoutEveryone(escapeMarkdown(text)),
    escapeAddress: (address) => address,
    separator: "\n",
    longest: LONGEST_CONTENT,
    whole: MARKDOWN_WHOLE,
  });
  if (content !== undefined) return { content, allowed_mentions: mentions };
  const events = importantFirst(message.events);
  const { events: told } = renderMessage({ ...message, events }, sending.places);
  const embeds = told.length <= MOST_EMBEDS ? told.map(eventEmbed) : [];
  const isShort = embeds.length > 0 && JSON.stringify(embeds).length <= LONGEST_EMBEDS;
  return { embeds: isShort ? embeds : kindEmbeds(told), allowed_mentions: { parse: [] } };
}

function kindEmbeds(told: readonly EventText[]): DiscordEmbed[] {
  const { parts, more } = fitParts(
    told,
    (some, rest) => [...some.map(line), rest ?? ""].join("\n").length <= LONGEST_LINES,
  );
  const kinds = [...Map.groupBy(parts, ({ event }) => event.kind)];
  return kinds.map(([kind, some], index) => ({
    title: `${told.filter(({ event }) => event.kind === kind).length} ${TITLES[kind]}`,
    color: COLOURS[kind],
    description: [
      ...some.map(line),
      ...more !== undefined && index === kinds.length - 1 ? [more] : [],
    ].join("\n"),
  }));
}

const TITLES = {
  down: "down",
  degraded: "with degraded performance",
  up: "up again",
  notice: "to note",
  test: "tested",
} as const;

function line({ sign, headline, reason, event, links }: EventText): string {
  const words = reason === "" ? headline : `${headline}: ${reason}`;
  const text = cutText(escapeMarkdown(words), LONGEST_LINE, MARKDOWN_WHOLE);
  const first = links[0] === undefined ? "" : ` ${link(links[0])}`;
  return `${sign} ${text} ${moment(event.since, "R")}${first}`;
}
