import { cutText } from "../../notify/cut_text.ts";
import { fitParts } from "../../notify/fit_parts.ts";
import { importantFirst } from "../../notify/important_first.ts";
import { tell, type ToldEvent } from "../../notify/tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { escapeMarkdown, MARKDOWN_WHOLE } from "../inert/markdown.ts";
import { toldByTemplate } from "../told_by_template.ts";
import { COLOURS, type DiscordEmbed, eventEmbed, link, moment } from "./embed.ts";

/** What a webhook is sent, as far as we use it. */
export interface DiscordMessage {
  content?: string;
  embeds?: DiscordEmbed[];
  /** Nobody is notified, whatever a text says. */
  allowed_mentions: { parse: [] };
}

const LONGEST_CONTENT = 2_000;
/** Of all embeds together Discord takes 6,000 characters, and 4,096 in a description. */
const LONGEST_LINES = 4_000;
const LONGEST_LINE = 400;
/** More events than this are told in a line each. */
const MOST_EMBEDS = 3;

/** What Discord is told: an embed for each of a few events, or one for all of many of a kind. */
export function discordMessage(outgoing: Outgoing): DiscordMessage {
  const { message, sending } = outgoing;
  const common = { allowed_mentions: { parse: [] } } as const satisfies DiscordMessage;
  const content = templateText(outgoing);
  if (content !== undefined) return { content, ...common };
  const events = importantFirst(message.events);
  const { events: told } = tell({ ...message, events }, sending.places);
  const embeds = told.length <= MOST_EMBEDS ? told.map(eventEmbed) : kindEmbeds(told);
  return { embeds, ...common };
}

function templateText({ message, ...outgoing }: Outgoing): string | undefined {
  if (outgoing.notification["message-template"] === undefined) return undefined;
  const texts = importantFirst(message.events).map((event) =>
    toldByTemplate(event, outgoing, { escape: escapeMarkdown, escapeAddress: (text) => text }) ?? ""
  );
  const { parts, more } = fitParts(
    texts,
    (some, rest) => [...some, rest ?? ""].join("\n").length <= LONGEST_CONTENT,
  );
  const text = [...parts, ...more === undefined ? [] : [more]].join("\n");
  return cutText(text, LONGEST_CONTENT, MARKDOWN_WHOLE);
}

function kindEmbeds(told: readonly ToldEvent[]): DiscordEmbed[] {
  const { parts, more } = fitParts(
    told,
    (some, rest) => [...some.map(line), rest ?? ""].join("\n").length <= LONGEST_LINES,
  );
  const kinds = [...Map.groupBy(parts, ({ event }) => event.kind)];
  return kinds.map(([kind, some], index) => ({
    title: `${some.length} ${TITLES[kind]}`,
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
  test: "tested",
} as const;

function line({ sign, headline, reason, event, links }: ToldEvent): string {
  const words = reason === "" ? headline : `${headline}: ${reason}`;
  const text = cutText(escapeMarkdown(words), LONGEST_LINE, MARKDOWN_WHOLE);
  const first = links[0] === undefined ? "" : ` ${link(links[0])}`;
  return `${sign} ${text} ${moment(event.since, "R")}${first}`;
}
