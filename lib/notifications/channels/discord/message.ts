import { cutText } from "../../cut_text.ts";
import { fitParts } from "../../fit_parts.ts";
import { importantFirst } from "../../important_first.ts";
import { tell, type ToldEvent } from "../../tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { escapeMarkdown, MARKDOWN_WHOLE } from "../inert/markdown.ts";
import { textByTemplate } from "../told_by_template.ts";
import { type AllowedMentions, mentionsIn, withoutEveryone } from "./mentions.ts";
import { COLOURS, type DiscordEmbed, eventEmbed, link, moment } from "./embed.ts";

/** What a webhook is sent, as far as we use it. */
export interface DiscordMessage {
  content?: string;
  embeds?: DiscordEmbed[];
  /** Those that the owner wrote in a template; a name or an error notifies nobody. */
  allowed_mentions: AllowedMentions;
}

const LONGEST_CONTENT = 2_000;
/** Discord takes 6,000 characters in all embeds together, and 4,096 in a description. */
const LONGEST_EMBEDS = 6_000;
const LONGEST_LINES = 4_000;
const LONGEST_LINE = 400;
/** More events than this are told in a line each. */
const MOST_EMBEDS = 3;

/** What Discord is told: an embed for each of a few events, or one for all of many of a kind. */
export function discordMessage(outgoing: Outgoing): DiscordMessage {
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
  const { events: told } = tell({ ...message, events }, sending.places);
  const embeds = told.length <= MOST_EMBEDS ? told.map(eventEmbed) : [];
  const isShort = embeds.length > 0 && JSON.stringify(embeds).length <= LONGEST_EMBEDS;
  return { embeds: isShort ? embeds : kindEmbeds(told), allowed_mentions: { parse: [] } };
}

function kindEmbeds(told: readonly ToldEvent[]): DiscordEmbed[] {
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

function line({ sign, headline, reason, event, links }: ToldEvent): string {
  const words = reason === "" ? headline : `${headline}: ${reason}`;
  const text = cutText(escapeMarkdown(words), LONGEST_LINE, MARKDOWN_WHOLE);
  const first = links[0] === undefined ? "" : ` ${link(links[0])}`;
  return `${sign} ${text} ${moment(event.since, "R")}${first}`;
}
