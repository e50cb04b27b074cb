import { importantFirst } from "../../notify/important_first.ts";
import type { SiteEvent } from "../../notify/message.ts";
import { tell } from "../../notify/tell.ts";
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
  const events = told.events.map(({ event, headline, sentence }) =>
    eventOf(event, {
      text: toldByTemplate(event, outgoing, { escape: (text) => text }) ??
        `${headline}: ${sentence}`,
      home,
    })
  );
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

/** Absent is what there is nothing to say of; numbers are milliseconds where they end in `_ms`. */
function eventOf(event: SiteEvent, { text, home }: { text: string; home?: string }) {
  const { id, kind, reminder, name, slug, url, since, lasted, code, error, attempts } = event;
  const { responseTime, incident, issue } = event;
  return {
    id,
    type: kind,
    reminder: reminder === true,
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
