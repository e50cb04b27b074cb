import { shortHash } from "../../text/words.ts";
import { cutText } from "../fit_text.ts";
import { isCritical, type SiteEvent } from "../message.ts";
import { alertKey } from "./alert.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpAnswer, HttpRequest } from "./http/request.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import type { Outgoing } from "./outgoing.ts";
import { listMessageLinks, renderPlainText } from "./plain_message.ts";

const BASE = "https://api.pushover.net";
const LONGEST_TITLE = 250;
const LONGEST_TEXT = 1_024;
const LONGEST_ADDRESS = 512;
/** The highest priority without sound or vibration. */
const WITHOUT_SOUND = -1;
/** Devices repeat these until somebody acknowledges. */
const EMERGENCY = 2;
/** Milliseconds before a request that was refused may be repeated: addresses that do so earlier are blocked. */
const REPEAT_AFTER = 3_600_000;

/** Pushover's own words for a request that must not be repeated as it is. */
const REFUSED = /"status":\s*0\b/;

/**
 * Notifications by Pushover (pushover.net/api). An outage has the configured priority, an acknowledged one is no
 * emergency, and everything else has at most the usual priority. A silent event cancels what devices still repeat, by
 * the tag of the alert.
 */
export const pushover = httpChannel({
  vendor: "Pushover",
  requests(outgoing) {
    const { notification, message } = outgoing;
    const token = outgoing.credential(notification.token);
    if (message.events.every(({ silent }) => silent)) {
      const tags = new Set(message.events.map((event) => toTag(event, outgoing)));
      return [...tags].map((tag): HttpRequest => ({
        address: outgoing.apiUrl(BASE, `/1/receipts/cancel_by_tag/${tag}.json`),
        body: { token },
      }));
    }
    const body = { token, user: outgoing.credential(notification.user), ...toBody(outgoing) };
    return [{ address: outgoing.apiUrl(BASE, "/1/messages.json"), body }];
  },
  statusOf(answer) {
    const isRefused = findWithin(parseAnswer(answer), "status") === 0;
    return isRefused && answer.status < 300 ? 400 : answer.status;
  },
  pause: 5_000,
  waitOf(answer, now) {
    if (!REFUSED.test(answer.body)) return undefined;
    return answer.status === 429 ? untilReset(answer, now) : REPEAT_AFTER;
  },
  confirms: (answer) => findWithin(parseAnswer(answer), "status") === 1,
  cures: [
    {
      status: 429,
      says: REFUSED,
      cure:
        "the messages of this application are used up until the first of next month: wait, or buy more at pushover.net",
    },
    {
      says: /application token is invalid|"token":\s*"invalid"/,
      cure: "check token: it is that of an application, 30 characters long",
    },
    {
      says: /user (?:key|identifier)|"user":\s*"invalid"/,
      cure: "check user: it is the key of a user or a group, 30 characters long",
    },
  ],
});

function toBody(outgoing: Outgoing) {
  const { notification: { priority = "1", retry = 60, expire = 3_600 }, message } = outgoing;
  const { headline, events } = outgoing.text;
  const [{ event }] = events as [typeof events[0]];
  const down = message.events.filter((event) => event.kind === "down" && isCritical(event));
  const open = down.find(({ acknowledged }) => acknowledged === undefined);
  const highest = open !== undefined ? EMERGENCY : down.length > 0 ? EMERGENCY - 1 : 0;
  const link = listMessageLinks(outgoing).find(({ address }) => address.length <= LONGEST_ADDRESS);
  const usual = Math.min(highest, Number(priority));
  const level = outgoing.isWithoutSound ? Math.min(WITHOUT_SOUND, usual) : usual;
  return {
    title: cutText(headline, LONGEST_TITLE),
    message: renderPlainText(outgoing, { longest: LONGEST_TEXT }),
    priority: level,
    timestamp: Math.floor(Date.parse(event.since) / 1000),
    ...link === undefined ? {} : { url: link.address, url_title: link.text },
    ...level === EMERGENCY ? { retry, expire, tags: toTag(open!, outgoing) } : {},
  };
}

/** A tag that can be a part of a path. */
function toTag(event: SiteEvent, { sending }: Outgoing): string {
  return shortHash(alertKey(event, sending.monitor, Infinity));
}

/** Milliseconds until the quota of a month is renewed. */
function untilReset({ headers }: HttpAnswer, now: Temporal.Instant): number {
  const reset = 1000 * Number(headers.get("X-Limit-App-Reset") ?? Number.NaN);
  if (reset > now.epochMilliseconds) return reset - now.epochMilliseconds;
  const today = now.toZonedDateTimeISO("America/Chicago");
  const next = today.with({ day: 1 }).startOfDay().add({ months: 1 });
  return next.epochMilliseconds - now.epochMilliseconds;
}
