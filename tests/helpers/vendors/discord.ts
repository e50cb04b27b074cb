import { EmbedBuilder, embedLength } from "@discordjs/builders";
import { parse } from "discord-markdown-parser";
import { list, object, schema, text } from "./schema.ts";

const checkShape = schema({
  ...object({
    "content?": text(2000),
    "embeds?": list({ type: "object" }, 10, 1),
    "flags?": { const: 4096 },
    allowed_mentions: object({
      parse: list({ const: "everyone" }, 1),
      "users?": list({ type: "string", pattern: "^\\d+$" }, 100, 1),
      "roles?": list({ type: "string", pattern: "^\\d+$" }, 100, 1),
    }),
  }),
  anyOf: [{ required: ["content"] }, { required: ["embeds"] }],
});

// deno-lint-ignore no-explicit-any
type Embed = any;

/** Fails if a webhook would refuse a message, by the validators of discord.js. */
export function checkDiscord(message: unknown): void {
  checkShape(message);
  const { embeds = [] } = message as { embeds?: Embed[] };
  let length = 0;
  for (const embed of embeds) {
    const { title, description, color, timestamp, fields = [], ...others } = embed;
    if (Object.keys(others).length > 0) throw new Error(`unknown keys: ${Object.keys(others)}`);
    const builder = new EmbedBuilder().setTitle(title).setColor(color).addFields(...fields);
    if (description !== undefined) builder.setDescription(description);
    if (timestamp !== undefined) builder.setTimestamp(Date.parse(timestamp));
    length += embedLength(builder.toJSON());
  }
  if (length > 6000) throw new Error(`the embeds have ${length} characters together`);
}

/** A node of Discord's Markdown. */
export interface MarkdownNode {
  type: string;
  content?: string | MarkdownNode[];
  target?: string;
}

/** A text as Discord reads it: plain texts are joined, everything else is listed by kind. */
export function readDiscord(text: string): { kinds: string[]; text: string; links: string[] } {
  const read = { kinds: [] as string[], text: "", links: [] as string[] };
  const visit = (nodes: MarkdownNode[]) => {
    for (const { type, content, target } of nodes) {
      if (type !== "text" && type !== "br") read.kinds.push(type);
      if (type === "br") read.text += "\n";
      if (target !== undefined) read.links.push(target);
      if (typeof content === "string") read.text += content;
      else if (content !== undefined) visit(content);
    }
  };
  visit(parse(text, "extended") as MarkdownNode[]);
  return read;
}
