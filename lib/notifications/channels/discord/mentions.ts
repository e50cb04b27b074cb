import type { Outgoing } from "../http/http_channel.ts";

/** Mentions that Discord turns into notifications (discord.com/developers/docs/resources/message#allowed-mentions-object). */
export interface AllowedMentions {
  parse: "everyone"[];
  users?: string[];
  roles?: string[];
}

/** Discord accepts at most this many in a list. */
const MOST = 100;

/** Finds the mentions in `message-template`, with secrets filled in; those in the values of an event don't count. */
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

/** Neutralises `@everyone` and `@here`, which a backslash does not escape. */
export function withoutEveryone(text: string): string {
  return text.replaceAll(/@(?=everyone|here)/g, "@\u200b");
}
