import { plainText } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import { isOfSite, type SiteEvent } from "../message.ts";
import { renderEvent } from "../message_text.ts";
import { latestByKey } from "./channel.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

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
 * `https://events.eu.pagerduty.com`. Of several events with one key only the last is sent, so that an
 * outage that ended in the same message does not page.
 */
export const pagerduty = httpChannel({
  vendor: "PagerDuty",
  requests(outgoing) {
    const { message, sending } = outgoing;
    const address = outgoing.apiUrl("https://events.pagerduty.com", "/v2/enqueue");
    const byKey = latestByKey(message.events, sending.monitor, LONGEST_KEY);
    return [...byKey].flatMap(([key, event]) => bodies(key, event, outgoing))
      .map((body) => ({ address, body }));
  },
  cures: [{
    says: /routing_key|integration key/i,
    cure: "check integration-key: it is that of an Events API v2 integration, 32 characters long",
  }],
});

function bodies(dedup_key: string, event: SiteEvent, outgoing: Outgoing): unknown[] {
  const { notification, sending } = outgoing;
  const { home, page } = sending.places;
  const key = { routing_key: outgoing.credential(notification["integration-key"]), dedup_key };
  const resolve = { ...key, event_action: "resolve" };
  if (event.kind === "up" || event.over) return [resolve];
  if (event.news === "acknowledged") return [{ ...key, event_action: "acknowledge" }];
  const trigger = {
    ...key,
    event_action: "trigger",
    client: sending.monitor,
    client_url: page ?? home,
    payload: toPayload(event, outgoing),
    links: renderEvent(event, sending.places).links
      .map(({ text, address: href }) => ({ href, text })),
  };
  // A test must not leave an alert behind.
  return event.kind === "test" ? [trigger, resolve] : [trigger];
}

function toPayload(event: SiteEvent, outgoing: Outgoing) {
  const { notification, sending } = outgoing;
  const { summary, event: plain } = renderEvent(event, sending.places);
  const { kind, slug, url, name, since, code, error, attempts, responseTime, incident } = plain;
  const text = outgoing.templateText(event, { escape: (text) => text }) ?? summary;
  const configured = isOfSite(event) ? notification.severity : undefined;
  const severity = kind === "down" ? event.severity : undefined;
  return {
    summary: cutText(plainText(text), LONGEST_SUMMARY),
    source: cutText(url ?? name, LONGEST_TEXT),
    severity: configured ?? severity ?? SEVERITIES[kind],
    timestamp: since,
    component: cutText(outgoing.fill(notification.component ?? slug), LONGEST_KEY),
    group: sending.monitor,
    class: kind,
    custom_details: {
      site: cutText(name, LONGEST_TEXT),
      incident,
      code,
      error: cutText(error, LONGEST_TEXT),
      attempts,
      response_time_ms: responseTime && Math.round(responseTime),
    },
  };
}
