import { importantFirst } from "../../important_first.ts";
import { joinFitting } from "../../fit_parts.ts";
import type { Message, SiteEvent } from "../../message.ts";
import { tell } from "../../tell.ts";
import type { Outgoing } from "../http/http_channel.ts";
import { toldByTemplate } from "../told_by_template.ts";

/** Version of the JSON below: it changes where a reader of the last one would misread the next. */
const VERSION = "1";

/**
 * What a webhook without a body of its own is sent. Events stand in the order in which they happened;
 * `type` is that of the most important one, and `text` tells all of them.
 */
export function webhookPayload(outgoing: Outgoing) {
  const { message, sending } = outgoing;
  const { home, page } = sending.places;
  const told = tell(message, sending.places);
  const events = payloadEvents(outgoing);
  return {
    version: VERSION,
    id: message.id,
    type: importantFirst(message.events)[0]!.kind,
    monitor: sending.monitor,
    ...(home === undefined ? {} : { repository: home }),
    ...(page === undefined ? {} : { page }),
    headline: told.headline,
    text: events.map(({ text }) => text).join("\n"),
    events,
  };
}

/** The events of a message, as a webhook is sent them. */
export function payloadEvents(outgoing: Outgoing) {
  const { message, sending } = outgoing;
  return tell(message, sending.places).events.map(({ event, headline, sentence }) =>
    eventOf(event, {
      text: toldByTemplate(event, outgoing, { escape: (text) => text }) ??
        `${headline}: ${sentence}`,
      home: sending.places.home,
    })
  );
}

/** Longest summary of several events, in UTF-16 units. */
const LONGEST_SUMMARY = 2_000;

/** A message in lines of text: the headline if there are several events, then each event as far as they fit. */
export function summaryText(outgoing: Outgoing): string {
  const { message, sending } = outgoing;
  const texts = payloadEvents({ ...outgoing, message: importantFirstOf(message) })
    .map(({ text }) => text);
  if (texts.length === 1) return texts[0]!;
  const { headline } = tell(message, sending.places);
  return `${headline}\n${joinFitting(texts, { separator: "\n", longest: LONGEST_SUMMARY })}`;
}

function importantFirstOf(message: Message): Message {
  return { ...message, events: importantFirst(message.events) };
}

/** Absent is what there is nothing to say of; numbers are milliseconds where they end in `_ms`. */
function eventOf(event: SiteEvent, { text, home }: { text: string; home?: string }) {
  const { id, kind, reminder, name, slug, url, since, lasted, code, error, attempts } = event;
  const { responseTime, incident, issue, flapping } = event;
  return {
    id,
    type: kind,
    reminder: reminder === true,
    ...(flapping === undefined || kind === "up" ? {} : { flapping: true }),
    site: { name, slug, ...(url === undefined ? {} : { url }) },
    since,
    ...(lasted === undefined ? {} : { lasted_ms: lasted }),
    code,
    error,
    attempts,
    ...(responseTime === undefined ? {} : { response_time_ms: Math.round(responseTime) }),
    incident: {
      id: incident,
      ...(issue === undefined ? {} : { number: issue }),
      ...(issue === undefined || home === undefined ? {} : { url: `${home}/issues/${issue}` }),
    },
    text,
  };
}
