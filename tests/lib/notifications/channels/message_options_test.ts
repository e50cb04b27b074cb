import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { ChannelType, Notification } from "../../../../lib/config/channels/keys.ts";
import { CHANNEL_KINDS } from "../../../../lib/config/channels/kinds.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { findMessageKind } from "../../../../lib/notifications/templates.ts";
import { mailTo } from "../../../helpers/mails.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { CANARIES, VENDORS } from "../../../helpers/vendors/vendors.ts";

const { email: _, ...OVER_HTTP } = CHANNELS;
const TYPES = Object.keys(OVER_HTTP) as (keyof typeof VENDORS)[];

function channelOf(type: ChannelType): Notification {
  return type === "email" ? mailTo(587, {}) : VENDORS[type].notification("https://a.example");
}

/** What a channel with some more keys would send, as text. */
function preview(type: ChannelType, keys: Partial<Notification>, events: SiteEvent[]): string {
  const notification = { ...channelOf(type), ...keys };
  const sent = CHANNELS[type].preview(notification, messageOf(...events), sendingWith());
  return JSON.stringify(sent).replaceAll(
    /\$(CHAT|PHONE)/g,
    (_, name: "CHAT" | "PHONE") => CANARIES[name],
  );
}

/** The bodies of the requests that a channel with some more keys would make. */
// deno-lint-ignore no-explicit-any
function bodies(type: ChannelType, keys: Partial<Notification>, events: SiteEvent[]): any[] {
  const sent: { body?: unknown; form?: unknown }[] = JSON.parse(preview(type, keys, events));
  return sent.map(({ body, form }) => body ?? form);
}

const UP = siteEvent({ kind: "up" });
const REMINDER = siteEvent({ reminder: true });
const ACKNOWLEDGED = siteEvent({
  kind: "notice",
  news: "acknowledged",
  title: "jo has acknowledged: Shop is down",
});
const EXPIRING = siteEvent({
  kind: "notice",
  topic: "certificate",
  title: "The certificate of Shop expires in 7 days",
  error: "on 2026-11-28",
});
const BY_KIND = {
  down: "D!$SITE_NAME!$ERROR",
  reminder: "R!$SITE_NAME",
  acknowledged: "A!$ERROR",
  certificate: "C!$SITE_NAME",
};

Deno.test("each event makes a message of one kind, and tests and notices of the monitor of none", () => {
  const kinds: [Partial<SiteEvent>, ReturnType<typeof findMessageKind>][] = [
    [{ kind: "down" }, "down"],
    [{ kind: "degraded" }, "degraded"],
    [{ kind: "up" }, "up"],
    [{ kind: "down", reminder: true }, "reminder"],
    [{ kind: "degraded", reminder: true }, "reminder"],
    [{ kind: "down", flapping: { changes: 9, within: 3_600_000 } }, "flapping"],
    [{ kind: "up", flapping: { changes: 9, within: 3_600_000 } }, "up"],
    [{ kind: "notice", news: "acknowledged" }, "acknowledged"],
    [{ kind: "notice", topic: "maintenance" }, "maintenance"],
    [{ kind: "notice", topic: "certificate" }, "certificate"],
    [{ kind: "notice", topic: "unknown" }, "unknown"],
    [{ kind: "notice" }, undefined],
    [{ kind: "test" }, undefined],
  ];
  for (const [changes, kind] of kinds) assertEquals(findMessageKind(siteEvent(changes)), kind);
});

Deno.test("a text by kind replaces that of its kind, and every other message stays as it is", () => {
  const others = [UP, siteEvent({ kind: "degraded" }), siteEvent({ kind: "test" })];
  const alike = ["pagerduty", "jsm", "incident-io"];
  for (const type of [...TYPES, "email"] as const) {
    const template = { "message-template": BY_KIND };
    const text = (event: SiteEvent) => preview(type, template, [event]).replaceAll("\\\\", "");
    assertMatch(text(siteEvent()), /D!Shop!answered 503/, type);
    if (type !== "pagerduty") assertMatch(text(REMINDER), /R!Shop/, type);
    for (const event of others) {
      assertEquals(preview(type, template, [event]), preview(type, {}, [event]), type);
    }
    if (!alike.includes(type)) {
      assertMatch(text(ACKNOWLEDGED), /A!jo has acknowledged/, type);
      assertMatch(text(EXPIRING), /C!Shop/, type);
    }
  }
});

