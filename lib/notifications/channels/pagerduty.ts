import { type ChannelSender, incidentKey } from "./channel.ts";
import { httpChannel, vendorAddress } from "./http/http_channel.ts";
import { cutText } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import { plainText } from "../../text/plain_text.ts";
import { renderMessage } from "../message_text.ts";
import { type Outgoing, toldByTemplate } from "../templates.ts";

const BASE = "https://events.pagerduty.com";
const LONGEST_SUMMARY = 1_024;
/** PagerDuty takes 512 KB for a whole event. */
const LONGEST_TEXT = 1_000;
const LONGEST_KEY = 255;
const SEVERITIES = {
  down: "critical",
  degraded: "warning",
  up: "info",
  notice: "warning",
  test: "info",
} as const;

/**
 * An integration of PagerDuty with its Events API v2
 * (developer.pagerduty.com/docs/events-api-v2-overview). The deduplication key is the same in every run,
 * so a repeated event does not page again, and a recovery always finds its alert. In Europe `url` is
 * `https://events.eu.pagerduty.com`.
 */
export const pagerduty: ChannelSender = httpChannel({
  vendor: "PagerDuty",
  requests(outgoing) {
    const address = vendorAddress(outgoing, { base: BASE, path: "/v2/enqueue" });
    return latest(outgoing).flatMap((event) => bodies(event, outgoing)).map((body) => ({
      method: "POST",
      address,
      body,
    }));
  },
  cures: [{
    says: /routing_key|integration key/i,
    cure: "check integration-key: it is that of an Events API v2 integration, 32 characters long",
  }],
});

/** The last event of each alert: what came to its end in one message pages nobody. */
function latest({ message, sending }: Outgoing): SiteEvent[] {
  return [
    ...new Map(
      message.events.map((event) => [incidentKey(event, sending.monitor, LONGEST_KEY), event]),
    ).values(),
  ];
}

function bodies(event: SiteEvent, outgoing: Outgoing): unknown[] {
  const { notification, sending, filler } = outgoing;
  const { home, page } = sending.places;
  const key = {
    routing_key: filler.credential(notification["integration-key"] ?? ""),
    dedup_key: incidentKey(event, sending.monitor, LONGEST_KEY),
  };
  const resolve = { ...key, event_action: "resolve" };
  if (event.kind === "up" || event.over) return [resolve];
  const address = page ?? home;
  const trigger = {
    ...key,
    event_action: "trigger",
    client: sending.monitor,
    ...(address === undefined ? {} : { client_url: address }),
    payload: payloadOf(event, outgoing),
    links: renderMessage({ id: "", events: [event] }, sending.places).events[0]!.links
      .map(({ text, address }) => ({ href: address, text })),
  };
  // A test shall not leave an alert behind.
  return event.kind === "test" ? [trigger, resolve] : [trigger];
}

function payloadOf(event: SiteEvent, outgoing: Outgoing) {
  const { notification, sending, filler } = outgoing;
  const { headline, sentence, event: plain } = renderMessage({ id: "", events: [event] }, {})
    .events[0]!;
  const { kind, slug, url, name, since, code, error, attempts, responseTime, incident } = plain;
  const summary = toldByTemplate(event, outgoing, { escape: (text) => text }) ??
    `${headline}: ${sentence}`;
  const { component } = notification;
  return {
    summary: cutText(plainText(summary), LONGEST_SUMMARY),
    source: cutText(url ?? name, LONGEST_TEXT),
    severity: isOfSite(event) ? notification.severity ?? SEVERITIES[kind] : SEVERITIES[kind],
    timestamp: since,
    component: cutText(component === undefined ? slug : filler.text(component), LONGEST_KEY),
    group: sending.monitor,
    class: kind,
    custom_details: {
      site: cutText(name, LONGEST_TEXT),
      incident,
      code,
      error: cutText(error, LONGEST_TEXT),
      attempts,
      ...(responseTime === undefined ? {} : { response_time_ms: Math.round(responseTime) }),
    },
  };
}
