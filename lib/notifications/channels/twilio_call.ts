import { plainText } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import { escapeXml } from "./escape.ts";
import { SettingError } from "./channel.ts";
import type { Outgoing } from "./outgoing.ts";

/** Longest text that is read aloud, in UTF-16 units: nobody listens longer, and `Twiml` may have 4,000 characters. */
const LONGEST_SPEECH = 400;

/** True if something is worth a call; an acknowledgement is none. */
export function isWorthCalling({ message: { events } }: Outgoing): boolean {
  return events.some(({ news }) => news === undefined);
}

/**
 * The fields of a call that reads a message aloud (twilio.com/docs/voice/api/call-resource), twice, because its
 * first words wake up the person who answers.
 *
 * @throws {EffectError} If the sender can't call.
 */
export function toCall(outgoing: Outgoing, numbers: { from: string; to: string }) {
  if (numbers.from.startsWith("MG")) {
    const what =
      "from-number is a messaging service, which can't call: use a number of the account";
    throw new SettingError("Twilio", what);
  }
  const words = escapeXml(cutText(toSpeech(outgoing), LONGEST_SPEECH));
  return {
    To: numbers.to,
    From: numbers.from,
    Twiml: `<Response><Pause length="1"/><Say loop="2">${words}</Say></Response>`,
  };
}

function toSpeech(outgoing: Outgoing): string {
  const { text: { headline, events }, sending: { monitor, title = monitor } } = outgoing;
  const own = outgoing.templateTexts({
    escape: plainText,
    separator: ". ",
    longest: LONGEST_SPEECH,
  });
  const [{ brief, event }] = events as [typeof events[0]];
  const isOne = events.length === 1 && isOfSite(event);
  const words = own ?? `Message from ${title}. ${isOne ? brief : headline}`;
  const sentence = plainText(words);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