Deno.test("a single text is for every event of a site, as before", () => {
  for (const type of TYPES) {
    const template = { "message-template": "S!$SITE_NAME" };
    for (const event of [siteEvent(), REMINDER, siteEvent({ kind: "test" })]) {
      assertMatch(preview(type, template, [event]), /S!Shop/, type);
    }
    assert(!preview(type, template, [EXPIRING]).includes("S!"), type);
  }
});

Deno.test("a joint message has a line for each event without a text of its own", () => {
  const events = [siteEvent(), siteEvent({ kind: "up", name: "Blog", slug: "blog", id: "b" })];
  for (const type of ["slack", "discord", "telegram", "mattermost", "ntfy", "matrix"] as const) {
    const text = preview(type, { "message-template": { down: "D!$SITE_NAME" } }, events);
    assertMatch(text, /D!Shop/, type);
    assertMatch(text, /✅ Blog is up again/, type);
  }
  const [text] = [preview("email", { "message-template": { down: "D!$SITE_NAME" } }, events)];
  assertMatch(text, /D!Shop[^]*✅ Blog is up again/);
});

Deno.test("mentions in the text of each kind notify people, and only with that kind", () => {
  const texts = { down: "<@12> $SITE_NAME", up: "<@34> $SITE_NAME" };
  const users = (...events: SiteEvent[]) =>
    bodies("discord", { "message-template": texts }, events)[0].allowed_mentions.users;
  assertEquals([users(siteEvent()), users(UP), users(siteEvent(), UP)], [["12"], ["34"], [
    "12",
    "34",
  ]]);
  const teams = { "message-template": { down: "<at>jo@a.example</at>", up: "fine" } };
  const entities = (event: SiteEvent) =>
    bodies("teams", teams, [event])[0].attachments[0].content.msteams.entities;
  assertEquals([entities(siteEvent())?.length, entities(UP)], [1, undefined]);
});

Deno.test("a mail has the subject of its kind, and one about several events counts the others", () => {
  const subject = (template: Notification["message-template"], ...events: SiteEvent[]): string =>
    JSON.parse(preview("email", { "message-template": template }, events)).headers.Subject;
  const usual = subject(undefined, UP);
  const one = { subject: "[PROD] $SITE_NAME: $STATUS" };
  const kinds = { subject: { down: "[PROD] $SITE_NAME\r\nBcc: x" } };
  assertEquals(subject(one, siteEvent()), "[PROD] Shop: down");
  assertEquals(subject(one, UP), "[PROD] Shop: up");
  assertEquals(subject(kinds, siteEvent()), "[PROD] Shop Bcc: x");
  assertEquals(subject(kinds, UP), usual);
  assertMatch(subject(one, ...manyEvents(6)), /^\[PROD\] Site \d: down and 5 more · /);
  assert([...subject({ subject: "x".repeat(500) }, siteEvent())].length <= 150);
});

const CHATS = TYPES.filter((type) =>
  CHANNEL_KINDS[type].uses?.includes("short") &&
  !["ntfy", "gotify", "pushover", "apprise"].includes(type)
);

Deno.test("a short message of a chat is one line with a link, also about many sites", () => {
  assertEquals(CHATS.length, 9);
  const context = { description: "About it", runbook: "Do this", group: "Europe", hint: "A hint" };
  for (const type of CHATS) {
    const line = (events: SiteEvent[]) =>
      preview(type, { short: true }, events).replaceAll(/\\\\(?=[:.])/g, "");
    const single = line([siteEvent(context)]);
    assertMatch(single, /🛑 Shop is down: answered 503 Service Unavailable, since/, type);
    assertMatch(single, /issues\/12/, type);
    for (const fact of ["About it", "Do this", "Europe", "A hint", "Attempts", "embeds"]) {
      assert(!single.includes(fact), `${type}: ${fact}`);
    }
    const many = line(manyEvents(40));
    assertMatch(many, /🛑 Site \d+, Site \d+ and \d+ more are down, /, type);
    assertMatch(many, /status\.acme\.example/, type);
    assert(!/Site \d+ is/.test(many), type);
    const texts = [...(single + many).matchAll(/"(?:text|content)":"((?:[^"\\]|\\.)*)"/g)];
    for (const [, text] of texts) assert(!text!.includes("\\n"), `${type}: ${text}`);
  }
});

