import type { Outcome, Story } from "./maintenance_story.ts";

/** What has to come of a story, written down by hand; nothing where it is not said. */
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

/** What comes of ten past ten to twenty-five past where nothing is expected. */
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
const SLOW = ROUTER.replace("expectedDown", "expectedDegraded");
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
  // Still down after it too; nobody is reminded while it goes on.
  "a window begins while the site is down": {
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
      incidents: ["shop down 09:30-11:00"],
      alerts: ["09:30 shop down", "09:50 shop still down", "11:00 shop up"],
      issues: ["09:30 open shop", "11:00 close shop"],
      states: { shop: "up 09:00, down 09:30, maintenance 10:00, up 11:00" },
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
  "a window begins while the site fails for less than it takes": {
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
  "a window begins and ends between two runs": {
    ...DAY,
    config: config(MOVE.replace("10:00Z, duration: 1h", "10:01Z, duration: 3m")),
    faults: [["shop", "10:01", "10:04", "refused"]],
    expected: { states: { shop: "up 09:00" }, uptime: { shop: 100 } },
  },
  "an announced window begins and ends between two runs, and the site stays down": {
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
  "no run for the whole window": {
    ...DAY,
    config: config(MOVE),
    skips: (time) => "09:50" < time && time < "11:10",
    faults: [["shop", "10:10", "11:30", "refused"]],
    // What was looked at last speaks for half an hour.
    expected: {
      incidents: ["shop down 11:10-11:30"],
      alerts: ["11:10 shop down", "11:30 shop up"],
      issues: ["11:10 open shop", "11:30 close shop"],
      states: { shop: "up 09:00, down 11:10, up 11:30" },
      uptime: { shop: uptime(20, 50 + 30 + 110) },
    },
  },
  "a window begins while the site is degraded": {
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
  "a site may be degraded, and is down as well": {
    ...DAY,
    config: WITHOUT,
    issues: [["09:00", "11:05", 12, SLOW]],
    faults: [["shop", "10:10", "10:30", "slow"], ["shop", "10:30", "10:40", "refused"]],
    expected: {
      incidents: ["shop down 10:30-10:40"],
      alerts: ["10:30 shop down", "10:40 shop up"],
      issues: ["10:30 open shop", "10:40 close shop", "11:00 close #12"],
      states: { shop: "up 09:00, maintenance 10:10, down 10:30, up 10:40" },
      uptime: { shop: uptime(10, MINUTES - 20) },
      windows: ["router 10:00-11:00, over 11:00"],
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
  "an issue is made longer in time, by a text that first can't be read": {
    ...DAY,
    config: WITHOUT,
    issues: [
      ["09:00", "10:40", 12, ROUTER],
      ["10:40", "10:50", 12, ROUTER.replace("2026-11-21T11:00Z", "noon")],
      ["10:50", "12:05", 12, ROUTER.replace("11:00Z", "12:00Z")],
    ],
    faults: [["shop", "10:30", "11:30", "refused"]],
    expected: {
      issues: ["12:00 close #12"],
      states: { shop: "up 09:00, maintenance 10:00, up 12:00" },
      uptime: { shop: 100 },
      windows: ["router 10:00-12:00, over 12:00"],
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
  "a paused site is in a window": {
    ...DAY,
    config: config(
      MOVE.replace(", sites: [Shop]", ""),
      BOTH.replace("post.example }", "post.example, paused: true }"),
    ),
    faults: [["post", "09:00", "13:00", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 11:00" },
      uptime: { shop: 100, post: NaN },
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
  "one window is within the other": {
    ...DAY,
    config: config(
      `${MOVE.replace("1h", "90m")}\n{ name: Test, start: 2026-11-21T10:30Z, duration: 30m }`,
    ),
    faults: [["shop", "10:10", "11:40", "refused"]],
    expected: {
      incidents: ["shop down 11:30-11:40"],
      alerts: ["11:30 shop down", "11:40 shop up"],
      issues: ["11:30 open shop", "11:40 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 11:30, up 11:40" },
      uptime: { shop: uptime(10, MINUTES - 90) },
      windows: ["move 10:00-11:30, over 11:30", "test 10:30-11:00, over 11:00"],
    },
  },
  "two windows touch": {
    ...DAY,
    config: config(`${MOVE}\n{ name: Test, start: 2026-11-21T11:00Z, duration: 30m }`),
    faults: [["shop", "10:10", "11:40", "refused"]],
    expected: {
      incidents: ["shop down 11:30-11:40"],
      alerts: ["11:30 shop down", "11:40 shop up"],
      issues: ["11:30 open shop", "11:40 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 11:30, up 11:40" },
      uptime: { shop: uptime(10, MINUTES - 90) },
      windows: ["move 10:00-11:00, over 11:00", "test 11:00-11:30, over 11:30"],
    },
  },
  "a window without a name beside another, of another length": {
    ...DAY,
    config: config(
      "{ cron: 0 10 * * *, duration: 1h, sites: [Shop] }\n{ cron: 0 10 * * *, duration: 2h, sites: [Post] }",
      BOTH,
    ),
    faults: [["shop", "10:10", "12:00", "refused"], ["post", "10:10", "12:00", "refused"]],
    expected: {
      incidents: ["shop down 11:00-12:00"],
      alerts: [
        "11:00 shop down",
        "11:20 shop still down",
        "11:40 shop still down",
        "12:00 shop up",
      ],
      issues: ["11:00 open shop", "12:00 close shop"],
      states: {
        shop: "up 09:00, maintenance 10:00, down 11:00, up 12:00",
        post: "up 09:00, maintenance 10:00, up 12:00",
      },
      uptime: { shop: uptime(60, 180), post: 100 },
      windows: [
        "scheduled-maintenance-2 10:00-12:00, over 12:00",
        "scheduled-maintenance 10:00-11:00, over 11:00",
      ],
    },
  },
  "a window of no length": {
    ...DAY,
    config: config(MOVE.replace("1h", "0")),
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "a window of negative length": {
    ...DAY,
    config: config(MOVE.replace("1h", "-1h")),
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "an issue of no length": {
    ...DAY,
    config: WITHOUT,
    issues: [["09:00", "13:00", 12, ROUTER.replace("11:00Z", "10:00Z")]],
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "an issue that ends before it begins": {
    ...DAY,
    config: WITHOUT,
    issues: [["09:00", "13:00", 12, ROUTER.replace("11:00Z", "09:30Z")]],
    faults: [["shop", "10:10", "10:25", "refused"]],
    expected: AS_WITHOUT,
  },
  "a window is made longer while it goes on": {
    ...DAY,
    config: { "09:00": config(MOVE), "10:43": config(MOVE.replace("1h", "2h")) },
    faults: [["shop", "10:30", "11:30", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 12:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-12:00, over 12:00"],
    },
  },
  "a window is made longer once it is over": {
    ...DAY,
    config: { "09:00": config(MOVE), "11:03": config(MOVE.replace("1h", "2h")) },
    faults: [["shop", "11:05", "11:30", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 11:00, maintenance 11:05, up 12:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-12:00, over 12:00"],
    },
  },
  "a window is made shorter while it goes on": {
    ...DAY,
    config: { "09:00": config(MOVE), "10:18": config(MOVE.replace("1h", "30m")) },
    faults: [["shop", "10:10", "11:00", "refused"]],
    expected: {
      incidents: ["shop down 10:30-11:00"],
      alerts: ["10:30 shop down", "10:50 shop still down", "11:00 shop up"],
      issues: ["10:30 open shop", "11:00 close shop"],
      states: { shop: "up 09:00, maintenance 10:00, down 10:30, up 11:00" },
      uptime: { shop: uptime(30, MINUTES - 30) },
      windows: ["move 10:00-10:30, over 10:30"],
    },
  },
  "a window is removed while it goes on": {
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
  "the configuration is in error while a window goes on": {
    ...DAY,
    config: { "09:00": config(MOVE), "10:18": config(MOVE.replace("1h", "forever")) },
    faults: [["shop", "10:10", "10:50", "refused"]],
    expected: {
      states: { shop: "up 09:00, maintenance 10:00, up 11:00" },
      uptime: { shop: 100 },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
  "a window gets another site while it goes on": {
    ...DAY,
    config: {
      "09:00": config(MOVE, BOTH),
      "10:18": config(MOVE.replace("[Shop]", "[Shop, Post]"), BOTH),
    },
    faults: [["post", "10:10", "10:50", "refused"]],
    expected: {
      incidents: ["post down 10:10-11:00"],
      alerts: ["10:10 post down", "11:00 post up"],
      issues: ["10:10 open post", "11:00 close post"],
      states: {
        shop: "up 09:00, maintenance 10:00, up 11:00",
        post: "up 09:00, down 10:10, maintenance 10:20, up 11:00",
      },
      // What is said of the window late is said of all of it.
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
      states: {
        shop: "up 00:30, down 00:40, up 00:50, maintenance 01:30, down 02:30, up 02:40",
      },
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
      states: {
        shop: "up 00:00, maintenance 00:30, down 01:30, up 01:40, down 02:00, up 02:10",
      },
      uptime: { shop: uptime(20, 180) },
      windows: ["night 00:30-01:30, over 01:30"],
    },
  },
  "clocks go forth within a window, which lasts as long as ever": {
    day: "2027-03-28",
    from: "03-27T23:30",
    to: "04:30",
    config: config(BERLIN.replace("30 2", "0 1").replace("1h", "3h")),
    faults: [["shop", "00:10", "03:10", "refused"]],
    expected: {
      incidents: ["shop down 03:00-03:10"],
      alerts: ["03:00 shop down", "03:10 shop up"],
      issues: ["03:00 open shop", "03:10 close shop"],
      states: { shop: "up 03-27T23:30, maintenance 00:00, down 03:00, up 03:10" },
      uptime: { shop: uptime(10, 120) },
      windows: ["night 00:00-03:00, over 03:00"],
    },
  },
  "clocks go back within a window, which lasts as long as ever": {
    day: "2027-10-31",
    from: "10-30T22:30",
    to: "03:30",
    config: config(BERLIN.replace("30 2", "0 1").replace("1h", "3h")),
    faults: [["shop", "00:10", "02:10", "refused"]],
    expected: {
      incidents: ["shop down 02:00-02:10"],
      alerts: ["02:00 shop down", "02:10 shop up"],
      issues: ["02:00 open shop", "02:10 close shop"],
      states: {
        shop: "up 10-30T22:30, maintenance 10-30T23:00, down 02:00, up 02:10",
      },
      uptime: { shop: uptime(10, 120) },
      windows: ["night 10-30T23:00-02:00, over 02:00"],
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
  "a month without that end": {
    day: "2027-02-28",
    from: "22:00",
    to: "03-01T02:00",
    config: config("{ name: Month, cron: 0 23 31 * *, duration: 2h }"),
    faults: [["shop", "23:10", "23:20", "refused"]],
    expected: {
      incidents: ["shop down 23:10-23:20"],
      alerts: ["23:10 shop down", "23:20 shop up"],
      issues: ["23:10 open shop", "23:20 close shop"],
      states: { shop: "up 22:00, down 23:10, up 23:20" },
      uptime: { shop: uptime(10, MINUTES) },
    },
  },
  "a leap day": {
    day: "2028-02-29",
    from: "11:00",
    to: "15:00",
    config: config("{ name: Leap, cron: 0 12 29 2 *, duration: 1h }"),
    faults: [["shop", "12:10", "13:10", "refused"]],
    expected: {
      incidents: ["shop down 13:00-13:10"],
      alerts: ["13:00 shop down", "13:10 shop up"],
      issues: ["13:00 open shop", "13:10 close shop"],
      states: { shop: "up 11:00, maintenance 12:00, down 13:00, up 13:10" },
      uptime: { shop: uptime(10, 180) },
      windows: ["leap 12:00-13:00, over 13:00"],
    },
  },
  "a year without a leap day": {
    day: "2027-03-01",
    from: "11:00",
    to: "15:00",
    config: config("{ name: Leap, cron: 0 12 29 2 *, duration: 1h }"),
    faults: [["shop", "12:10", "12:20", "refused"]],
    expected: {
      incidents: ["shop down 12:10-12:20"],
      alerts: ["12:10 shop down", "12:20 shop up"],
      issues: ["12:10 open shop", "12:20 close shop"],
      states: { shop: "up 11:00, down 12:10, up 12:20" },
      uptime: { shop: uptime(10, MINUTES) },
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
  // Its changes before the window and after it are told together: what is within stands still.
  "a site flaps before, within and after a window": {
    from: "09:00",
    to: "13:30",
    config: config(MOVE),
    faults: [
      "09:30",
      "09:40",
      "09:50",
      "10:00",
      "10:10",
      "10:20",
      "10:30",
      "10:40",
      "10:50",
      "11:00",
      "11:10",
      "11:20",
      "11:30",
      "11:40",
      "11:50",
    ].map((minute) => ["shop", minute, minute.replace(/0$/, "5"), "refused"]),
    expected: {
      incidents: [
        "shop down 09:30-09:35",
        "shop down 09:40-09:45",
        "shop down 09:50-09:55",
        "shop down 11:00-11:05",
        "shop down 11:10-11:15",
        "shop down 11:20-11:55",
      ],
      alerts: [
        "09:30 shop down",
        "09:35 shop up",
        "09:40 shop down",
        "09:45 shop up",
        "09:50 shop down",
        "09:55 shop up",
        "11:00 shop down",
        "11:05 shop up",
        "11:10 shop down",
        "11:15 shop up",
        "11:20 shop flapping",
        "12:20 shop up",
      ],
      issues: [
        "09:30 open shop",
        "09:35 close shop",
        "09:40 open shop-2",
        "09:45 close shop-2",
        "09:50 open shop-3",
        "09:55 close shop-3",
        "11:00 open shop-4",
        "11:05 close shop-4",
        "11:10 open shop-5",
        "11:15 close shop-5",
        "11:20 open shop-6",
        "12:20 close shop-6",
      ],
      states: {
        shop:
          "up 09:00, down 09:30, up 09:35, down 09:40, up 09:45, down 09:50, up 09:55, maintenance 10:00, down 11:00, up 11:05, down 11:10, up 11:15, down 11:20, up 11:25, down 11:30, up 11:35, down 11:40, up 11:45, down 11:50, up 11:55",
      },
      // Of an outage that is told once, the good answers in it count as such.
      uptime: { shop: uptime(45, 210) },
      windows: ["move 10:00-11:00, over 11:00"],
    },
  },
};
