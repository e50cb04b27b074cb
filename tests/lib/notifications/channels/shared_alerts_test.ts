import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { endsSilently, isEmergency } from "../../../../lib/config/channels/kinds.ts";
import { CHANNEL_TYPES } from "../../../../lib/config/channels/keys.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import { checkIncidentIo, checkJsm, checkPushover } from "../../../helpers/vendors/alerting.ts";
import { messageOf, sendingWith, siteEvent } from "../../../helpers/vendors/messages.ts";
import { checkDatadog, checkPagerduty } from "../../../helpers/vendors/paging.ts";

const NOTIFICATIONS = {
  pagerduty: { type: "pagerduty", "integration-key": "key" },
  jsm: { type: "jsm", "api-key": "key" },
  "incident-io": { type: "incident-io", url: "https://hooks.example/x", token: "key" },
  datadog: { type: "datadog", "api-key": "key" },
  pushover: { type: "pushover", token: "key", user: "key", priority: "2" },
} as const satisfies Record<string, Notification>;

const CHECKS = {
  pagerduty: checkPagerduty,
  jsm: checkJsm,
  "incident-io": checkIncidentIo,
  datadog: checkDatadog,
  pushover: checkPushover,
};

type Type = keyof typeof NOTIFICATIONS;

/** The requests that events make, each as its vendor would take it. */
function requests(type: Type, events: SiteEvent[], changes: Partial<Notification> = {}) {
  const notification = { ...NOTIFICATIONS[type], ...changes };
  const made = CHANNELS[type].preview(notification, messageOf(...events), sendingWith()) as {
    address: string;
    // deno-lint-ignore no-explicit-any
    body: any;
  }[];
  for (const { body } of made) CHECKS[type](body);
  return made;
}

/** Events of different sites, which share an alert if one is given. */
function several(count: number, changes: Partial<SiteEvent> = {}): SiteEvent[] {
  return Array.from({ length: count }, (_, index) =>
    siteEvent({
      name: `Site ${index}`,
      slug: `site-${index}`,
      id: `site-${index}`,
      incident: `2026-11-21-site-${index}`,
      error: `answered ${500 + index}`,
      ...changes,
    }));
}

const END = { kind: "up", silent: true } as const;
const TITLE = "jo has acknowledged: Shop is down";
const ACKNOWLEDGE = { kind: "notice", news: "acknowledged", title: TITLE, silent: true } as const;
const MUTE = { ...ACKNOWLEDGE, news: "muted", title: "jo has muted Shop for 2 hours" } as const;

/** What the requests of an event do with its alert. */
const actions = (changes: Partial<SiteEvent>, type: Type): string[] =>
  requests(type, [siteEvent(changes)]).map(({ address, body }) =>
    body.event_action ?? body.status ?? address.split("/").at(-1)!
  );

Deno.test("a test leaves no alert behind", () => {
  assertEquals(actions({ kind: "test" }, "pagerduty"), ["trigger", "resolve"]);
  assertEquals(actions({ kind: "test" }, "jsm"), ["alerts", "close"]);
  assertEquals(actions({ kind: "test" }, "incident-io"), ["firing", "resolved"]);
  const [first] = requests("pagerduty", [siteEvent({ kind: "test" })]);
  assertEquals(first!.body.payload.severity, "info");
});

Deno.test("a silent event ends or acknowledges the alert of its incident, and sends nothing to read", () => {
  const tag = requests("pushover", [siteEvent()])[0]!.body.tags;
  assertEquals(actions(END, "pagerduty"), ["resolve"]);
  assertEquals(actions(ACKNOWLEDGE, "pagerduty"), ["acknowledge"]);
  assertEquals(actions(MUTE, "pagerduty"), ["acknowledge"]);
  assertEquals(actions(END, "jsm"), ["close"]);
  assertEquals(actions(ACKNOWLEDGE, "jsm"), ["acknowledge"]);
  assertEquals(actions(END, "incident-io"), ["resolved"]);
  assertEquals(actions(ACKNOWLEDGE, "incident-io"), []);
  const heard = { ...ACKNOWLEDGE, silent: undefined };
  assertEquals(
    requests("jsm", [siteEvent(heard)]).map(({ address }) => new URL(address).pathname),
    [
      "/jsm/ops/integration/v2/alerts/acme%3Astatus%3Ashop%3A2026-11-21-shop/acknowledge",
    ],
  );
  assertEquals(actions(heard, "incident-io"), []);
  for (const event of [END, ACKNOWLEDGE, MUTE]) {
    const [cancel, ...others] = requests("pushover", [siteEvent(event)]);
    assertStringIncludes(cancel!.address, `/1/receipts/cancel_by_tag/${tag}.json`);
    assertEquals(others, []);
  }
});

