import { assertEquals, assertStringIncludes } from "@std/assert";
import { toJoiningNotice, toMutedNotice } from "../../../lib/notifications/acknowledgements.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { renderEvent, renderMessage } from "../../../lib/notifications/message_text.ts";
import { CHANNELS } from "../../helpers/senders.ts";
import { messageOf, sendingWith, siteEvent } from "../../helpers/vendors/messages.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

const HOME = "https://github.com/acme/status";
const PAGE = "https://status.acme.example";
const VIENNA = {
  timezone: "Europe/Vienna",
  language: LANGUAGE,
  now: Temporal.Instant.from("2026-11-27T23:00:00Z"),
};
const DOWN = { since: "2026-11-27T22:53:03.120Z" } as const;
const FAILED = { kind: "down", code: 503, error: "answered 503 Service Unavailable" } as const;
const UP = {
  kind: "up",
  since: "2026-11-27T23:00:10.000Z",
  lasted: 420_000,
  failed: FAILED,
} as const;

const summaryOf = (changes: Partial<SiteEvent>) =>
  renderEvent(siteEvent({ ...DOWN, ...changes }), VIENNA).summary;

Deno.test("times are in the zone of the monitor, also those within errors, hints and notices", () => {
  assertEquals(
    renderEvent(siteEvent(DOWN), { ...VIENNA, now: VIENNA.now.subtract({ minutes: 5 }) }).summary,
    "Shop is down: answered 503 Service Unavailable, since 23:53 CET",
  );
  assertEquals(
    summaryOf({ error: "no beat since 2026-10-24 02:30 UTC" }),
    "Shop is down: no beat since 24 Oct 04:30 CEST, since 27 Nov 23:53 CET",
  );
  const { facts } = renderEvent(
    siteEvent({ hint: "It answered 200 until 2026-11-27 23:40 UTC." }),
    VIENNA,
  );
  assertEquals(facts[0]?.value, "It answered 200 until 00:40 CET.");
  const title = "No checks from 2026-11-26 10:05 to 2026-11-26 14:20 UTC";
  assertEquals(
    summaryOf({ kind: "notice", title, error: "4 hours" }),
    "No checks from 26 Nov 11:05 to 15:20 CET: 4 hours",
  );
});

Deno.test("a recovery says once what was wrong, and for how long", () => {
  assertEquals(
    summaryOf(UP),
    "Shop is up again after 7 minutes (503 Service Unavailable, 23:53 to 00:00 CET)",
  );
  const { facts, dated, reason } = renderEvent(siteEvent(UP), VIENNA);
  assertEquals(facts.map(({ label }) => label), ["Response time", "Address"]);
  assertEquals(dated, { reason: "503 Service Unavailable, 23:53 to 00:00 CET", facts });
  assertEquals(reason, "503 Service Unavailable");
  assertEquals(
    summaryOf({ ...UP, failed: { ...FAILED, kind: "degraded", error: "took 4000 ms" } }),
    "Shop is back to normal after 7 minutes (took 4000 ms, 23:53 to 00:00 CET)",
  );
  assertEquals(
    summaryOf({ ...UP, flapping: { changes: 9, within: 3_600_000 } }),
    "Shop is up again and stable after 7 minutes (503 Service Unavailable, 23:53 to 00:00 CET)",
  );
  assertEquals(
    summaryOf({ ...UP, gone: true }),
    "Shop is no longer monitored, which ends its incident after 7 minutes (503 Service Unavailable, 23:53 to 00:00 CET)",
  );
  assertEquals(
    summaryOf({ ...UP, was: "down", error: "" }),
    "Shop was down for 7 minutes: answered 503 Service Unavailable, 23:53 to 00:00 CET",
  );
  const votes = {
    ...FAILED,
    error: "down in Rome (up in Oslo): no beat since 2026-11-27 10:05 UTC",
  };
  assertStringIncludes(
    summaryOf({ ...UP, failed: votes }),
    "(no beat since 27 Nov 11:05 CET, 23:53 to 00:00 CET)",
  );
});

