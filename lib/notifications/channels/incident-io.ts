import { cutText } from "../fit_text.ts";
import type { SiteEvent } from "../message.ts";
import { renderEvent } from "../message_text.ts";
import { latestByKey } from "./channel.ts";
import { escapeMarkdown, linkTarget, MARKDOWN_WHOLE } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_TITLE = 250;
const LONGEST_DESCRIPTION = 5_000;
const LONGEST_DETAIL = 500;
const LONGEST_KEY = 255;

/**
 * An HTTP alert source of incident.io (docs.incident.io/api-reference/alert-events-v2/createhttp). The
 * deduplication key is the same in every run, so that a recovery always resolves its alert.
 */
export const incidentIo = httpChannel({
  vendor: "incident.io",
  requests(outgoing) {
    const { notification, message, sending } = outgoing;
    const address = outgoing.apiUrl("", "");
    const headers = { Authorization: `Bearer ${outgoing.credential(notification.token)}` };
    const byKey = latestByKey(message.events, sending.monitor, LONGEST_KEY);
    return [...byKey].flatMap(([key, event]) => toBodies(key, event, outgoing))
      .map((body) => ({ address, headers, body }));
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "status") === "string",
  cures: [{
    status: 404,
    cure:
      "the alert source does not exist: copy its address anew, which ends in its ID, and change url",
  }],
});

function toBodies(deduplication_key: string, event: SiteEvent, outgoing: Outgoing): unknown[] {
  const alert = { ...toAlert(event, outgoing), deduplication_key };
  const firing = { ...alert, status: "firing" };
  const resolved = { ...alert, status: "resolved" };
  // An acknowledgement has no event there, and further sites belong to the same alert.
  if (event.news === "acknowledged") return [];
  if (event.kind === "up" || event.over) return [resolved];
  // A test must not leave an alert behind.
  return event.kind === "test" ? [firing, resolved] : [firing];
}

function toAlert(event: SiteEvent, outgoing: Outgoing) {
  const { places, monitor } = outgoing.sending;
  const { headline, sentence, facts, links, event: plain } = renderEvent(event, places);
  const lines = [
    escapeMarkdown(sentence),
    ...facts.map(({ label, value }) => `${label}: ${escapeMarkdown(value)}`),
    ...links.map(({ text, address }) => `[${text}](${linkTarget(address)})`),
  ];
  const text = outgoing.templateText(event, {
    escape: escapeMarkdown,
    escapeAddress: linkTarget,
  }) ?? lines.join("\n\n");
  const detail = (value: string) => cutText(value, LONGEST_DETAIL);
  return {
    title: cutText(headline, LONGEST_TITLE),
    description: cutText(text, LONGEST_DESCRIPTION, MARKDOWN_WHOLE),
    ...links[0] === undefined ? {} : { source_url: links[0].address },
    metadata: {
      monitor,
      kind: event.kind,
      site: detail(plain.name),
      slug: detail(plain.slug),
      incident: detail(plain.incident),
      error: detail(plain.error),
      code: plain.code,
      url: plain.url && detail(plain.url),
    },
  };
}