Deno.test("a notice that is over ends its alert", () => {
  const notice = { kind: "notice", incident: "channel/slack", over: true, silent: true } as const;
  assertEquals(requests("pagerduty", [siteEvent(notice)])[0]!.body, {
    routing_key: "***",
    dedup_key: "acme/status:channel/slack",
    event_action: "resolve",
  });
});

Deno.test("incidents that share an alert are one alert with the joint headline, all names and all errors", () => {
  const events = several(25, { alert: "outage-1" });
  for (const type of Object.keys(NOTIFICATIONS) as Type[]) {
    const made = requests(type, events);
    assertEquals(made.length, 1, type);
    const text = JSON.stringify(made[0]!.body);
    assertStringIncludes(text, "Site 0, Site 1 and 23 more are down", type);
    if (type === "pushover") continue;
    for (const [index, { error }] of events.entries()) {
      assertStringIncludes(text, error, type);
      assert(new RegExp(`Site ${index}\\b`).test(text), type);
    }
  }
});

Deno.test("an error that all sites of a shared alert have is in its headline once, with all names", () => {
  const events = several(25, { alert: "outage-1", error: "answered 503" });
  const [pager] = requests("pagerduty", events);
  const { summary, component, custom_details: { site, error } } = pager!.body.payload;
  assertEquals(
    [summary.replace(/, since.*/, ""), error.replace(/, since.*/, ""), component],
    ["Site 0, Site 1 and 23 more are down: answered 503", "answered 503", undefined],
  );
  assertEquals(site, events.map(({ name }) => name).join(", "));
  for (const type of ["jsm", "incident-io", "datadog"] as const) {
    const { body } = requests(type, events)[0]!;
    const text = body.description ?? body.text;
    assertEquals(text.split("answered 503").length, 2, type);
    assertStringIncludes(text, events.map(({ name }) => name).join(", "), type);
  }
});

Deno.test("a shared alert keeps its key from the start to the end", () => {
  const ends = several(25, { alert: "outage-1", ...END });
  const keys = (type: Type, events: SiteEvent[]) =>
    requests(type, events).map(({ body }) =>
      body.dedup_key ?? body.alias ?? body.deduplication_key ?? body.aggregation_key ?? body.tags
    );
  const starts = several(25, { alert: "outage-1" });
  assertEquals(keys("pagerduty", starts), ["acme/status:outage-1"]);
  assertEquals(keys("pagerduty", ends), ["acme/status:outage-1"]);
  assertEquals(keys("incident-io", starts), keys("incident-io", ends));
  assertEquals(keys("datadog", starts), ["acme/status:outage-1"]);
  const [close] = requests("jsm", ends);
  assertEquals(
    [keys("jsm", starts), requests("jsm", ends).length, new URL(close!.address).pathname],
    [["acme:status:outage-1"], 1, "/jsm/ops/integration/v2/alerts/acme%3Astatus%3Aoutage-1/close"],
  );
  const [tag] = keys("pushover", starts);
  const cancels = requests("pushover", ends).map(({ address }) => address);
  assertEquals(cancels, [`https://api.pushover.net/1/receipts/cancel_by_tag/${tag}.json`]);
});

Deno.test("a shared alert is as severe as the worst of its sites", () => {
  const [mild, severe] = [
    several(3, { alert: "a", severity: "warning" }),
    [...several(3, { alert: "a", severity: "warning" }), ...several(1, { alert: "a" })],
  ];
  const severities = [mild, severe].map((events) => [
    requests("pagerduty", events)[0]!.body.payload.severity,
    requests("jsm", events)[0]!.body.priority,
  ]);
  assertEquals(severities, [["warning", "P3"], ["critical", "P1"]]);
});

Deno.test("a template is rendered for each event of a shared alert, as far as they fit", () => {
  const template = { "message-template": "$SITE_NAME: $ERROR" };
  const events = several(3, { alert: "a" });
  const [pager] = requests("pagerduty", events, template);
  assertEquals(
    pager!.body.payload.summary,
    "Site 0: answered 500; Site 1: answered 501; Site 2: answered 502",
  );
  const [alert] = requests("jsm", events, template);
  assertEquals(alert!.body.description.split("\n").length, 3);
});

Deno.test("events of a message without a shared alert are an alert each", () => {
  for (const type of ["pagerduty", "jsm", "incident-io", "datadog"] as const) {
    assertEquals(requests(type, several(20)).length, 20, type);
  }
  assertEquals(requests("pushover", several(20)).length, 1);
});

Deno.test("pagers and an emergency of Pushover open alerts; only those of pagers end without a message", () => {
  const pagers = CHANNEL_TYPES.filter((type) => endsSilently({ type }));
  assertEquals(pagers, ["pagerduty", "jsm", "incident-io"]);
  assertEquals(isEmergency({ type: "pushover", priority: "2" }), true);
  assertEquals(isEmergency({ type: "pushover", priority: "1" }), false);
  assertEquals(endsSilently({ type: "pushover" }), false);
});