Deno.test("a reminder and an escalation say for how long", () => {
  const later = { ...VIENNA, now: Temporal.Instant.from("2026-11-27T23:55:59Z") };
  const headline = (changes: Partial<SiteEvent>) =>
    renderEvent(siteEvent({ ...DOWN, ...changes }), later).headline;
  assertEquals(headline({ reminder: true }), "Shop has been down for 1 hour 2 minutes");
  assertEquals(
    headline({ escalated: true }),
    "Shop has been down for 1 hour 2 minutes; nobody has acknowledged",
  );
  assertEquals(
    headline({ kind: "degraded", escalated: true }),
    "Shop has had degraded performance for 1 hour 2 minutes; nobody has acknowledged",
  );
  assertEquals(
    headline({ escalated: true, start: "2026-11-27T21:53:03Z" }),
    "Shop is down and has had problems for 2 hours 2 minutes; nobody has acknowledged",
  );
  const formerly = { by: "ann", at: DOWN.since, after: 0, why: "expired" } as const;
  assertEquals(
    renderEvent(siteEvent({ ...DOWN, escalated: true, formerly }), later).summary,
    "Shop has been down for 1 hour 2 minutes: answered 503 Service Unavailable, since 27 Nov 23:53 CET. Acknowledged by ann at the start, but the acknowledgement has expired",
  );
  assertEquals(
    renderEvent(siteEvent({ ...DOWN, escalated: true }), later).summary,
    "Shop has been down for 1 hour 2 minutes; nobody has acknowledged (answered 503 Service Unavailable, since 27 Nov 23:53 CET)",
  );
  const both = ["a", "b"].map((slug) => siteEvent({ ...DOWN, name: slug, slug, escalated: true }));
  assertEquals(
    renderMessage(messageOf(...both), later).headline,
    "a and b are still down; nobody has acknowledged",
  );
});

Deno.test("a status code is a fact only if the reason does not say it, and attempts are none", () => {
  const labels = (changes: Partial<SiteEvent>) =>
    renderEvent(siteEvent(changes), VIENNA).facts.map(({ label }) => label);
  assertEquals(labels({ code: 401, error: "answered 401 Unauthorized" }), ["Address"]);
  assertEquals(labels({ code: 200, error: "took 4000 ms" }), ["Code", "Address"]);
});

/** Sites that are down, the first with a runbook. */
function several(count: number, error: (index: number) => string): SiteEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `Shop ${index}`;
    const own = { id: name, name, slug: `shop-${index}`, incident: name, issue: index + 1 };
    return siteEvent({ ...DOWN, ...own, error: error(index), runbook: "https://wiki.example/a" });
  });
}

Deno.test("equal errors of several sites are one line, with the names of all in a mail", () => {
  const events = [
    ...several(5, () => "connection refused"),
    siteEvent({ ...DOWN, error: "reset" }),
  ];
  const { lines } = renderMessage(messageOf(...events), VIENNA);
  assertEquals(lines.map(({ summary }) => summary), [
    "Shop 0, Shop 1 and 3 more are down: connection refused, since 27 Nov 23:53 CET",
    "Shop is down: reset, since 27 Nov 23:53 CET",
  ]);
  const [{ label, value }] = lines[0]!.facts as [{ label: string; value: string }];
  assertEquals([label, value], ["Sites", "Shop 0, Shop 1, Shop 2, Shop 3, Shop 4"]);
});

Deno.test("a message about sites with one error says its headline once and names all of them", () => {
  const events = several(5, () => "connection refused");
  const { only } = renderMessage(messageOf(...events), VIENNA);
  assertEquals([only?.headline, only?.reason], [
    "Shop 0, Shop 1 and 3 more are down",
    "connection refused",
  ]);
  for (
    const type of [
      "slack",
      "discord",
      "teams",
      "google-chat",
      "matrix",
      "zulip",
      "ntfy",
      "email",
    ] as const
  ) {
    const text = JSON.stringify(
      CHANNELS[type].preview({ type }, messageOf(...events), sendingWith()),
    );
    assertStringIncludes(text, "Shop 0, Shop 1, Shop 2, Shop 3, Shop 4", type);
  }
  const telegram = JSON.stringify(
    CHANNELS.telegram.preview({ type: "telegram" }, messageOf(...events), sendingWith()),
  );
  assertEquals(telegram.split("Shop 0, Shop 1 and 3 more are down").length - 1, 1);
});

Deno.test("a short message about sites with one error says it, and since when", () => {
  const [{ body }] = CHANNELS.slack.preview(
    { type: "slack", short: true },
    messageOf(...several(5, () => "connection refused")),
    sendingWith({}, { places: { page: PAGE } }),
  ) as [{ body: { text: string } }];
  assertEquals(
    body.text,
    "🛑 Shop 0, Shop 1 and 3 more are down: connection refused, since 27 Nov 22:53 UTC · <https://status.acme.example|Status page>",
  );
});

Deno.test("a length below a second is said in words", () => {
  const brief = { ...UP, lasted: 340 };
  assertEquals(
    summaryOf(brief),
    "Shop is up again after less than a second (503 Service Unavailable, at 00:00 CET)",
  );
  assertEquals(
    renderEvent(siteEvent({ ...brief, was: "down" }), VIENNA).headline,
    "Shop was down for less than a second",
  );
});

