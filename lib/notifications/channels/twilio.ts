import { plainText } from "../../text/plain_text.ts";
import { type EventWords, renderLine } from "../event_words.ts";
import type { EventText } from "../message_text.ts";
import { findSeparator, type Seen } from "../recorded_words.ts";
import { cutText } from "../fit_text.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";
import { listMessageLinks } from "./plain_message.ts";
import { SettingError } from "./channel.ts";
import { escapeXml } from "./escape.ts";
import { isOfSite } from "../message.ts";

/**
 * Text messages by Twilio (twilio.com/docs/messaging/api/message-resource), or calls. Each segment is paid for, so a
 * text message is cut to as few as possible.
 */
export const twilio = httpChannel({
  vendor: "Twilio",
  requests(outgoing) {
    const { notification } = outgoing;
    const account = outgoing.fill(notification["account-sid"] ?? "").trim();
    const login = outgoing.fill(notification["key-sid"] ?? "").trim() || account;
    const from = toNumber(outgoing.fill(notification["from-number"] ?? ""));
    const to = toNumber(outgoing.fill(notification["to-number"] ?? ""));
    if (notification.call && !isWorthCalling(outgoing)) return [];
    const resource = notification.call ? "Calls" : "Messages";
    const path = `/2010-04-01/Accounts/${encodeURIComponent(account)}/${resource}.json`;
    return [{
      address: outgoing.apiUrl("https://api.twilio.com", path),
      headers: { Authorization: `Basic ${login}:${outgoing.credential(notification.token)}` },
      form: notification.call ? toCall(outgoing, { from, to }) : {
        To: to,
        ...from.startsWith("MG") ? { MessagingServiceSid: from } : { From: from },
        Body: smsText(outgoing),
        // Alerts are no fraud, even if many are sent at once.
        RiskCheck: "disable",
      },
    }];
  },
  statusOf(answer) {
    const code = findWithin(parseAnswer(answer), "error_code");
    return typeof code === "number" && answer.status < 300 ? 400 : answer.status;
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "sid") === "string",
  cures: [
    {
      says: /"code":\s*20003\b/,
      cure: "the login is wrong: check account-sid and token, or key-sid and its secret",
    },
    {
      says: /"(?:error_)?code":\s*(?:21211|21214|21216|21219|21614|21608|21610|21612)\b/,
      cure:
        "the recipient can't be sent to: check to-number, and that it is verified and not opted out",
    },
    {
      says: /"(?:error_)?code":\s*(?:21210|21212|21603|21606|21659|21660|21701)\b/,
      cure:
        "the sender is not a number of the account that can call or send text messages: check from-number",
    },
    {
      says: /"(?:error_)?code":\s*(?:21215|21408|30007|30034)\b/,
      cure:
        "the account may not call or send there: check its geographic permissions and its registration",
    },
    { status: 404, cure: "the account does not exist: check account-sid" },
  ],
});

/** Adds the `+` that YAML takes off a number; short codes have none. */
function toNumber(written: string): string {
  const number = written.trim().replaceAll(/(?<=\d)[ ()/.-]+(?=\d)/g, "");
  return /^\d{8,15}$/.test(number) ? `+${number}` : number;
}

/** Longest message of a segment with GSM-7, and with UCS-2, which one sign outside of GSM-7 makes necessary. */
const SEGMENT = { gsm: 160, ucs: 70 };
/** The same for each segment of several. */
const PART = { gsm: 153, ucs: 67 };
/** Segments that a template may take. */
const MOST_PARTS = 3;

/** Signs of the alphabet GSM-7 (3GPP TS 23.038), and those that count twice. */
const GSM =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const GSM_TWICE = "^{}\\[~]|€";

/** Longest address that a text message can have. */
const LONGEST_LINK = 100;
/** UTF-16 units of a headline for which a message takes a second segment rather than cutting it more. */
const LEAST_HEADLINE = 30;

/**
 * Renders the headline, the start and a link, and as much of the reason as fits into a segment. If the start and the
 * link leave no room for a headline in the signs that a segment may have, it takes two.
 */
function smsText(outgoing: Outgoing): string {
  const { language, text: { headline, lines: [line], lines } } = outgoing;
  const template = outgoing.templateTexts({
    escape: (value) => toGsm(plainText(value)),
    separator: "\n",
    longest: MOST_PARTS * PART.gsm,
  });
  if (template !== undefined) {
    const longest = { gsm: MOST_PARTS * PART.gsm, ucs: MOST_PARTS * PART.ucs };
    return cutSms(template, longest) ?? "";
  }
  const link = listMessageLinks(outgoing).find(({ address }) => address.length <= LONGEST_LINK);
  // The most important of several come first, and of these the earliest.
  const words: EventWords & Pick<EventText, "said" | "isEnclosed"> = lines.length === 1 ? line! : {
    error: "",
    time: line!.event.kind === "up" ? "" : line!.time,
    context: "",
    isEnclosed: true,
  };
  const render = (headline: string, error: string, context = "") => {
    const own = { ...words, error, seen: cutSeen(words, error), context };
    const text = toGsm(renderLine(headline, own, { ...words, language }));
    return link === undefined ? text : `${text} ${link.address}`;
  };
  const limit = fits(render(cutText(headline, LEAST_HEADLINE), ""), SEGMENT)
    ? SEGMENT
    : { gsm: 2 * PART.gsm, ucs: 2 * PART.ucs };
  const whole = render(headline, words.error, words.context);
  if (fits(whole, limit)) return whole;
  return cutSms(words.error, limit, (error) => render(headline, error)) ??
    cutSms(headline, limit, (headline) => render(headline, "")) ?? "";
}

