import { cutText } from "../fit_text.ts";
import { sayFact } from "../message_text.ts";
import { type Alert, renderAlert, toAlerts } from "./alert.ts";
import { escapeMarkdown, linkTarget, MARKDOWN_WHOLE } from "./escape.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_TITLE = 250;
const LONGEST_DESCRIPTION = 5_000;
/** Longest list of events in UTF-16 units, before it is escaped. */
const LONGEST_LINES = 4_000;
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
    return toAlerts(message.events, sending.monitor, LONGEST_KEY)
      .flatMap((alert) => toBodies(alert, outgoing))
      .map((body) => ({ address, headers, body }));
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "status") === "string",
  cures: [{
    status: 404,
    cure:
      "the alert source does not exist: copy its address anew, which ends in its ID, and change url",
  }],
});

function toBodies({ key, action, events }: Alert, outgoing: Outgoing): unknown[] {
  // An alert source has no event for an acknowledgement: an alert is firing or resolved.
  if (action === "acknowledge") return [];
  const alert = { ...toAlert(events, outgoing), deduplication_key: key };
  const firing = { ...alert, status: "firing" };
  const resolved = { ...alert, status: "resolved" };
  if (action === "end") return [resolved];
  // A test must not leave an alert behind.
  return alert.metadata.kind === "test" ? [firing, resolved] : [firing];
}

function toAlert(events: Alert["events"], outgoing: Outgoing) {
  const { monitor } = outgoing.sending;
  const { headline, sentence, facts, links, event } = renderAlert(
    events,
    outgoing.view,
    LONGEST_LINES,
  );
  const lines = [
    ...sentence.split("\n").map((line) => escapeMarkdown(line)),
    ...facts.map((fact) =>
      sayFact({ ...fact, value: escapeMarkdown(fact.value) }, outgoing.language)
    ),
    ...links.map(({ text, address }) => `[${text}](${linkTarget(address)})`),
  ];
  const text = outgoing.templateTexts({
    events,
    escape: escapeMarkdown,
    escapeAddress: linkTarget,
    separator: "\n\n",
    longest: LONGEST_DESCRIPTION,
  }) ?? lines.join("\n\n");
  const detail = (value: string) => cutText(value, LONGEST_DETAIL);
  return {
    title: cutText(headline, LONGEST_TITLE),
    description: cutText(text, LONGEST_DESCRIPTION, MARKDOWN_WHOLE),
    ...links[0] === undefined ? {} : { source_url: links[0].address },
    metadata: {
      monitor,
      kind: event.kind,
      site: detail(event.name),
      slug: events.length === 1 ? detail(event.slug) : undefined,
      incident: detail(event.incident),
      error: detail(event.error),
      code: event.code,
      url: event.url && detail(event.url),
    },
  };
}
