import type { Language } from "../text/language.ts";
import { formatTime } from "../time.ts";
import { toAcknowledgedNotice } from "./acknowledgements.ts";
import { planChannelNotices } from "./channel_problems.ts";
import type { Message, SiteEvent } from "./message.ts";
import { writeReport } from "./report_words.ts";

/** Sites in the sample of a message about many. */
const MANY = 200;
const MINUTE = 60_000;

const UP: Partial<SiteEvent> = {
  kind: "up",
  code: 200,
  error: "",
  lasted: 42 * MINUTE,
  failed: { kind: "down", code: 503, error: "answered 503 Service Unavailable" },
  ...answered(180),
};

/** Of what is about no site. */
const OF_MONITOR = { name: "Status", url: undefined, code: 0, issue: undefined } as const;

/** Differences between the events of each kind of message and those of a site that is down. */
function listSamples(since: string, language: Language): Record<string, Partial<SiteEvent>> {
  return {
    down: {},
    degraded: {
      kind: "degraded",
      code: 200,
      error: "took 4000 ms, more than 3000",
      ...answered(4000),
    },
    reminder: { reminder: true },
    escalation: { escalated: true },
    flapping: { flapping: { changes: 9, within: 60 * MINUTE } },
    certificate: {
      kind: "degraded",
      code: 200,
      expiry: "certificate expires in 13 days",
      error: "certificate expires in 13 days (2026-12-04)",
      ...answered(210),
    },
    acknowledged: {
      ...sampleAcknowledgement(since, language),
      kind: "notice",
      site: "shop",
      code: 0,
      news: "acknowledged",
    },
    up: UP,
    notice: { kind: "notice", ...OF_MONITOR, ...sampleNotice(language) },
    report: {
      kind: "report",
      ...OF_MONITOR,
      ...writeReport(REPORTED, { period: WEEK, timezone: "UTC", language }),
      slug: "report",
      incident: "report",
    },
    test: { kind: "test", ...OF_MONITOR, slug: "test", error: "" },
  };
}

function sampleAcknowledgement(since: string, language: Language): Partial<SiteEvent> {
  const acknowledged = { by: "jo", at: since, after: 12 * MINUTE };
  const { title, error } = toAcknowledgedNotice(
    sampleEvent("down", { since, acknowledged }),
    language,
  );
  return { title, error };
}

function sampleNotice(language: Language): Partial<SiteEvent> {
  const [notice] = planChannelNotices(
    [{
      severity: "error",
      path: ["notifications", 0, "webhook-url"],
      line: 12,
      message: "is missing: slack needs it",
      channel: "notification channel slack",
    }],
    ".monitorrc.yml",
    language,
  );
  return { title: notice!.title, error: notice!.text };
}

const WEEK = { kind: "week", first: "2026-11-16", last: "2026-11-22" } as const;
const REPORTED = [
  { name: "Shop", percent: 99.36, outages: 2, down: 3_840, slo: 99.9, isMet: false },
  { name: "API", percent: 99.99, outages: 1, down: 60, slo: 99.9, isMet: true },
  { name: "Blog", percent: 100, outages: 0, down: 0 },
];

/**
 * Makes a message of each kind as channels get them, by name: about one site, and `digest` about 200. Nothing
 * of them happened.
 */
export function sampleMessages(now: Temporal.Instant, language: Language): Record<string, Message> {
  const since = formatTime(now.subtract({ minutes: 5 }));
  const single = Object.entries(listSamples(since, language))
    .map(([name, changes]): [string, Message] => [
      name,
      { id: `sample/${name}`, events: [sampleEvent(name, { since, ...changes })] },
    ]);
  const events = Array.from({ length: MANY }, (_, index) => {
    const [kind, changes] = index % 10 === 0 ? ["up", UP] : ["down", {}];
    const name = `Shop ${index + 1}`;
    const slug = `shop-${index + 1}`;
    const own = {
      name,
      slug,
      issue: index + 1,
      incident: `sample-${slug}`,
      url: `https://${slug}.example.com/`,
    };
    return sampleEvent(`${kind}/${slug}`, { since, ...changes, ...own });
  });
  return { ...Object.fromEntries(single), digest: { id: "sample/digest", events } };
}

function sampleEvent(id: string, changes: Partial<SiteEvent> & { since: string }): SiteEvent {
  return {
    id: `sample/${id}`,
    kind: "down",
    name: "Shop",
    slug: "shop",
    url: "https://shop.example.com/",
    code: 503,
    error: "answered 503 Service Unavailable",
    attempts: 3,
    incident: "sample-shop",
    issue: 12,
    ...changes,
  };
}

function answered(responseTime: number): Partial<SiteEvent> {
  return { attempts: 1, responseTime };
}
