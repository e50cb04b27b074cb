import type { Outcome, Story } from "./maintenance_story.ts";

/** The expected result of a story, written by hand; what is absent is expected to be nothing. */
type Expected = Pick<Outcome, "states" | "uptime"> & Partial<Outcome>;

const TOP = `retry: { delays: [5, 25], jitter: 0 }
reopenWithin: 0
canaries: []
notifications: [{ type: webhook, url: "https://hook.example/", on: [down, up, degraded], reminders: [20m] }]
`;
const SHOP = "sites:\n  - { name: Shop, url: https://shop.example, maxResponseTime: 1000 }\n";
const BOTH = `${SHOP}  - { name: Post, url: https://post.example }\n`;

/** A window of the shop from ten to eleven. */
const MOVE = "{ name: Move, start: 2026-11-21T10:00Z, duration: 1h, sites: [Shop] }";

function config(windows: string, sites = SHOP, top = ""): string {
  return `${TOP}${top}maintenance:\n${
    windows.split("\n").map((line) => `  - ${line}\n`).join("")
  }${sites}`;
}

/** The default result from ten past ten to twenty-five past. */
const AS_WITHOUT: Expected = {
  incidents: ["shop down 10:10-10:25"],
  alerts: ["10:10 shop down", "10:25 shop up"],
  issues: ["10:10 open shop", "10:25 close shop"],
  states: { shop: "up 09:00, down 10:10, up 10:25" },
  uptime: { shop: uptime(15, 240) },
};

/** From nine to one, in which the window of an hour leaves three to be judged. */
const DAY = { from: "09:00", to: "13:00" };
const MINUTES = 240;

/** Percent of minutes and the second after the last check, rounded. */
function uptime(down: number, judged: number): number {
  return Math.round(10_000 * (1 - down / (judged + 1 / 60))) / 100;
}

const BERLIN = "{ name: Night, cron: 30 2 * * SUN, duration: 1h, timezone: Europe/Berlin }";

const ROUTER =
  "<!--\nstart: 2026-11-21T10:00Z\nend: 2026-11-21T11:00Z\nexpectedDown: shop\n-->\nWe move.";
const WITHOUT = `${TOP}${SHOP}`;

