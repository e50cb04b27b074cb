import { type ChannelSender, incidentKey } from "./channel.ts";
import { httpChannel, vendorAddress } from "./http/http_channel.ts";
import { withGaps } from "./escape.ts";
import { cutText } from "../fit_text.ts";
import type { SiteEvent } from "../message.ts";
import { renderMessage } from "../message_text.ts";
import { type Outgoing, toldByTemplate } from "../templates.ts";

const LONGEST_TITLE = 100;
const LONGEST_TEXT = 4_000;
const LONGEST_KEY = 100;
const LONGEST_TAG = 200;
/** Milliseconds: Datadog takes no events that are 18 hours old. */
const OLDEST = 17.5 * 3_600_000;
const ALERTS = {
  down: "error",
  degraded: "warning",
  up: "success",
  notice: "warning",
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
export const datadog: ChannelSender = httpChannel({
  vendor: "Datadog",
  requests(outgoing) {
    const { notification, message, filler } = outgoing;
    const base = `https://api.${siteOf(filler.text(notification.site ?? "datadoghq.com"))}`;
    const address = vendorAddress(outgoing, { base, path: "/api/v1/events" });
    const headers = { "DD-API-KEY": filler.credential(notification["api-key"] ?? "") };
    return message.events.map((event) => ({
      method: "POST",
      address,
      headers,
      body: eventOf(event, outgoing),
    }));
  },
  cures: [{
    status: 403,
    cure: "the key is wrong, or is one of another region: check api-key, and site",
  }],
});

/**
 * The domain of a region, however it was written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(siteOf("EU"), "datadoghq.eu");
 * assertEquals(siteOf("https://app.datadoghq.eu/"), "datadoghq.eu");
 * ```
 */
export function siteOf(site: string): string {
  const bare = site.trim().toLowerCase().replace(/^https?:\/\//, "").replace(/\/.*$/, "")
    .replace(/^(?:app|api)\./, "");
  return Object.hasOwn(REGIONS, bare) ? REGIONS[bare]! : bare;
}

function eventOf(event: SiteEvent, outgoing: Outgoing) {
  const { notification, sending, filler } = outgoing;
  const { headline, sentence, facts, links } = renderMessage(
    { id: "", events: [event] },
    sending.places,
  )
    .events[0]!;
  const lines = [
    withGaps(sentence),
    ...facts.map(({ label, value }) => `${label}: ${withGaps(value)}`),
    ...links.map(({ text, address }) => `${text}: ${address}`),
  ];
  const text = toldByTemplate(event, outgoing, { escape: withGaps, escapeAddress: (url) => url }) ??
    lines.join("\n");
  const at = Temporal.Instant.from(event.since).epochMilliseconds;
  const age = sending.clock.now().epochMilliseconds - at;
  const tags = [
    ...(notification.tags ?? []).map((tag) => filler.text(tag)),
    `site:${event.slug}`,
    `status:${event.kind}`,
  ];
  return {
    title: cutText(withGaps(headline), LONGEST_TITLE),
    text: cutText(text, LONGEST_TEXT),
    alert_type: ALERTS[event.kind],
    priority: "normal",
    aggregation_key: incidentKey(event, sending.monitor, LONGEST_KEY),
    tags: tags.map((tag) => cutText(tag, LONGEST_TAG)),
    ...(age >= 0 && age < OLDEST ? { date_happened: Math.floor(at / 1000) } : {}),
  };
}