Deno.test("words that need a bracket or a colon have no second one", () => {
  const flapping = { changes: 9, within: 3_600_000 };
  assertStringIncludes(
    summaryOf({ escalated: true, flapping }),
    "nobody has acknowledged: it keeps failing and recovering (last failure: answered 503",
  );
  const votes = "down in Rome (up in Oslo): timed out";
  const later = { ...VIENNA, now: VIENNA.now.add({ hours: 1 }) };
  assertStringIncludes(
    renderEvent(siteEvent({ ...DOWN, reminder: true, error: votes }), later).summary,
    "Shop has been down for 1 hour 6 minutes in Rome (up in Oslo): timed out, since",
  );
  const maintenance = { kind: "notice", topic: "maintenance", error: "All sites" } as const;
  assertEquals(
    summaryOf({ ...maintenance, title: "Maintenance has started: Move" }),
    "Maintenance has started: Move (All sites)",
  );
});

Deno.test("a certificate that was renewed unseen does not expire any more", () => {
  assertEquals(
    summaryOf({
      ...UP,
      was: "degraded",
      expiry: "certificate expires in 13 days",
      error: "certificate expires in 13 days (2026-12-04)",
    }),
    "Shop had degraded performance for 7 minutes: certificate was about to expire, 23:53 to 00:00 CET",
  );
});

Deno.test("a digest links the page or the list of incidents, or the issue that all share", () => {
  const address = (type: "twilio" | "pushover", events: SiteEvent[], page?: string) => {
    const sending = sendingWith({}, { places: { home: HOME, page } });
    const [{ form, body }] = CHANNELS[type].preview({ type }, messageOf(...events), sending) as [
      { form?: { Body: string }; body?: { url: string } },
    ];
    return body?.url ?? / (https:\S+)$/.exec(form!.Body)?.[1];
  };
  const events = several(12, (index) => `answered ${500 + index}`);
  const list = `${HOME}/issues?q=is%3Aopen+label%3Astatus`;
  const shared = events.map((event) => ({ ...event, issue: 7 }));
  for (const type of ["twilio", "pushover"] as const) {
    assertEquals(address(type, events, PAGE), PAGE);
    assertEquals(address(type, events), list);
    assertEquals(address(type, shared, PAGE), `${HOME}/issues/7`);
  }
});

Deno.test("a text message has the start and the link, whatever else is cut", () => {
  const text = (changes: Partial<SiteEvent>) => {
    const sending = sendingWith({}, { timezone: "Europe/Vienna" });
    const event = siteEvent({ since: "2026-11-21T09:55:03Z", ...changes });
    const [{ form }] = CHANNELS.twilio.preview({ type: "twilio" }, messageOf(event), sending) as [
      { form: { Body: string } },
    ];
    return form.Body;
  };
  const formerly = {
    by: "somebody with a long name",
    at: "2026-11-21T09:55:03Z",
    after: 0,
    why: "expired",
  } as const;
  assertEquals(
    text({ reminder: true, formerly }),
    "Shop has been down for 4 minutes: answered 503 Service Unavailable, since 10:55 CET https://github.com/acme/status/issues/12",
  );
  const names = { name: "Shop ".repeat(60), error: "answered 503 ".repeat(60) };
  for (const changes of [names, { ...names, name: "Магазин" }, { ...names, kind: "up" } as const]) {
    const body = text(changes);
    assertStringIncludes(body, "10:55 CET");
    assertEquals(body.endsWith(" https://github.com/acme/status/issues/12"), true);
  }
});

Deno.test("Telegram shows our own sentences as text, and those of servers as code", () => {
  const formerly = { by: "ann", at: DOWN.since, after: 0, why: "expired" } as const;
  const [{ body }] = CHANNELS.telegram.preview(
    { type: "telegram", "chat-id": "1" },
    messageOf(siteEvent({ formerly })),
    sendingWith(),
  ) as [{ body: { text: string } }];
  assertStringIncludes(
    body.text,
    "<code>answered 503 Service Unavailable</code>\nAcknowledged by ann at the start, but the acknowledgement has expired\nSince:",
  );
});

Deno.test("a notice says when a muted site is heard of again, and joins names with and", () => {
  const at = VIENNA.now;
  const mute = { by: "ann", at, until: at.add({ hours: 2 }) };
  const summary = (event: SiteEvent) => renderEvent(event, VIENNA).summary;
  assertEquals(
    summary(toMutedNotice(siteEvent(DOWN), mute, LANGUAGE)),
    "ann has muted Shop for 2 hours: Shop is down; the next message about it comes after 02:00 CET",
  );
  assertEquals(
    summary(toJoiningNotice(siteEvent(DOWN), { names: ["API", "Blog"], count: 2 }, LANGUAGE)),
    "API and Blog fail as well: Shop is down, which explains it",
  );
});
