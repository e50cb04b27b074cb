import { plainText } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import { isOfSite } from "../message.ts";
import type { EventText } from "../message_text.ts";
import { type Alert, renderAlert, toAlerts } from "./alert.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_SUMMARY = 1_024;
const LONGEST_TEXT = 1_000;
/** PagerDuty takes 512 KB for a whole event. */
const LONGEST_DETAIL = 20_000;
const LONGEST_KEY = 255;
const SEVERITIES = {
  down: "critical",
  degraded: "warning",
  up: "info",
  notice: "warning",
  report: "info",
  test: "info",
} as const;

/**
 * An integration of PagerDuty with its Events API v2
 * (developer.pagerduty.com/docs/events-api-v2-overview). The deduplication key is the same in every run,
 * so a repeated event does not page again, and a recovery always finds its alert. In Europe `url` is
 * `https://events.eu.pagerduty.com`.
 */
export const pagerduty = httpChannel({
  vendor: "PagerDuty",
  requests(outgoing) {
    const { message, sending } = outgoing;
    const address = outgoing.apiUrl("https://events.pagerduty.com", "/v2/enqueue");
    return toAlerts(message.events, sending.monitor, LONGEST_KEY)
      .flatMap((alert) => bodies(alert, outgoing))
      .map((body) => ({ address, body }));
  },
  cures: [{
    says: /routing.key|integration key/i,
    cure: "check integration-key: it is that of an Events API v2 integration, 32 characters long",
  }],
});

function bodies({ key: dedup_key, action, events }: Alert, outgoing: Outgoing): unknown[] {
  const { notification, sending } = outgoing;
  const { home, page } = sending.places;
  const key = { routing_key: outgoing.credential(notification["integration-key"]), dedup_key };
  const resolve = { ...key, event_action: "resolve" };
  if (action === "end") return [resolve];
  if (action === "acknowledge") return [{ ...key, event_action: "acknowledge" }];
  const text = renderAlert(events, outgoing.view, LONGEST_DETAIL);
  const trigger = {
    ...key,
    event_action: "trigger",
    client: sending.monitor,
    client_url: page ?? home,
    payload: toPayload(text, events, outgoing),
    links: text.links.map(({ text, address: href }) => ({ href, text })),
  };
  // A test must not leave an alert behind.
  return text.event.kind === "test" ? [trigger, resolve] : [trigger];
}

function toPayload({ summary, event }: EventText, events: Alert["events"], outgoing: Outgoing) {
  const { notification, sending } = outgoing;
  const { kind, slug, url, name, since, code, error, responseTime, incident } = event;
  const { hint, description, runbook, group, tags } = events.length === 1 ? event : {};
  const detail = (text: string | undefined) => text && cutText(text, LONGEST_DETAIL);
  const text = outgoing.templateTexts({
    events,
    escape: (text) => text,
    separator: "; ",
    longest: LONGEST_SUMMARY,
  }) ?? summary;
  const component = notification.component ?? (events.length === 1 ? slug : undefined);
  const configured = isOfSite(event) ? notification.severity : undefined;
  const severity = kind === "down" ? event.severity : undefined;
  return {
    summary: cutText(plainText(text), LONGEST_SUMMARY),
    source: cutText(url ?? name, LONGEST_TEXT),
    severity: configured ?? severity ?? SEVERITIES[kind],
    timestamp: since,
    component: component && cutText(outgoing.fill(component), LONGEST_KEY),
    group: sending.monitor,
    class: kind,
    custom_details: {
      site: detail(name),
      incident,
      code: code === 0 ? undefined : code,
      error: detail(error),
      response_time_ms: responseTime && Math.round(responseTime),
      hint: detail(hint),
      description: detail(description),
      runbook: detail(runbook),
      group: detail(group),
      tags: detail(tags?.join(", ")),
    },
  };
}
