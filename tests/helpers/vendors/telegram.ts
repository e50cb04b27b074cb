import { object, schema, text } from "./schema.ts";

const checkShape = schema(object({
  chat_id: { type: "string", pattern: "^(?:-?\\d+|@\\w+)$" },
  text: text(100_000),
  "parse_mode?": { const: "HTML" },
  link_preview_options: object({ is_disabled: { const: true } }),
  "disable_notification?": { const: true },
}));

/** The parameters of `sendMessage` that we use; Telegram counts a text after it has read its entities. */
export function checkTelegram(body: { text: string; parse_mode?: string }): void {
  checkShape(body);
  const text = body.parse_mode === "HTML" ? readTelegram(body.text).text : body.text;
  if (text.trim() === "" || text.length > 4_096) {
    throw new Error(`the text has ${text.length} characters`);
  }
}

/** A text with its entities, as Telegram reads them. */
export interface ReadHtml {
  text: string;
  entities: { tag: string; text: string; href?: string }[];
  /** The text outside code, in which Telegram looks for mentions and links. */
  loose: string;
}

const TAGS = ["b", "i", "u", "s", "code", "pre", "a"];
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/**
 * Reads HTML as strictly as the Bot API (core.telegram.org/bots/api#html-style): only its tags, closed in
 * their order, and only numerical and its four named entities.
 */
export function readTelegram(html: string): ReadHtml {
  const read: ReadHtml = { text: "", entities: [], loose: "" };
  const open: { tag: string; start: number; href?: string }[] = [];
  const wrong = (what: string): never => {
    throw new Error(`Bad Request: can't parse entities: ${what} in ${html}`);
  };
  const add = (text: string) => {
    read.text += text;
    if (!open.some(({ tag }) => tag === "code" || tag === "pre" || tag === "a")) read.loose += text;
  };
  for (
    const [token, close, tag, attributes] of html.matchAll(
      /<(\/?)(\w*)([^<>]*)>|&#?\w*;?|[^<&]+|[<&]/gs,
    )
  ) {
    if (token === "<") wrong("an unclosed tag");
    if (token.startsWith("&")) {
      const [, number, name = ""] = /^&(?:#(\d+)|(\w+));$/.exec(token) ?? [];
      const named = NAMED[name];
      add(number ? String.fromCodePoint(Number(number)) : named ?? wrong(`the entity ${token}`));
    } else if (tag === undefined) add(token);
    else if (close === "/") {
      const last = open.pop();
      if (last?.tag !== tag) wrong(`the end of ${tag}`);
      const { start, href } = last!;
      read.entities.push({ tag, text: read.text.slice(start), ...(href ? { href } : {}) });
    } else {
      if (!TAGS.includes(tag)) wrong(`the tag ${tag}`);
      const href = /^ href="([^"]*)"$/.exec(attributes!)?.[1];
      if (tag === "a" ? href === undefined : attributes !== "") wrong("an attribute");
      open.push({ tag, start: read.text.length, href });
    }
  }
  if (open.length > 0) wrong("a tag that is not closed");
  return read;
}
