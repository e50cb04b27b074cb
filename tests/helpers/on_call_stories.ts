import type { VENDORS } from "./vendors/vendors.ts";

export type Keys = Readonly<Record<string, unknown>>;

/** What happens on call, and what each channel must receive. */
export interface OnCallStory {
  what: string;
  /** Keys by name; those of the vendor's emulator are added. */
  channels: Readonly<Record<string, Keys & { type: keyof typeof VENDORS }>>;
  /** Keys by name; one named Shop if absent. */
  sites?: Readonly<Record<string, Keys>>;
  top?: Keys;
  /**
   * Runs: the minute of each, from 20:00 in Vienna on, and what happens a minute before it: `Shop down`, `all up`,
   * `ann on Shop: /ack`, `monitor ack Shop --by jo`, `lose run state`.
   */
  runs: readonly (readonly [minute: number, ...happenings: string[]])[];
  /** Lines as `MINUTE WHAT`, by channel; alerts are numbered in the order in which they come. */
  received: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

const QUIET = { quiet: { from: "21:00", to: "07:00" } };
/** Types with an emulator for each way of ending an alert. */
const PAGERS = {
  pagerduty: { type: "pagerduty" },
  jsm: { type: "jsm" },
  incidentio: { type: "incident-io" },
  pushover: { type: "pushover", priority: "2", retry: 60, expire: 10_800 },
} as const;
const withKeys = (keys: object) =>
  Object.fromEntries(Object.entries(PAGERS).map(([name, own]) => [name, { ...own, ...keys }]));

const CHAT = { type: "ntfy" } as const;
const TWO = { Shop: {}, Post: {} };

export const STORIES: OnCallStory[] = [
  {
    what:
      "in quiet hours alerts are acknowledged and resolved at once, and people read it in the morning",
    channels: { ...withKeys(QUIET), chat: { ...CHAT, ...QUIET } },
    sites: TWO,
    runs: [
      [55, "all down"],
      [61, "ann on Shop: /ack"],
      [66, "Post up"],
      [70, "Shop up"],
      [660],
    ],
    received: {
      pagerduty: [
        "55 trigger #1 Shop is down",
        "55 trigger #2 Post is down",
        "61 acknowledge #1",
        "66 resolve #2",
        "70 resolve #1",
      ],
      jsm: [
        "55 create #3 Shop is down",
        "55 create #4 Post is down",
        "61 acknowledge #3",
        "66 close #4",
        "70 close #3",
      ],
      incidentio: [
        "55 firing #5 Shop is down",
        "55 firing #6 Post is down",
        "66 resolved #6",
        "70 resolved #5",
      ],
      // One emergency for both, which is cancelled once nobody has to take on either.
      pushover: [
        "55 emergency #7 Shop and Post are down",
        "66 cancel #7",
        "660 Post and Shop are up again",
      ],
      chat: [
        "55 Shop is down | answered 503 Service Unavailable",
        "55 Post is down | answered 503 Service Unavailable",
        "660 Post and Shop are up again | ✅ Post is up again after 11 minutes " +
        "(503 Service Unavailable, 23 Nov 20:55 to 21:06 CET)",
      ],
    },
  },
  {
    what: "a mute acknowledges, cancels, and says once who has muted; a recovery resolves at once",
    channels: { ...PAGERS, chat: CHAT },
    runs: [[0, "Shop down"], [5, "ann on Shop: /mute 8h"], [10], [30, "Shop up"], [490]],
    received: {
      pagerduty: ["0 trigger #1 Shop is down", "5 acknowledge #1", "30 resolve #1"],
      jsm: ["0 create #2 Shop is down", "5 acknowledge #2", "30 close #2"],
      incidentio: ["0 firing #3 Shop is down", "30 resolved #3"],
      pushover: [
        "0 emergency #4 Shop is down",
        "5 cancel #4",
        "5 ann has muted Shop for 8 hours",
        "490 Shop is up again after 30 minutes",
      ],
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "5 ann has muted Shop for 8 hours | Shop is down; the next message about it comes after 24 Nov 04:04 CET",
        "490 Shop is up again after 30 minutes | 503 Service Unavailable, 23 Nov 20:00 to 20:30 CET",
      ],
    },
  },
  {
    what:
      "a repair in maintenance that was started because of the outage is resolved at once, with its time",
    channels: { pagerduty: PAGERS.pagerduty, chat: CHAT },
    runs: [
      [0, "Shop down"],
      [2, "monitor maintenance start Shop --for 2h"],
      [10, "Shop up"],
      [15],
      [130],
    ],
    received: {
      pagerduty: ["0 trigger #1 Shop is down", "10 resolve #1"],
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "10 Shop is up again after 10 minutes | 503 Service Unavailable, 20:00 to 20:10 CET",
      ],
    },
  },
  {
    what: "a site without results reaches a pager after its step, and is resolved",
    channels: {
      pagerduty: { ...PAGERS.pagerduty, after: "15m" },
      sms: { type: "twilio", after: "1h", severity: "critical" },
      chat: CHAT,
    },
    sites: { Shop: { headers: ["X-Key: $API_TOKEN"] }, Post: {} },
    runs: [[0], [5, "Shop unknown"], [10], [15], [20], [30], [40, "Shop up"], [45]],
    received: {
      pagerduty: ["30 trigger #1 Shop could not be checked in 5 runs", "40 resolve #1"],
      chat: [
        /^15 Shop could not be checked in 3 runs \| secret API_TOKEN is missing: .* since 20:05 CET$/,
        /^40 Shop is checked again \| It is up$/,
      ],
    },
  },
  {
    what: "a site that changes for 15 minutes reaches the step of 15 minutes",
    channels: { pagerduty: { ...PAGERS.pagerduty, after: "15m" } },
    top: { reopenWithin: "30m" },
    runs: [
      [0, "Shop down"],
      [5, "Shop up"],
      [10, "Shop down"],
      [12, "Shop up"],
      [15, "Shop down"],
      [20, "Shop up"],
    ],
    received: {
      pagerduty: [
        /^15 trigger #1 Shop is down and has had problems for 15 minutes; nobody has/,
        "20 resolve #1",
      ],
    },
  },
  {
    what: "/ack all acknowledges whatever is open, if the person may",
    channels: {
      chat: { ...CHAT, reminders: ["10m"] },
      jsm: { type: "jsm" },
      head: { ...PAGERS.pagerduty, after: "30m" },
    },
    sites: { ...TWO, Blog: {} },
    runs: [
      [0, "Shop Post down"],
      [5, "stranger on Shop: /ack all"],
      [8, "ann on Shop: /ack all"],
      [20, "Blog down"],
      [30],
    ],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "0 Post is down | answered 503 Service Unavailable",
        "8 ann has acknowledged: Shop is down | 7 minutes after the start",
        "8 ann has acknowledged: Post is down | 7 minutes after the start",
        "20 Blog is down | answered 503 Service Unavailable",
        "30 Blog has been down for 10 minutes | answered 503 Service Unavailable",
      ],
      jsm: [
        "0 create #1 Shop is down",
        "0 create #2 Post is down",
        "8 acknowledge #1",
        "8 acknowledge #2",
        "20 create #3 Blog is down",
      ],
    },
  },
  {
    what: "monitor mute --all keeps all sites quiet, also those that fail later",
    channels: { chat: CHAT, pagerduty: PAGERS.pagerduty },
    sites: TWO,
    runs: [
      [0, "Shop down"],
      [5, "monitor mute --all --for 2h --by jo"],
      [10, "Post down"],
      [15, "Shop up"],
      [130],
    ],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        /^5 jo has muted Shop for 2 hours/,
        /^130 /,
        /^130 /,
      ],
      pagerduty: [
        "0 trigger #1 Shop is down",
        "5 acknowledge #1",
        "15 resolve #1",
        "130 trigger #2 Post is down",
      ],
    },
  },
  {
    what: "an acknowledgement is passed on anew after a short recovery, and no emergency rings",
    channels: { pagerduty: PAGERS.pagerduty, jsm: { type: "jsm" }, pushover: PAGERS.pushover },
    top: { reopenWithin: "30m" },
    runs: [
      [0, "Shop down"],
      [5, "ann on Shop: /ack"],
      [10, "Shop up"],
      [15, "Shop down"],
      [20],
      [25, "Shop up"],
    ],
    received: {
      pagerduty: [
        "0 trigger #1 Shop is down",
        "5 acknowledge #1",
        "10 resolve #1",
        "15 trigger #1 Shop is down",
        "15 acknowledge #1",
        "25 resolve #1",
      ],
      jsm: [
        "0 create #2 Shop is down",
        "5 acknowledge #2",
        "10 close #2",
        "15 create #2 Shop is down",
        "15 acknowledge #2",
        "25 close #2",
      ],
      pushover: [
        "0 emergency #3 Shop is down",
        "5 cancel #3",
        "5 ann has acknowledged: Shop is down",
        "10 Shop is up again after 10 minutes",
        "15 Shop is down",
        "25 Shop is up again after 10 minutes",
      ],
    },
  },
  {
    what: "an emergency in a message about other sites is cancelled",
    channels: { pushover: { ...PAGERS.pushover, "group-notifications": true } },
    sites: { Warn: { severity: "warning" }, Shop: {} },
    runs: [[0, "all down"], [5, "all up"]],
    received: {
      pushover: [
        "0 emergency #1 Warn and Shop are down",
        "5 cancel #1",
        "5 Warn and Shop are up again",
      ],
    },
  },
  {
    what: "a recovery during a mute of three days is sent at its end",
    channels: { chat: CHAT },
    runs: [[0, "Shop down"], [5, "ann on Shop: /mute 3d"], [60, "Shop up"], [3000], [4330], [4335]],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        /^5 ann has muted Shop for 3 days/,
        /^4330 Shop is up again after 1 hour/,
      ],
    },
  },
  {
    what: "after the run state is lost nothing is sent twice, and everything ends",
    channels: {
      chat: CHAT,
      pagerduty: PAGERS.pagerduty,
      pushover: PAGERS.pushover,
      later: {
        ...PAGERS.pagerduty,
        component: "later",
        "integration-key": "$HOOK_PATH",
        after: "15m",
      },
    },
    sites: TWO,
    runs: [
      [0, "Shop down"],
      // The file of an incident says what was sent before the last run.
      [5, "Post down"],
      [15],
      [16],
      [17, "lose run state"],
      [20, "all up"],
      [25],
    ],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "5 Post is down | answered 503 Service Unavailable",
        "20 Shop is up again after 20 minutes | 503 Service Unavailable, 20:00 to 20:20 CET",
        "20 Post is up again after 15 minutes | 503 Service Unavailable, 20:05 to 20:20 CET",
      ],
      pagerduty: [
        "0 trigger #1 Shop is down",
        "5 trigger #3 Post is down",
        "20 resolve #1",
        "20 resolve #3",
      ],
      pushover: [
        "0 emergency #2 Shop is down",
        "5 emergency #4 Post is down",
        "20 cancel #2",
        "20 cancel #4",
        "20 Shop is up again after 20 minutes",
        "20 Post is up again after 15 minutes",
      ],
      later: [/^15 trigger #1 Shop has been down for 15 minutes/, "20 resolve #1"],
    },
  },
];