Deno.test("a short message of a phone has one line below its headline", () => {
  for (const type of ["ntfy", "gotify", "pushover"] as const) {
    for (const events of [[siteEvent({ hint: "A hint" })], [UP], manyEvents(40), [EXPIRING]]) {
      const [{ title, message }] = bodies(type, { short: true }, events);
      assert(!message.includes("\n") && message !== "" && message.length <= 200, message);
      assertNotEquals(message, title, type);
    }
  }
  const [{ body }] = bodies("apprise", { short: true }, [siteEvent()]);
  assertMatch(body, /^answered 503 Service Unavailable, since .* https:\S+\/issues\/12$/);
});

Deno.test("a text of one's own comes before the short form", () => {
  const keys = { short: true, "message-template": { up: "U!$SITE_NAME" } };
  for (const type of CHATS) {
    assertMatch(preview(type, keys, [UP]), /U!Shop/, type);
    assertEquals(
      preview(type, keys, [siteEvent()]),
      preview(type, { short: true }, [siteEvent()]),
    );
  }
  const lines = { short: true, "message-template": "a\n$SITE_NAME" };
  for (const type of ["apprise", "gotify"] as const) {
    assertMatch(preview(type, lines, [UP]), /"a\\nShop\\nIncident: https/, type);
  }
});

/** How each vendor is told to make no sound. */
const SOUNDLESS: Readonly<Record<string, (body: never) => boolean>> = {
  discord: ({ flags }: { flags?: number }) => flags === 1 << 12,
  telegram: (body: { disable_notification?: true }) => body.disable_notification === true,
  ntfy: ({ priority }: { priority: number }) => priority <= 2,
  pushover: ({ priority }: { priority: number }) => priority <= -1,
};

Deno.test("events that silent names make no sound, and a joint message only if all its events are named", () => {
  const down = siteEvent();
  const cases: [silent: Notification["silent"], events: SiteEvent[], isSoundless: boolean][] = [
    [["up"], [UP], true],
    [["up"], [down], false],
    [["up"], [down, UP], false],
    [["down", "up"], [down, UP], true],
    [["down"], [REMINDER], false],
    [["reminder", "acknowledged"], [REMINDER], true],
    [["acknowledged"], [ACKNOWLEDGED], true],
    [["certificate"], [EXPIRING], true],
    [["down", "up", "degraded"], [siteEvent({ kind: "test" })], false],
    [["down", "up", "degraded"], [siteEvent({ kind: "notice", title: "Gap" })], false],
  ];
  for (const [type, isSoundless] of Object.entries(SOUNDLESS)) {
    for (const [silent, events, expected] of cases) {
      const [body] = bodies(type as ChannelType, { silent }, events);
      // A recovery is quiet in ntfy anyway.
      const isQuiet = type === "ntfy" &&
        events.every((event) => event === UP || event === ACKNOWLEDGED);
      assertEquals(isSoundless(body as never), expected || isQuiet, `${type} ${silent}`);
      VENDORS[type as keyof typeof VENDORS].check(body);
    }
    assertEquals(isSoundless(bodies(type as ChannelType, {}, [down])[0] as never), false, type);
  }
});

Deno.test("silent lowers any priority of Pushover, and raises none", () => {
  const level = (priority: string) =>
    bodies("pushover", { priority, silent: ["down"] }, [siteEvent()])[0].priority;
  assertEquals(["2", "1", "0", "-1", "-2"].map(level), [-1, -1, -1, -1, -2]);
});
