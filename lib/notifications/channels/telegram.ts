import { vendorAddress } from "./base_address.ts";
import type { Channel } from "./channel.ts";
import { httpChannel, type Outgoing } from "./http/http_channel.ts";
import { type HttpAnswer, type HttpRequest, jsonOf, within } from "./http/request.ts";
import { telegramHtml, telegramText } from "./telegram/text.ts";

const BASE = "https://api.telegram.org";

/**
 * A bot of Telegram (core.telegram.org/bots/api#sendmessage). A group that became a supergroup is written
 * to by its new number; a template whose HTML is wrong is sent as plain text.
 */
export const telegram: Channel = httpChannel({
  vendor: "Telegram",
  requests: (outgoing) => [sendMessage(outgoing, chatOf(outgoing), "HTML")],
  statusOf(answer) {
    const json = jsonOf(answer);
    const code = within(json, "error_code");
    return within(json, "ok") === false && typeof code === "number" ? code : answer.status;
  },
  cures: [
    {
      status: 401,
      cure: "the token is wrong or was revoked: get one from @BotFather and change bot-token",
    },
    { status: 404, cure: "the token is no token of a bot: check bot-token" },
    {
      says: /chat not found|CHAT_ID_INVALID|chat_id is empty/i,
      cure: "check chat-id, and write something to the bot or add it to the group first",
    },
    {
      status: 403,
      cure:
        "the bot was blocked or removed, or was never written to: add it to the chat, or change chat-id",
    },
    { says: /not enough rights|CHAT_WRITE_FORBIDDEN/i, cure: "let the bot post in the chat" },
    { says: /TOPIC_CLOSED|thread not found/i, cure: "open the topic again, or change chat-id" },
  ],
});

function chatOf({ notification, filler }: Outgoing): string {
  return filler.text(notification["chat-id"] ?? "").trim();
}

function sendMessage(
  outgoing: Outgoing,
  chat: string,
  form: "HTML" | "plain",
): HttpRequest {
  const { notification, filler } = outgoing;
  const token = filler.credential(notification["bot-token"] ?? "", inPath);
  const html = form === "HTML" ? telegramHtml(outgoing) : undefined;
  return {
    method: "POST",
    address: vendorAddress(outgoing, { base: BASE, path: `/bot${token}/sendMessage` }),
    body: {
      chat_id: chat,
      text: html ?? telegramText(outgoing),
      ...(html === undefined ? {} : { parse_mode: "HTML" }),
      link_preview_options: { is_disabled: true },
    },
    ...(chat === chatOf(outgoing) ? {} : { note: newNumber(notification["chat-id"], chat) }),
    otherwise(answer) {
      const other = otherChat(answer);
      if (other !== undefined && other !== chat) return sendMessage(outgoing, other, form);
      const isWrong = html !== undefined && /can't parse entities/i.test(answer.body);
      return isWrong ? sendMessage(outgoing, chat, "plain") : undefined;
    },
  };
}

/** What to do about a group that has got another number; one that was a secret is not told. */
function newNumber(configured = "", chat: string): string {
  const number = configured.includes("$") ? "its new number" : chat;
  return `the group became a supergroup: put ${number} into chat-id`;
}

/** The number that a group has got as a supergroup. */
function otherChat(answer: HttpAnswer): string | undefined {
  const id = within(jsonOf(answer), "parameters", "migrate_to_chat_id");
  return typeof id === "number" ? String(id) : undefined;
}

/** A token has a colon, which a path may hold. */
function inPath(token: string): string {
  return encodeURIComponent(token).replaceAll("%3A", ":");
}
