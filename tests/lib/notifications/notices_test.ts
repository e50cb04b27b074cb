import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { parseConfig } from "../../../lib/config/parse.ts";
import type { Maintenance } from "../../../lib/history/maintenance.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { planUnusableNotices } from "../../../lib/notifications/channel_problems.ts";
import {
  listNotified,
  type Notice,
  type NoticeStarts,
  planCertificateNotices,
  planGapNotices,
  planMaintenanceNotices,
  toNoticeSubjects,
} from "../../../lib/notifications/notices.ts";
import { findSubscribers } from "../../../lib/notifications/channel_list.ts";
import { toFacts } from "../../../lib/notifications/gate.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import type { News } from "../../../lib/notifications/news.ts";
import type { Subject } from "../../../lib/notifications/subject.ts";
import { channelOf, Inbox, MINUTE } from "../../helpers/channels.ts";
import { NOW, siteNamed } from "../../helpers/outcomes.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

const START = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** Plans the notices of successive runs for a channel that wants all of them, and returns its messages. */
function notifyInRuns<T>(
  runs: readonly T[],
  toNotices: (run: T, notified: readonly string[]) => Notice[],
): string[][] {
  const topics = ["certificate", "maintenance", "unknown"] as never[];
  const inbox = new Inbox(
    channelOf({ on: ["down", "up", ...topics], "group-notifications": false }),
  );
  let known: NoticeStarts = {};
  return runs.map((run, index) => {
    const now = START.add({ minutes: 5 * index });
    const notices = toNotices(run, listNotified({ own: inbox.state }));
    const { subjects, starts } = toNoticeSubjects(notices, { known, monitor: "acme/status", now });
    known = starts;
    return inbox.run(5 * index, subjects).flatMap(({ events }) => events)
      .map(({ title, error, over }) => `${title} (${error})${over === true ? " over" : ""}`);
  });
}

Deno.test("a certificate is a notice at each of its days, once, and when it is renewed", async () => {
  const shop = await siteNamed("Shop", "shop", {});
  const expiry = START.add({ hours: 40 * 24 });
  const renewed = expiry.add({ hours: 90 * 24 });
  const days = Array.from({ length: 41 }, (_, day) => day);
  const notices = notifyInRuns(days, (day, notified) => {
    const isUnseen = day % 3 === 2;
    const certificate = isUnseen ? undefined : day === 40 ? renewed : expiry;
    return planCertificateNotices({
      outcomes: [{ result: { site: shop, ...certificate === undefined ? {} : { certificate } } }],
      sites: [shop],
      notified,
      language: LANGUAGE,
      now: START.add({ hours: day * 24 }),
    });
  });
  const dated = notices.flatMap((titles, day) => titles.map((title) => `day ${day}: ${title}`));
  assertEquals(dated, [
    "day 10: Shop: certificate expires in 30 days (2026-12-31) (renew it before then)",
    "day 27: Shop: certificate expires in 13 days (2026-12-31) (renew it before then)",
    "day 33: Shop: certificate expires in 7 days (2026-12-31) (renew it before then)",
    "day 37: Shop: certificate expires in 3 days (2026-12-31) (renew it before then)",
    "day 39: Shop: certificate expires in 1 day (2026-12-31) (renew it before then)",
    "day 40: Shop has a new certificate (valid until 2027-03-31) over",
  ]);
});

Deno.test("maintenance is a notice when it is announced, starts, ends or is canceled, once each", () => {
  const window = (name: string, from: number, to: number, end?: number): Maintenance => ({
    kind: "maintenance",
    source: "issue",
    name,
    start: START.add({ minutes: from * 60 }),
    until: START.add({ minutes: to * 60 }),
    ...end === undefined ? {} : { end: START.add({ minutes: end * 60 }) },
    sites: new Map([["shop", "down"], ["gone", "down"]]),
    text: "",
    updates: [],
  });
  const runs: [hour: number, files: Record<string, Maintenance>][] = [
    [0, { router: window("Router", 1, 3), disk: window("Disk", 5, 6) }],
    [0.5, { router: window("Router", 1, 3), disk: window("Disk", 5, 6) }],
    [1, { router: window("Router", 1, 3), disk: window("Disk", 5, 6, 1) }],
    [2, { router: window("Router", 1, 3), disk: window("Disk", 5, 6, 1) }],
    [3, { router: window("Router", 1, 3, 2.5), hand: window("Cable", 2.9, 4) }],
    [4, { router: window("Router", 1, 3, 2.5), hand: window("Cable", 2.9, 4, 4) }],
    [5, { router: window("Router", 1, 3, 2.5), hand: window("Cable", 2.9, 4, 4) }],
  ];
  const sites = [{ slug: "shop", name: "Shop" }];
  const notices = notifyInRuns(runs, ([hour, files], notified) =>
    planMaintenanceNotices({
      files: new Map(Object.entries(files)),
      sites,
      notified,
      language: LANGUAGE,
      now: START.add({ minutes: hour * 60 }),
    }));
  const list = "Shop, gone";
  assertEquals(notices, [
    [
      `Maintenance is announced: Router (${list}, 2026-11-21 11:05 to 2026-11-21 13:05 UTC)`,
      `Maintenance is announced: Disk (${list}, 2026-11-21 15:05 to 2026-11-21 16:05 UTC)`,
    ],
    [],
    [
      `Maintenance is canceled: Disk (${list}, which was to start at 2026-11-21 15:05 UTC) over`,
      `Maintenance has started: Router (${list}, until 2026-11-21 13:05 UTC)`,
    ],
    [],
    [
      `Maintenance has ended: Router (${list}, at 2026-11-21 12:35 UTC) over`,
      `Maintenance has started: Cable (${list}, until 2026-11-21 14:05 UTC)`,
    ],
    [`Maintenance has ended: Cable (${list}, at 2026-11-21 14:05 UTC) over`],
    [],
  ]);
});

