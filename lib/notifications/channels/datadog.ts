import { cutText } from "../fit_text.ts";
import type { SiteEvent } from "../message.ts";
import { sayFact, sayLink } from "../message_text.ts";
import { alertKey, renderAlert } from "./alert.ts";
import { withGaps } from "./escape.ts";
import { httpChannel } from "./http/http_channel.ts";
import type { Outgoing } from "./outgoing.ts";

const LONGEST_TITLE = 100;
const LONGEST_TEXT = 4_000;
/** Longest list of events in UTF-16 units, before mentions in it are neutralized. */
const LONGEST_LINES = 3_500;
const LONGEST_KEY = 100;
const MOST_TAGS = 100;
const LONGEST_TAG = 200;
/** Milliseconds: Datadog takes no events that are 18 hours old. */
const OLDEST = 17.5 * 3_600_000;
const ALERTS = {
  down: "error",
  degraded: "warning",
  up: "success",
  notice: "warning",
  report: "info",
  test: "info",
} as const;
/** Names of regions (docs.datadoghq.com/getting_started/site), and the site of each. */
const REGIONS: Readonly<Record<string, string>> = {
  us: "datadoghq.com",
  us1: "datadoghq.com",
  us3: "us3.datadoghq.com",
  us5: "us5.datadoghq.com",
  eu: "datadoghq.eu",
  eu1: "datadoghq.eu",
  ap1: "ap1.datadoghq.com",
  ap2: "ap2.datadoghq.com",
  gov: "ddog-gov.com",
};

/**
 * Events of Datadog (docs.datadoghq.com/api/latest/events/#post-an-event). Texts are sent without
 * Markdown, and a mention in them would notify people: only one in a template does.
 */
export const datadog = httpChannel({
  vendor: "Datadog",
  requests(outgoing) {
    const { notification, message } = outgoing;
    const base = `https://api.${toDomain(outgoing.fill(notification.site ?? "us1"))}`;
    const address = outgoing.apiUrl(base, "/api/v1/events");
    const headers = { "DD-API-KEY": outgoing.credential(notification["api-key"]) };
    const together = Map.groupBy(message.events, (event) => event.alert ?? event);
    return [...together.values()]
      .map((events) => ({ address, headers, body: toBody(events, outgoing) }));
  },
  cures: [{
    status: 403,
    cure: "the key is wrong, or is one of another region: check api-key, and site",
  }],
});

function toDomain(site: string): string {
  const bare = site.trim().toLowerCase().replace(/^https?:\/\//, "").replace(/\/.*$/, "")
    .replace(/^(?:app|api)\./, "");
  return Object.hasOwn(REGIONS, bare) ? REGIONS[bare]! : bare;
}

function toBody(events: SiteEvent[], outgoing: Outgoing) {
  const { notification, sending } = outgoing;
  const { monitor, clock } = sending;
  const { headline, sentence, facts, links, event } = renderAlert(
    events,
    outgoing.view,
    LONGEST_LINES,
  );
  const lines = [
    ...sentence.split("\n").map((line) => withGaps(line)),
    ...facts.map((fact) => sayFact({ ...fact, value: withGaps(fact.value) }, outgoing.language)),
    ...links.map((link) => sayLink(link, outgoing.language)),
  ];
  const text = outgoing.templateTexts({
    events,
    escape: withGaps,
    escapeAddress: (url) => url,
    separator: "\n",
    longest: LONGEST_TEXT,
  }) ?? lines.join("\n");
  const at = Date.parse(event.since);
  const age = clock.now().epochMilliseconds - at;
  const own = notification.tags?.map((tag) => outgoing.fill(tag)) ?? [];
  const sites = new Set(events.map(({ slug }) => `site:${slug}`));
  const tags = [...[...own, ...sites].slice(0, MOST_TAGS - 1), `status:${event.kind}`];
  return {
    title: cutText(withGaps(headline), LONGEST_TITLE),
    text: cutText(text, LONGEST_TEXT),
    alert_type: ALERTS[event.kind],
    priority: "normal",
    aggregation_key: alertKey(event, monitor, LONGEST_KEY),
    tags: tags.map((tag) => cutText(tag, LONGEST_TAG)),
    date_happened: age >= 0 && age < OLDEST ? Math.floor(at / 1000) : undefined,
  };
}