/** Stories of maintenance, by name. */
export const STORIES: Readonly<Record<string, Story & { expected: Expected }>> = {
  "down within a window": {
    ...DAY,
    config: config(MOVE),
    faults: [["shop", "10:10", "10:50", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 11:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  // Still down after it too; no reminders are sent meanwhile.
  "a window starts while the site is down": {
    ...DAY,
    config: config(MOVE),
    faults: [["shop", "09:30", "11:30", "refused"]],
    expected: {
      incidents: ["shop down 09:30-11:30"],
      alerts: [
        "09:30 shop down",
        "09:50 shop still down",
        "11:00 shop still down",
        "11:20 shop still down",
        "11:30 shop up",
      ],
      issues: ["09:30 open shop", "11:30 close shop"],
      states: { shop: "up 09:00, down 09:30, maintenance 10:00, down 11:00, up 11:30" },
      uptime: { shop: uptime(60, 180) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "a site that was down recovers within a window": {
    ...DAY,
    config: config(MOVE),
    faults: [["shop", "09:30", "10:30", "refused"]],
    expected: {
      incidents: ["shop down 09:30-10:30"],
      alerts: ["09:30 shop down", "09:50 shop still down", "10:30 shop up"],
      issues: ["09:30 open shop", "10:30 close shop"],
      states: {
        shop: "up 09:00, down 09:30, maintenance 10:00, up 10:30, maintenance 10:35, up 11:00",
      },
      uptime: { shop: uptime(30, 180) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "a window ends while the site is down": {
    ...DAY,
    config: config(MOVE, SHOP, "failureThreshold: 3\n"),
    faults: [["shop", "10:30", "11:20", "refused"]],
    expected: {
      incidents: ["shop down 11:00-11:20"],
      alerts: ["11:00 shop down", "11:20 shop up"],
      issues: ["11:00 open shop", "11:20 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 11:00, up 11:20" },
      uptime: { shop: uptime(20, 180) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "a window ends between two runs while the site is down": {
    ...DAY,
    config: config(MOVE.replace("10:00Z, duration: 1h", "10:02Z, duration: 31m")),
    faults: [["shop", "10:10", "11:03", "refused"]],
    expected: {
      incidents: ["shop down 10:33-11:05"],
      alerts: ["10:35 shop down", "10:55 shop still down", "11:05 shop up"],
      issues: ["10:35 open shop", "11:05 close shop"],
      states: { shop: "up 09:00, maintenance 10:05, down 10:35, up 11:05" },
      uptime: { shop: uptime(32, MINUTES - 31) },
      windows: ["move 10:02-10:33, over 10:33"],
    },
  },
  // Two failing runs before the window and one after it follow each other, because within it runs don't count.
  "a window starts while the site fails for less than it takes": {
    ...DAY,
    config: config(MOVE, SHOP, "failureThreshold: 3\n"),
    faults: [["shop", "09:50", "10:20", "refused"], ["shop", "11:00", "11:05", "refused"]],
    expected: {
      incidents: ["shop down 09:50-11:05"],
      alerts: ["11:00 shop down", "11:05 shop up"],
      issues: ["11:00 open shop", "11:05 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 11:00, up 11:05" },
      uptime: { shop: uptime(15, 180) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "an announced window starts and ends between two runs, and the site stays down": {
    ...DAY,
    config: WITHOUT,
    issues: [[
      "09:00",
      "10:10",
      12,
      ROUTER.replace("10:00Z", "10:01Z").replace("11:00Z", "10:04Z"),
    ]],
    faults: [["shop", "10:01", "10:20", "refused"]],
    expected: {
      incidents: ["shop down 10:05-10:20"],
      alerts: ["10:05 shop down", "10:20 shop up"],
      issues: ["10:05 open shop", "10:05 close #12", "10:20 close shop"],
      states: { shop: "up 09:00, down 10:05, up 10:20" },
      uptime: { shop: uptime(15, MINUTES - 3) },
      windows: ["router 10:01-10:04, over 10:04"],
    },
  },
  "a window starts while the site is degraded": {
    ...DAY,
    config: config(MOVE),
    faults: [["shop", "09:30", "11:30", "slow"]],
    expected: {
      incidents: ["shop degraded 09:30-11:30"],
      alerts: [
        "09:35 shop degraded",
        "09:55 shop still degraded",
        "11:00 shop still degraded",
        "11:20 shop still degraded",
        "11:30 shop up",
      ],
      issues: ["09:35 open shop", "11:30 close shop"],
      states: { shop: "up 09:00, degraded 09:35, maintenance 10:00, degraded 11:00, up 11:30" },
      uptime: { shop: 100 },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "an issue is closed early": {
    ...DAY,
    config: WITHOUT,
    issues: [["09:00", "10:30", 12, ROUTER]],
    faults: [["shop", "10:10", "11:10", "refused"]],
    expected: {
      incidents: ["shop down 10:30-11:10"],
      alerts: ["10:30 shop down", "10:50 shop still down", "11:10 shop up"],
      issues: ["10:30 open shop", "11:10 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 10:30, up 11:10" },
      uptime: { shop: uptime(40, MINUTES - 30) },
      windows: ["router 10:00-11:00, over 10:30"],
    },
  },
  "one of two sites is in maintenance": {
    ...DAY,
    config: config(MOVE, BOTH),
    faults: [["shop", "10:30", "10:45", "refused"], ["post", "10:30", "10:45", "refused"]],
    expected: {
      incidents: ["post down 10:30-10:45"],
      alerts: ["10:30 post down", "10:45 post up"],
      issues: ["10:30 open post", "10:45 close post"],
      states: {
        shop: "up 09:00, maintenance 10:00, up 11:00",
        post: "up 09:00, down 10:30, up 10:45",
      },
      uptime: { shop: 100, post: uptime(15, MINUTES) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "a site is new in a window": {
    ...DAY,
    config: {
      "09:00": config(MOVE.replace(", sites: [Shop]", "")),
      "10:30": config(MOVE.replace(", sites: [Shop]", ""), BOTH),
    },
    faults: [["post", "09:00", "11:20", "refused"]],
    expected: {
      incidents: ["post down 11:00-11:20"],
      alerts: ["11:00 post down", "11:20 post up"],
      issues: ["11:00 open post", "11:20 close post"],
      states: {
        shop: "up 09:00, maintenance 10:00, up 11:00",
        post: "maintenance 10:30, down 11:00, up 11:20",
      },
      uptime: { shop: 100, post: uptime(20, 120) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "two windows overlap": {
    ...DAY,
    config: config(`${MOVE}\n{ name: Test, start: 2026-11-21T10:30Z, duration: 1h }`),
    faults: [["shop", "10:10", "11:40", "refused"]],
    expected: {
      incidents: ["shop down 11:30-11:40"],
      alerts: ["11:30 shop down", "11:40 shop up"],
      issues: ["11:30 open shop", "11:40 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 11:30, up 11:40" },
      uptime: { shop: uptime(10, MINUTES - 90) },
      windows: ["move 10:00-11:00, over 11:00", "test 10:30-11:30, over 11:30"],
    },
  },
  "a window of no length": {
    ...DAY,
    config: config(MOVE.replace("1h", "0")),
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "an issue whose end is before its start": {
    ...DAY,
    config: WITHOUT,
    issues: [["09:00", "13:00", 12, ROUTER.replace("11:00Z", "09:30Z")]],
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "a window is made longer while it is ongoing": {
    ...DAY,
    config: { "09:00": config(MOVE), "10:43": config(MOVE.replace("1h", "2h")) },
    faults: [["shop", "10:30", "11:30", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 12:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-12:00, over 12:00"],
    },
  },
  "a window is removed while it is ongoing": {
    ...DAY,
    config: { "09:00": config(MOVE), "10:18": WITHOUT },
    faults: [["shop", "10:10", "11:00", "refused"]],
    expected: {
      incidents: ["shop down 10:20-11:00"],
      alerts: ["10:20 shop down", "10:40 shop still down", "11:00 shop up"],
      issues: ["10:20 open shop", "11:00 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 10:20, up 11:00" },
      uptime: { shop: uptime(40, MINUTES - 20) },
      windows: ["move 10:00-11:00, over 10:20"],
    },
  },
  "a window gets another site while it is ongoing": {
    ...DAY,
    config: {
      "09:00": config(MOVE, BOTH),
      "10:18": config(MOVE.replace("[Shop]", "[Shop, Post]"), BOTH),
    },
    faults: [["post", "10:10", "10:50", "refused"]],
    expected: {
      incidents: ["post down 10:10-10:50"],
      alerts: ["10:10 post down", "10:50 post up"],
      issues: ["10:10 open post", "10:50 close post"],
      states: {
        shop: "up 09:00, maintenance 10:00, up 11:00",
        post: "up 09:00, down 10:10, maintenance 10:20, up 10:50, maintenance 10:55, up 11:00",
      },
      // The settings of the window `late` apply to all of it.
      uptime: { shop: 100, post: 100 },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "clocks go forth in a night of maintenance: 02:30 comes at 03:30": {
    day: "2027-03-28",
    from: "00:30",
    to: "04:30",
    config: config(BERLIN),
    faults: [["shop", "00:40", "00:50", "refused"], ["shop", "01:40", "02:40", "refused"]],
    expected: {
      incidents: ["shop down 00:40-00:50", "shop down 02:30-02:40"],
      alerts: ["00:40 shop down", "00:50 shop up", "02:30 shop down", "02:40 shop up"],
      issues: ["00:40 open shop", "00:50 close shop", "02:30 open shop-2", "02:40 close shop-2"],
      states: { shop: "up 00:30, down 00:40, up 00:50, maintenance 01:30, down 02:30, up 02:40" },
      uptime: { shop: uptime(20, 180) },
      windows: ["night 01:30-02:30, over 02:30"],
    },
  },
  "clocks go back in a night of maintenance: 02:30 comes twice, and counts once": {
    day: "2027-10-31",
    from: "00:00",
    to: "04:00",
    config: config(BERLIN),
    faults: [["shop", "00:40", "01:40", "refused"], ["shop", "02:00", "02:10", "refused"]],
    expected: {
      incidents: ["shop down 01:30-01:40", "shop down 02:00-02:10"],
      alerts: ["01:30 shop down", "01:40 shop up", "02:00 shop down", "02:10 shop up"],
      issues: ["01:30 open shop", "01:40 close shop", "02:00 open shop-2", "02:10 close shop-2"],
      states: { shop: "up 00:00, maintenance 00:30, down 01:30, up 01:40, down 02:00, up 02:10" },
      uptime: { shop: uptime(20, 180) },
      windows: ["night 00:30-01:30, over 01:30"],
    },
  },
  "a window at the end of a month, over midnight": {
    day: "2027-02-01",
    from: "01-31T22:00",
    to: "02:00",
    config: config("{ name: Month, cron: 0 23 31 * *, duration: 2h }"),
    faults: [["shop", "01-31T23:10", "01:10", "refused"]],
    expected: {
      incidents: ["shop down 01:00-01:10"],
      alerts: ["01:00 shop down", "01:10 shop up"],
      issues: ["01:00 open shop", "01:10 close shop"],
      states: { shop: "up 01-31T22:00, maintenance 01-31T23:00, down 01:00, up 01:10" },
      uptime: { shop: uptime(10, 120) },
      windows: ["month 01-31T23:00-01:00, over 01:00"],
    },
  },
  "a site flaps within a window": {
    ...DAY,
    config: config(MOVE),
    faults: [0, 10, 20, 30, 40, 50].map((minute) => [
      "shop",
      `10:${String(minute).padStart(2, "0")}`,
      `10:${String(minute + 5).padStart(2, "0")}`,
      "refused",
    ]),
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 11:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
};
