import { shortHash } from "../../text/words.ts";
import { cutToMeasure } from "../fit_text.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import { SettingError } from "./channel.ts";
import type { Outgoing } from "./outgoing.ts";
import { findTone, listMessageLinks, renderPlainText } from "./plain_message.ts";
import { countBytes } from "../../text/plain_text.ts";

/** Bytes as JSON, so that the whole body stays below 8,192; a message may have 4,096. */
const LONGEST_MESSAGE = 4_000;
const LONGEST_TITLE = 250;
const LONGEST_ADDRESS = 500;
const MOST_ACTIONS = 3;
const TOPIC = /^[-\w]{1,64}$/;
/** Error code of a used daily quota, which starts again at midnight UTC. */
const QUOTA = 42_908;

/** The highest priority without sound or vibration (docs.ntfy.sh/publish/#message-priority). */
const WITHOUT_SOUND = 2;
/** From 1 to 5, which rings longest. */
const PRIORITIES = { down: 5, degraded: 4, up: 2, notice: 4, report: 2, test: 3 } as const;
/** Short codes, which ntfy shows as emoji in front of the title. */
const TAGS = {
  down: "rotating_light",
  degraded: "warning",
  up: "white_check_mark",
  notice: "warning",
  report: "bar_chart",
  test: "bell",
} as const;

const NEWS_TAGS: Readonly<Record<string, string>> = { acknowledged: "eyes", muted: "mute" };

/**
 * A topic of ntfy, as JSON to the root of the server (docs.ntfy.sh/publish/#publish-as-json). A server from
 * version 2.16 shows a repeated message in place of the first, because both have one `sequence_id`; no two
 * messages share one, so none replaces another.
 */
export const ntfy = httpChannel({
  vendor: "ntfy",
  requests(outgoing) {
    const { token } = outgoing.notification;
    const login = token && `Bearer ${outgoing.credential(token)}`;
    const address = outgoing.apiUrl("https://ntfy.sh", "/");
    // Elsewhere than at the root, ntfy would publish the JSON itself as text.
    if (!["/", undefined].includes(URL.parse(address)?.pathname)) {
      throw new SettingError("ntfy", "url is the address of the server, without the topic");
    }
    const body = ntfyMessage(outgoing);
    return [{
      address,
      headers: login === undefined ? undefined : { Authorization: login },
      body: { ...body, sequence_id: shortHash(outgoing.message.id) },
    }];
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "id") === "string",
  waitOf(answer, now) {
    if (findWithin(parseAnswer(answer), "code") !== QUOTA) return undefined;
    const midnight = now.toZonedDateTimeISO("UTC").startOfDay().add({ days: 1 });
    return midnight.epochMilliseconds - now.epochMilliseconds;
  },
  cures: [
    { status: 401, cure: "the token is wrong or has expired: check token" },
    { status: 403, cure: "the topic is protected: check topic, and token" },
    { says: /"code":\s*40009\b/, cure: "the topic is invalid: check topic" },
  ],
});

function ntfyMessage(outgoing: Outgoing) {
  const tone = findTone(outgoing);
  const { news } = outgoing.text.events[0]!.event;
  const links = listMessageLinks(outgoing).filter(({ address }) =>
    address.length <= LONGEST_ADDRESS
  );
  return {
    topic: toTopic(outgoing),
    title: cutToMeasure(outgoing.text.headline, LONGEST_TITLE, countJsonBytes),
    message: renderPlainText(outgoing, { longest: LONGEST_MESSAGE, measure: countJsonBytes }),
    priority: Math.min(PRIORITIES[tone], outgoing.isWithoutSound ? WITHOUT_SOUND : Infinity),
    tags: [news && NEWS_TAGS[news] || TAGS[tone]],
    click: links[0]?.address,
    actions: links.slice(0, MOST_ACTIONS)
      .map(({ text: label, address: url }) => ({ action: "view", label, url })),
  };
}

/** @throws {EffectError} If no topic has such a name. */
function toTopic(outgoing: Outgoing): string {
  const topic = outgoing.credential(outgoing.notification.topic);
  const isKnown = !outgoing.isPreview && outgoing.missing.size === 0;
  if (isKnown && !TOPIC.test(topic)) {
    const what = "topic is not a name of 1 to 64 letters, digits, _ and -, without the server";
    throw new SettingError("ntfy", what);
  }
  return topic;
}

function countJsonBytes(text: string): number {
  return countBytes(JSON.stringify(text));
}
