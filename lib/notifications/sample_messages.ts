import { formatTime } from "../time.ts";
import type { Message, SiteEvent } from "./message.ts";

/** Sites in the sample of a message about many. */
const MANY = 200;
const MINUTE = 60_000;

/** Events of each kind of message, with what differs from those of a site that is down. */
const SAMPLES: Readonly<Record<string, Partial<SiteEvent>>> = {
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
    kind: "notice",
    title: "jo has acknowledged: Shop is down",
    site: "shop",
    code: 0,
    error: "12 minutes after the start",
    news: "acknowledged",
  },
  up: {
    kind: "up",
    code: 200,
    error: "",
    lasted: 42 * MINUTE,
    failed: { kind: "down", code: 503, error: "answered 503 Service Unavailable" },
    ...answered(180),
  },
  notice: {
    kind: "notice",
    name: "Status",
    title: "Notification channel slack (line 12) can't work",
    url: undefined,
    code: 0,
    error: "webhook-url: is missing: slack needs it; change it in .monitorrc.yml",
    issue: undefined,
  },
  report: {
    kind: "report",
    name: "Status",
    title: "Week of 2026-11-16: 3 outages of 2 of 3 sites, 1 hour 5 minutes",
    error: "From 2026-11-16 to 2026-11-22, UTC; 1 of 2 objectives missed",
    figures: [
      {
        name: "Shop",
        text: "99.36% uptime, 2 outages (1 hour 4 minutes), objective of 99.9% missed",
      },
      { name: "API", text: "99.99% uptime, 1 outage (1 minute), objective of 99.9% met" },
      { name: "Blog", text: "100% uptime, no outages" },
    ],
    slug: "report",
    incident: "report",
    code: 0,
    issue: undefined,
    url: undefined,
  },
  test: {
    kind: "test",
    name: "Status",
    slug: "test",
    url: undefined,
    code: 0,
    error: "",
    issue: undefined,
  },
};

/**
 * Makes a message of each kind as channels get them, by name: about one site, and `digest` about 200. Nothing
 * of them happened.
 */
export function sampleMessages(now: Temporal.Instant): Record<string, Message> {
  const since = formatTime(now.subtract({ minutes: 5 }));
  const single = Object.entries(SAMPLES).map(([name, changes]): [string, Message] => [
    name,
    { id: `sample/${name}`, events: [sampleEvent(name, { since, ...changes })] },
  ]);
  const events = Array.from({ length: MANY }, (_, index) => {
    const [kind, changes] = index % 10 === 0 ? ["up", SAMPLES["up"]] : ["down", SAMPLES["down"]];
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
