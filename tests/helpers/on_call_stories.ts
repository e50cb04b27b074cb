import type { OnCallStory } from "./on_call_player.ts";

const QUIET = { quiet: { from: "21:00", to: "07:00" } };
const EMERGENCY = { priority: "2", retry: 60, expire: 10_800 };
/** Types with an emulator for each way of ending an alert. */
const PAGERS = {
  pagerduty: { type: "pagerduty" },
  jsm: { type: "jsm" },
  incidentio: { type: "incident-io" },
  pushover: { type: "pushover", ...EMERGENCY },
};
const withKeys = (keys: object) =>
  Object.fromEntries(Object.entries(PAGERS).map(([name, own]) => [name, { ...own, ...keys }]));

const CHAT = { type: "ntfy" };
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
    what: "a minimum interval holds back no resolve",
    channels: {
      pagerduty: { ...PAGERS.pagerduty, "min-interval": 3_600 },
      chat: { ...CHAT, "min-interval": 3_600 },
    },
    runs: [[0, "Shop down"], [5, "Shop up"], [10], [60]],
    received: {
      pagerduty: ["0 trigger #1 Shop is down", "5 resolve #1"],
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "60 Shop is up again after 5 minutes | 503 Service Unavailable, 20:00 to 20:05 CET",
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
    what: "a channel with a typo pages nobody else; chats read of it and of its end",
    channels: {
      pagerduty: { ...PAGERS.pagerduty, after: "15m" },
      sms: { type: "twilio", severity: "critical", on: ["down"] },
      pushover: PAGERS.pushover,
      chat: CHAT,
      typo: { type: "nosuch" },
    },
    runs: [[0], [20], [
      25,
      {
        channels: {
          pagerduty: { ...PAGERS.pagerduty, after: "15m" },
          sms: { type: "twilio", severity: "critical", on: ["down"] },
          pushover: PAGERS.pushover,
          chat: CHAT,
        },
      },
    ], [30]],
    codes: { 0: 1, 20: 1 },
    received: {
      chat: [
        /^0 Notification channel nosuch \(line 1\) can't work \| type: expected one of /,
        /^25 Notification channel nosuch has no problem any more/,
      ],
    },
  },
  {
    what: "with pagers alone, a channel with a typo is a page after their step, and is resolved",
    channels: {
      pagerduty: { ...PAGERS.pagerduty, after: "15m" },
      sms: { type: "twilio", after: "10m", severity: "critical", on: ["down"] },
      typo: { type: "nosuch" },
    },
    runs: [[0], [10], [15], [20], [25, {
      channels: {
        pagerduty: { ...PAGERS.pagerduty, after: "15m" },
        sms: { type: "twilio", after: "10m", severity: "critical", on: ["down"] },
      },
    }]],
    codes: { 0: 1, 10: 1, 15: 1, 20: 1 },
    received: {
      pagerduty: [
        "15 trigger #1 Notification channel nosuch (line 1) can't work",
        "25 resolve #1",
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
    what: "a certificate is reported to a channel without on, and to none whose on lacks the word",
    certificate: 8.5,
    channels: { chat: CHAT, other: { ...CHAT, on: ["down", "up", "degraded"], topic: "other" } },
    sites: { Shop: { ca: "ca.pem" } },
    runs: [[0], [1_440], [2_880], [2_885], [8_640], [8_645], [11_520], [11_525]],
    received: {
      chat: [
        /^0 Shop: certificate expires in 8 days/,
        /^2880 Shop: certificate expires in 6 days/,
        /^8640 Shop: certificate expires in 2 days/,
        /^11520 Shop: certificate expires in 1[12] hours/,
      ],
    },
  },
  {
    what:
      "a wrong key of PagerDuty is reported by each run until it is mended, and then the outage is sent",
    channels: { pagerduty: PAGERS.pagerduty },
    runs: [
      [0, "Shop down", {
        answers: {
          pagerduty: {
            status: 400,
            body: '{"message":"Event object is invalid","errors":["Invalid routing key"]}',
          },
        },
      }],
      [5],
      [10],
      [15, { answers: { pagerduty: { status: 202, body: '{"status":"success"}' } } }],
      [20, "Shop up"],
    ],
    codes: { 0: 1, 5: 1, 10: 1 },
    prints: { 5: /check integration-key/, 10: /check integration-key/ },
    received: {
      pagerduty: [
        "0 trigger #1 Shop is down",
        "5 trigger #1 Shop is down",
        "10 trigger #1 Shop is down",
        "15 trigger #1 Shop is down",
        "20 resolve #1",
      ],
    },
  },
  {
    what: "a long runbook does not keep Telegram from the message",
    channels: { telegram: { type: "telegram" } },
    sites: { Shop: { runbook: "Restart the shop. ".repeat(242) } },
    runs: [[0, "Shop down"], [5, "Shop up"]],
    received: {
      telegram: ["0 🛑 <b>Shop is down</b>", "5 ✅ <b>Shop is up again after 5 minutes</b>"],
    },
  },
];
