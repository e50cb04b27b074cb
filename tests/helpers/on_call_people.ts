import type { OnCallStory } from "./on_call_player.ts";

const CHAT = { type: "ntfy" };
const PAGERDUTY = { type: "pagerduty" };
const EMERGENCY = { type: "pushover", priority: "2", retry: 60, expire: 10_800 };
const TWO = { Shop: {}, Post: {} };

function sites(count: number): NonNullable<OnCallStory["sites"]> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`Site${index + 1}`, {}]));
}

/** Stories about many sites, about people, and about what messages say. */
export const STORIES_OF_PEOPLE: OnCallStory[] = [
  {
    what: "120 sites that fail at once are one emergency, cancelled with the last",
    channels: { pushover: EMERGENCY },
    sites: sites(120),
    runs: [[0, "all down"], [5, "all up but Site1"], [10], [15, "all up"], [20]],
    received: {
      pushover: [
        /^0 emergency #1 .*Site1.* are down$/,
        /^5 .* are up again$/,
        "15 cancel #1",
        /^15 Site1 is up again after 15 minutes$/,
      ],
    },
  },
  {
    what: "more than 20 sites are one alert, resolved with the last",
    channels: { pagerduty: PAGERDUTY },
    sites: sites(21),
    runs: [[0, "all down"], [5, "all up but Site7"], [10, "all up"], [15]],
    received: { pagerduty: [/^0 trigger #1 .* are down$/, "10 resolve #1"] },
  },
  {
    what: "reminders and changes of an alert that sites share leave it one",
    channels: { incidentio: { type: "incident-io", reminders: ["30m"] }, pushover: EMERGENCY },
    sites: sites(21),
    runs: [[0, "all down"], [30], [35, "all degraded"], [40, "all down"], [45, "all up"]],
    received: {
      incidentio: [
        /^0 firing #1 .* are down$/,
        /^30 firing #1 .* are still down$/,
        /^35 firing #1 /,
        /^40 firing #1 /,
        "45 resolved #1",
      ],
      pushover: [
        /^0 emergency #2 .* are down$/,
        /^35 .* are degraded$/,
        /^40 emergency #2 .* are down$/,
        "45 cancel #2",
        /^45 .* are up again$/,
      ],
    },
  },
  {
    what: "50 sites with the same error are one message to a chat, and as many without groups",
    channels: { chat: CHAT, single: { ...CHAT, topic: "single", "group-notifications": false } },
    sites: sites(50),
    runs: [[0, "all down"], [5]],
    received: {
      chat: [/^0 Site1, .* are down/],
      single: Array.from(
        { length: 50 },
        (_, index) => `0 Site${index + 1} is down | answered 503 Service Unavailable`,
      ),
    },
  },
  {
    what: "a short recovery keeps the acknowledgement",
    channels: { chat: CHAT, pagerduty: { ...PAGERDUTY, after: "20m" } },
    top: { reopenWithin: "30m" },
    runs: [
      [0, "Shop down"],
      [5, "ann on Shop: /ack"],
      [10, "Shop up"],
      [15, "Shop down"],
      [25],
      [60],
    ],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "5 ann has acknowledged: Shop is down | 4 minutes after the start",
        "10 Shop is up again after 10 minutes | 503 Service Unavailable, 20:00 to 20:10 CET. " +
        "Acknowledged by ann 4 minutes after the start",
        "15 Shop is down | answered 503 Service Unavailable. " +
        "Acknowledged by ann 4 minutes after the start",
      ],
    },
  },
  {
    what: "a site that changes for 15 minutes reaches the step of 15 minutes",
    channels: { pagerduty: { ...PAGERDUTY, after: "15m" } },
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
    what:
      "an escalated message and a reminder say for how long, and the first that nobody has acknowledged",
    channels: {
      chat: { ...CHAT, reminders: ["62m"] },
      sms: { type: "twilio", after: "1h", severity: "critical" },
    },
    runs: [[0, "Shop down"], [60], [62]],
    received: {
      chat: [
        "0 Shop is down | answered 503 Service Unavailable",
        "62 Shop has been down for 1 hour 2 minutes | answered 503 Service Unavailable",
      ],
      sms: [/^60 Shop has been down for 1 hour; nobody has acknowledged \(.*20:00 CET\) http/],
    },
  },
  {
    what: "/ack all acknowledges whatever is open, if the person may",
    channels: {
      chat: { ...CHAT, reminders: ["10m"] },
      jsm: { type: "jsm" },
      head: { ...PAGERDUTY, after: "30m" },
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
    channels: { chat: CHAT, pagerduty: PAGERDUTY },
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
    what: "a recovery says once what was wrong and for how long, in the time of Vienna",
    channels: { chat: CHAT, sms: { type: "twilio" } },
    runs: [[0], [233, "Shop down"], [240, "Shop up"]],
    received: {
      chat: [
        "233 Shop is down | answered 503 Service Unavailable",
        "240 Shop is up again after 7 minutes | 503 Service Unavailable, 23:53 to 00:00 CET",
      ],
      sms: [
        /^233 Shop is down: answered 503 Service Unavailable, since 23:53 CET http/,
        /^240 Shop is up again after 7 minutes \(503 Service Unavailable, .*23:53 to .*00:00 CET\)/,
      ],
    },
  },
  {
    what: "an acknowledgement is passed on anew after a short recovery, and no emergency rings",
    channels: { pagerduty: PAGERDUTY, jsm: { type: "jsm" }, pushover: EMERGENCY },
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
    channels: { pushover: { ...EMERGENCY, "group-notifications": true } },
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
      pagerduty: PAGERDUTY,
      pushover: EMERGENCY,
      later: { ...PAGERDUTY, component: "later", "integration-key": "$HOOK_PATH", after: "15m" },
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
