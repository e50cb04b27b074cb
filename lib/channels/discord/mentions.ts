import type { Outgoing } from "../http/http_channel.ts";

/** Who a message may notify (discord.com/developers/docs/resources/message#allowed-mentions-object). */
export interface AllowedMentions {
  parse: "everyone"[];
  users?: string[];
  roles?: string[];
}

/** Discord takes no more in a list. */
const MOST = 100;

/** The mentions that `message-template` contains, its secrets in place; those in the values of an event are none. */
export function mentionsIn(
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

/** A text in which Discord finds no mention of everyone, which a backslash does not prevent. */
export function withoutEveryone(text: string): string {
  return text.replaceAll(/@(?=everyone|here)/g, "@\u200b");
}
