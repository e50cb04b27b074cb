import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import type { Maintenance } from "../../../lib/history/maintenance.ts";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import type { ChannelState } from "../../../lib/notifications/channel_state.ts";
import { applyEvent } from "../../../lib/notifications/apply_event.ts";
import {
  type Notice,
  planCertificateNotices,
  planGapNotices,
  planMaintenanceNotices,
  planNotices,
} from "../../../lib/notifications/notices.ts";
import { findSubscribers } from "../../../lib/notifications/channel_list.ts";
import { toFacts } from "../../../lib/notifications/gate.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { siteNamed } from "../../helpers/outcomes.ts";

const START = Temporal.Instant.from("2026-11-21T10:05:00Z");

/** Plans the notices of successive runs, and returns the notifications of each. */
function notifyInRuns<T>(
  runs: readonly T[],
  toNotices: (run: T, notified: readonly string[]) => Notice[],
): string[][] {
  let notified: readonly string[] = [];
  return runs.map((run) => {
    const notices = toNotices(run, notified);
    const planned = planNotices(notices, { notified, monitor: "acme/status", now: START });
    notified = planned.notified;
    return planned.events.map(({ title, error, over }) =>
      `${title} (${error})${over === true ? " over" : ""}`
    );
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
      now: START.add({ hours: day * 24 }),
    });
  });
  const dated = notices.flatMap((titles, day) => titles.map((title) => `day ${day}: ${title}`));
  assertEquals(dated, [
    "day 10: Shop: certificate expires in 30 days (on 2026-12-31)",
    "day 27: Shop: certificate expires in 13 days (on 2026-12-31)",
    "day 33: Shop: certificate expires in 7 days (on 2026-12-31)",
    "day 37: Shop: certificate expires in 3 days (on 2026-12-31)",
    "day 39: Shop: certificate expires in 1 day (on 2026-12-31)",
    "day 40: Shop has a new certificate (until 2027-03-31) over",
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
      now: START.add({ minutes: hour * 60 }),
    }));
  const list = "Shop, gone";
  assertEquals(notices, [
    [
      `Maintenance is announced: Router (${list}, 2026-11-21 11:05 until 2026-11-21 13:05 UTC)`,
      `Maintenance is announced: Disk (${list}, 2026-11-21 15:05 until 2026-11-21 16:05 UTC)`,
    ],
    [],
    [
      `Maintenance has started: Router (${list}, until 2026-11-21 13:05 UTC)`,
      `Maintenance is canceled: Disk (${list}, which was to start at 2026-11-21 15:05 UTC) over`,
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
      const run = {
        channel,
        notified: [],
        isQuiet: false,
        isAcknowledged: () => false,
        now: START,
      };
      return toFacts({ ...notice, ...event }, run).isRouted;
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

Deno.test("a time without checks is a notice, whose end is that of the next run, however late that is", () => {
  const runs: { hour: number; gap?: number; isSame?: boolean }[] = [
    { hour: 0 },
    { hour: 4, gap: 4 },
    { hour: 5 },
    { hour: 5, isSame: true },
    { hour: 9, gap: 4 },
    { hour: 9, gap: 4, isSame: true },
    { hour: 15, gap: 6 },
    { hour: 15.5 },
    { hour: 15.6 },
  ];
  let last: Temporal.Instant | undefined;
  const notices = notifyInRuns(runs, ({ hour, gap, isSame }, notified) => {
    const now = START.add({ minutes: Math.round(60 * hour) });
    if (isSame) last = now;
    const made = planGapNotices({
      ...gap === undefined || isSame ? {} : { gap: gapBefore(hour, gap) },
      ...{ notified, last, now },
    });
    last = now;
    return made;
  });
  const gap = (from: string, to: string, hours: number) =>
    `No checks from 2026-11-${from} to 2026-11-${to} UTC (${hours} hours; the usual gap is 5 minutes, and 9 of 10 are at most 7 minutes)`;
  const end = (later: string) =>
    `Checks are running again (The next run started ${later} later) over`;
  assertEquals(notices, [
    [],
    [gap("21 10:05", "21 14:05", 4)],
    [end("1 hour")],
    [],
    [gap("21 15:05", "21 19:05", 4)],
    [],
    [end("6 hours"), gap("21 19:05", "22 01:05", 6)],
    [end("30 minutes")],
    [],
  ]);
  const [months] = planGapNotices({ gap: gapBefore(0, 2400), notified: [], now: START });
  assertEquals(
    months!.text.split("; ").at(-1),
    "if nobody has paused the monitor, GitHub may have disabled the schedule",
  );
});

Deno.test("the end of a time without checks does not cancel a notice of it that waits", () => {
  const notices = planGapNotices({ gap: gapBefore(0, 4), notified: [], now: START });
  const plan = (some: readonly Notice[], notified: readonly string[]) =>
    planNotices(some, { notified, monitor: "acme/status", now: START });
  const { events: [gap], notified } = plan(notices, []);
  const now = START.add({ minutes: 5 });
  const { events: [end] } = plan(planGapNotices({ notified, last: START, now }), notified);
  const start: Pick<ChannelState, "held" | "notified"> = { held: [], notified: [] };
  const { held } = [gap!, end!].reduce(
    (state, event) => applyEvent(state, event, { wanted: ["down", "up"], now }),
    start,
  );
  assertEquals(held, [gap, end]);
  assertEquals([end!.over, end!.incident], [true, gap!.incident]);
});