Deno.test("a channel gets certificates unless its on lacks them, and maintenance by naming it, of the sites that it is routed to", async () => {
  const { config, problems } = await parseConfig(JSON.stringify({
    sites: ["Shop", "API"].map((name) => ({ name, url: `https://${name}.example.com` })),
    notifications: [
      { type: "slack", "webhook-url": "$ALL", on: ["down", "up", "degraded"] },
      { type: "slack", "webhook-url": "$USUAL" },
      {
        type: "slack",
        "webhook-url": "$SHOP",
        on: ["maintenance", "certificate"],
        sites: ["Shop"],
      },
      { type: "slack", "webhook-url": "$UNKNOWN", on: ["unknown"] },
    ],
  }));
  assertEquals(problems, []);
  const channels = findSubscribers(config!, new Secrets({}));
  const notice: SiteEvent = {
    ...{ id: "a", kind: "notice", name: "acme", slug: "notice", since: START.toString() },
    ...{ code: 0, error: "", attempts: 0, incident: "a" },
  };
  const routed = (event: Partial<SiteEvent>) =>
    channels.map((channel) => {
      const subject: Subject = {
        ...{ slug: "notice", incident: "a", state: "notice", start: START, reason: "" },
        event: { ...notice, ...event },
      };
      const patch = { slug: "notice", incident: "a" };
      const news: News = { kind: "start", subject, event: subject.event, patch };
      const moment = { now: START, isQuiet: false, isWaiting: false, hasChat: true };
      return toFacts(news, channel, moment).isRouted;
    });
  assertEquals(routed({ topic: "certificate", site: "shop" }), [false, true, true, false]);
  assertEquals(routed({ topic: "certificate", site: "api" }), [false, true, false, false]);
  assertEquals(routed({ topic: "maintenance", about: ["api", "shop"] }), [
    false,
    false,
    true,
    false,
  ]);
  assertEquals(routed({ topic: "maintenance", about: ["api"] }), [false, false, false, false]);
  assertEquals(routed({ topic: "maintenance", about: [] }), [false, false, true, false]);
  assertEquals(routed({ topic: "unknown", site: "api" }), [true, true, false, true]);
  assertEquals(routed({}), [true, true, true, true]);
});

/** A time without checks of so many hours before a run so many hours after the start. */
function gapBefore(hour: number, hours: number) {
  const to = START.add({ hours: hour }).epochMilliseconds;
  const usual = { median: 300_000, p90: 420_000, longest: 600_000, late: 0 };
  return { from: to - hours * 3_600_000, to, usual };
}

Deno.test("a time without checks is a notice, whose end closes the alert of a pager and is no message", () => {
  const gaps = [
    undefined,
    gapBefore(4, 4),
    undefined,
    gapBefore(9, 4),
    gapBefore(15, 6),
    undefined,
  ];
  const gap = (from: string, to: string, hours: number) =>
    `No checks from 2026-11-${from} to 2026-11-${to} UTC (${hours} hours; the usual gap is 5 minutes, and 9 of 10 are at most 7 minutes)`;
  assertEquals(notifyInRuns(gaps, (gap, notified) => planGapNotices(gap, notified, LANGUAGE)), [
    [],
    [gap("21 10:05", "21 14:05", 4)],
    [],
    [gap("21 15:05", "21 19:05", 4)],
    [gap("21 19:05", "22 01:05", 6)],
    [],
  ]);
  const pager = new Inbox(channelOf({ type: "pagerduty", "integration-key": "$KEY" }));
  for (const [index, gap] of gaps.entries()) {
    const notices = planGapNotices(gap, listNotified({ own: pager.state }), LANGUAGE);
    const known = {};
    pager.run(
      5 * index,
      toNoticeSubjects(notices, { known, monitor: "acme", now: START }).subjects,
    );
  }
  assertEquals(pager.summary().map((line) => line.replace(/: notice /, ": ")), [
    "5: notice",
    "10: end silently",
    "15: notice",
    "20: end silently",
    "20: notice",
    "25: end silently",
  ]);
  const [months] = planGapNotices(gapBefore(0, 2400), [], LANGUAGE);
  assertEquals(
    months!.text.split("; ").at(-1),
    "if nobody has paused the monitor, GitHub may have disabled the schedule",
  );
});

Deno.test("a problem of a channel goes to chats and mail, and to a pager only if there is none, as its step", () => {
  const notices = planUnusableNotices(
    [{ key: "sms", channel: "sms", reason: "it is wrong" }],
    LANGUAGE,
  );
  const send = (keys: Partial<Notification>, hasChat: boolean) => {
    const inbox = new Inbox(channelOf(keys));
    let known: NoticeStarts = {};
    for (const minute of [0, 10, 20]) {
      const now = NOW.add({ minutes: minute });
      const planned = toNoticeSubjects(notices, { known, monitor: "acme", now });
      known = planned.starts;
      inbox.run(minute, planned.subjects, hasChat);
    }
    return inbox.messages.map(({ minute }) => minute);
  };
  const pager = { type: "pagerduty", after: 15 * MINUTE } as const;
  assertEquals(send({}, true), [0]);
  assertEquals(send({ after: 5 * MINUTE }, true), [10]);
  assertEquals(send({ severity: "critical" }, true), []);
  assertEquals([send(pager, true), send(pager, false)], [[], [20]]);
  assertEquals(send({ type: "twilio", severity: "critical" }, false), []);
});
