import { plainText } from "../../text/plain_text.ts";
import { cutText } from "../fit_text.ts";
import { isCritical, isOfSite } from "../message.ts";
import { type EventText, sayFact, sayLink } from "../message_text.ts";
import { type Alert, renderAlert, toAlerts } from "./alert.ts";
import { findWithin, parseAnswer } from "./http/delivery.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { HttpRequest } from "./http/request.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_SUMMARY = 130;
const LONGEST_DESCRIPTION = 15_000;
const LONGEST_ALIAS = 512;
const LONGEST_SOURCE = 100;
const LONGEST_DETAIL = 500;
const LONGEST_TAG = 50;
const MOST_TAGS = 20;
const PRIORITIES = {
  down: "P1",
  degraded: "P3",
  up: "P5",
  notice: "P3",
  report: "P5",
  test: "P5",
} as const;

/**
 * Integration events of Jira Service Management Operations, which are those of Opsgenie at another address
 * (docs.opsgenie.com/docs/alert-api). The alias is the same in every run, so that a repeated event does not
 * page again, and a recovery always finds its alert.
 */
export const jsm = httpChannel({
  vendor: "JSM Operations",
  requests(outgoing) {
    const { message, sending } = outgoing;
    return toAlerts(message.events, sending.monitor, LONGEST_ALIAS)
      .flatMap((alert) => toRequests(alert, outgoing));
  },
  confirms: (answer) => typeof findWithin(parseAnswer(answer), "result") === "string",
  cures: [
    { status: 401, cure: "the key is wrong or of another region: check api-key, and url" },
    {
      status: 403,
      cure: "the integration may not create alerts, or is turned off: check it, and api-key",
    },
    {
      status: 422,
      says: /key format/i,
      cure: "check api-key: it is that of an API integration, not of a person or the account",
    },
    {
      status: 422,
      cure: "it does not take what the answer names: check priority, tags and message-template",
    },
    { status: 402, cure: "the plan of the account does not include this: ask its administrator" },
  ],
});

function toRequests(alert: Alert, outgoing: Outgoing): HttpRequest[] {
  const base = outgoing.apiUrl("https://api.atlassian.com/jsm/ops/integration", "/v2/alerts");
  const key = outgoing.credential(outgoing.notification["api-key"]);
  const headers = { Authorization: `GenieKey ${key}` };
  const source = cutText(outgoing.sending.monitor, LONGEST_SOURCE);
  // A slash within a path is refused by some gateways, even if it is encoded.
  const alias = alert.key.replaceAll("/", ":");
  const text = renderAlert(alert.events, outgoing.view, LONGEST_DESCRIPTION);
  const change = (action: "close" | "acknowledge") => ({
    address: `${base}/${encodeURIComponent(alias)}/${action}`,
    query: { identifierType: "alias" },
    headers,
    body: { source, note: cutText(text.summary, LONGEST_DETAIL) },
  });
  if (alert.action === "acknowledge") return [change("acknowledge")];
  const close = change("close");
  if (alert.action === "end") return [close];
  const body = { ...toBody(text, alert.events, outgoing), alias, source };
  const create = { address: base, headers, body };
  // A test must not leave an alert behind.
  return text.event.kind === "test" ? [create, close] : [create];
}

function toBody(
  { headline, sentence, facts, links, event }: EventText,
  events: Alert["events"],
  outgoing: Outgoing,
) {
  const { notification, language } = outgoing;
  const lines = [
    sentence,
    ...facts.map((fact) => sayFact(fact, language)),
    ...links.map((link) => sayLink(link, language)),
  ];
  const description = outgoing.templateTexts({
    events,
    escape: plainText,
    separator: "\n",
    longest: LONGEST_DESCRIPTION,
  }) ?? lines.join("\n");
  const own = notification.tags?.map((tag) => outgoing.fill(tag)) ?? [];
  const tags = [...own, ...isOfSite(event) && events.length === 1 ? [event.slug] : [], event.kind];
  const kind = event.kind === "down" && !isCritical(event) ? "degraded" : event.kind;
  const priority = kind === "down" ? notification.priority : undefined;
  return {
    message: cutText(headline, LONGEST_SUMMARY),
    description: cutText(description, LONGEST_DESCRIPTION),
    priority: priority ?? PRIORITIES[kind],
    entity: cutText(event.name, LONGEST_DETAIL),
    tags: tags.slice(0, MOST_TAGS).map((tag) => cutText(tag, LONGEST_TAG)),
    details: Object.fromEntries(
      Object.entries({
        incident: event.incident,
        error: event.error,
        code: event.code === 0 ? "" : String(event.code),
        url: event.url ?? "",
      }).filter(([, value]) => value !== "")
        .map(([name, value]) => [name, cutText(value, LONGEST_DETAIL)]),
    ),
  };
}
