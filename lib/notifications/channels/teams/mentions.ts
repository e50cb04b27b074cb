import type { Outgoing } from "../http/http_channel.ts";

/** A mention of a card (learn.microsoft.com/microsoftteams/github/task-modules-and-cards/cards/cards-format). */
export interface TeamsMention {
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
export function withMentions(
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
