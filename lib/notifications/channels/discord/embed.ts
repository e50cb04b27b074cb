import { cutText } from "../../cut_text.ts";
import { isOfSite } from "../../message.ts";
import type { ToldEvent } from "../../tell.ts";
import { linkTarget } from "../inert/link_target.ts";
import { escapeMarkdown, MARKDOWN_WHOLE } from "../inert/markdown.ts";

/** The part of an embed that we use (discord.com/developers/docs/resources/message#embed-object). */
export interface DiscordEmbed {
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

/** All there is to say of one event. */
export function eventEmbed(
  { sign, headline, reason, event, facts, links }: ToldEvent,
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
export function link({ text, address }: ToldEvent["links"][number]): string {
  return `[${text}](<${linkTarget(address)}>)`;
}

/** A moment that each reader sees in their own time zone. */
export function moment(time: string, style: "f" | "R"): string {
  return `<t:${Math.floor(Temporal.Instant.from(time).epochMilliseconds / 1000)}:${style}>`;
}