/** The locations of an error of which only the start is `left`; `undefined` if that has no reason behind them. */
function cutSeen({ error, seen }: EventWords, left: string): Seen | undefined {
  const start = error.length - (seen?.reason.length ?? 0);
  const isCut = seen === undefined || !error.endsWith(seen.reason) || left.length <= start;
  return isCut ? undefined : { ...seen, reason: left.slice(start) };
}

/** Letters that Unicode does not take apart. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { Ł: "L", ł: "l", Đ: "D", đ: "d", ı: "i" };

/** Replaces signs that would more than halve a segment by others that say the same. */
function toGsm(text: string): string {
  return text.replaceAll("…", "...").replaceAll(/[–—−]/g, "-").replaceAll(/[‘’‚]/g, "'")
    .replaceAll(/[“”„]/g, '"').replaceAll(/\s/gu, " ").replaceAll(
      /\p{Script=Latin}\p{M}*/gu,
      (letter) =>
        GSM.includes(letter)
          ? letter
          : PLAIN_LETTERS[letter] ?? letter.normalize("NFD").replaceAll(/\p{M}/gu, ""),
    );
}

function fits(text: string, { gsm, ucs }: typeof SEGMENT): boolean {
  const isGsm = [...text].every((sign) => GSM.includes(sign) || GSM_TWICE.includes(sign));
  const twice = isGsm ? [...text].filter((sign) => GSM_TWICE.includes(sign)).length : 0;
  return text.length + twice <= (isGsm ? gsm : ucs);
}

/**
 * Cuts a text until the message fits that `make` returns for it, and ends it in three dots, which GSM-7 has;
 * `undefined` if nothing fits.
 */
function cutSms(
  text: string,
  limit: typeof SEGMENT,
  make = (cut: string) => cut,
): string | undefined {
  for (let length = Math.min(text.length, limit.gsm); length > 0; length--) {
    const made = make(cutText(text, length).replace(/…(?=\u2069?$)/, "..."));
    if (fits(made, limit)) return made;
  }
}

/** Longest text that is read aloud, in UTF-16 units: nobody listens longer, and `Twiml` may have 4,000 characters. */
const LONGEST_SPEECH = 400;

/** Voices (twilio.com/docs/voice/twiml/say/text-speech); other languages are read by that of the account. */
const VOICES: Readonly<Record<string, string>> = {
  ar: "Zeina",
  de: "Vicki",
  es: "Conchita",
  fr: "Celine",
  hi: "Aditi",
  it: "Carla",
  ja: "Mizuki",
  ko: "Seoyeon",
  nl: "Lotte",
  pl: "Ewa",
  pt: "Vitoria",
  tr: "Filiz",
  zh: "Zhiyu",
};

/** True if something is worth a call; an acknowledgement is none. */
function isWorthCalling({ message: { events } }: Outgoing): boolean {
  return events.some(({ news }) => news === undefined);
}

/**
 * The fields of a call that reads a message aloud (twilio.com/docs/voice/api/call-resource), twice, because its
 * first words wake up the person who answers.
 *
 * @throws {EffectError} If the sender can't call.
 */
function toCall(outgoing: Outgoing, numbers: { from: string; to: string }) {
  if (numbers.from.startsWith("MG")) {
    const what =
      "from-number is a messaging service, which can't call: use a number of the account";
    throw new SettingError("Twilio", what);
  }
  const words = escapeXml(cutText(toSpeech(outgoing), LONGEST_SPEECH));
  const voice = VOICES[outgoing.language.code.split("-")[0]!];
  const how = voice === undefined ? "" : ` voice="Polly.${voice}"`;
  return {
    To: numbers.to,
    From: numbers.from,
    Twiml: `<Response><Pause length="1"/><Say loop="2"${how}>${words}</Say></Response>`,
  };
}

function toSpeech(outgoing: Outgoing): string {
  const { text: { headline, events }, sending: { monitor, title = monitor } } = outgoing;
  const own = outgoing.templateTexts({
    escape: plainText,
    separator: findSeparator("sentencesBetween", outgoing.language),
    longest: LONGEST_SPEECH,
  });
  const [{ brief, event }] = events as [typeof events[0]];
  const isOne = events.length === 1 && isOfSite(event);
  const words = own ?? outgoing.language.say("spokenMessage", {
    NAME: outgoing.language.isolate(title),
    TEXT: isOne ? brief : headline,
  });
  const sentence = plainText(words).replaceAll(/[\u2068\u2069]/g, "");
  return /\p{Sentence_Terminal}$/u.test(sentence) ? sentence : `${sentence}.`;
}
