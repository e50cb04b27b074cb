import { assert, assertEquals } from "@std/assert";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { cutText, fitParts, importantFirst } from "../../../lib/notifications/fit_text.ts";
import type { SiteEvent } from "../../../lib/notifications/message.ts";
import { renderHeadline } from "../../../lib/notifications/headlines.ts";
import { renderEvent, renderMessage } from "../../../lib/notifications/message_text.ts";
import { fillTemplate, toPlaceholders } from "../../../lib/notifications/templates.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import fc from "../../helpers/property.ts";
import { messageOf, siteEvent, VIEW } from "../../helpers/vendors/messages.ts";
import { LANGUAGE } from "../../helpers/languages.ts";

const DOWN: SiteEvent = {
  id: "a",
  kind: "down",
  name: "Shop",
  slug: "shop",
  since: "2026-11-21T10:05:03.120Z",
  code: 503,
  error: "answered 503 Service Unavailable",
  attempts: 3,
  incident: "2026-11-21-shop",
};
const UP: SiteEvent = {
  ...DOWN,
  id: "b",
  kind: "up",
  since: "2026-11-21T10:10:03.120Z",
  lasted: 300_000,
};

Deno.test("headline and error are one sentence about the locations that see a failure", () => {
  const summary = (more: Partial<SiteEvent>) =>
    renderEvent({ ...DOWN, ...more }, VIEW).summary.split(", since")[0];
  assertEquals(
    summary({ error: "down in Rome and Oslo (up in Bonn): answered 503" }),
    "Shop is down in Rome and Oslo (up in Bonn): answered 503",
  );
  assertEquals(
    summary({ kind: "degraded", error: "down in Rome (up in Oslo and Bonn): answered 503" }),
    "Shop has degraded performance, down in Rome (up in Oslo and Bonn): answered 503",
  );
  assertEquals(summary({}), "Shop is down: answered 503 Service Unavailable");
});

/** The headline of events, and the sentence of the last of them. */
function said(...events: SiteEvent[]): [headline: string, sentence: string] {
  const { headline } = renderMessage({ id: "1", events }, VIEW);
  return [headline, renderEvent(events.at(-1)!, VIEW).sentence];
}

Deno.test("an outage that is over when it is reported is shown with start and end", () => {
  assertEquals(said({ ...UP, was: "down" }), [
    "Shop was down for 5 minutes",
    "answered 503 Service Unavailable, 10:05 to 10:10 UTC",
  ]);
  assertEquals(said({ ...UP, was: "degraded", lasted: 0, error: "" }), [
    "Shop had degraded performance for less than a second",
    "at 10:10 UTC",
  ]);
});

Deno.test("an expiring certificate is named as such, also in a reminder and at its end", () => {
  const degraded = { ...DOWN, kind: "degraded", expiry: "certificate expires in 4 days" } as const;
  assertEquals(said(degraded)[0], "Shop: certificate expires in 4 days");
  assertEquals(said({ ...degraded, reminder: true })[0], "Shop: certificate expires in 4 days");
  assertEquals(
    said({ ...UP, expiry: degraded.expiry, was: "degraded" })[0],
    "Shop had degraded performance for 5 minutes",
  );
  assertEquals(said({ ...degraded, kind: "up" })[0], "Shop is back to normal");
  const { expiry } = degraded;
  const summary = (error: string, changes: Partial<SiteEvent> = {}) =>
    renderEvent({ ...degraded, error, ...changes }, VIEW).summary;
  const dated = "Shop: certificate expires in 4 days (2026-11-26)";
  assertEquals(summary(`${expiry} (2026-11-26)`), dated);
  assertEquals(summary(`degraded in Rome (up in Oslo): ${expiry} (2026-11-26)`), dated);
  assertEquals(
    summary(`${expiry}, not as asserted: a`),
    "Shop: certificate expires in 4 days: not as asserted: a, since 10:05 UTC",
  );
  assertEquals(summary("slow"), "Shop: certificate expires in 4 days: slow, since 10:05 UTC");
  assertEquals(
    summary("", { ...UP, expiry }),
    "Shop is back to normal after 5 minutes (certificate was about to expire, 10:05 to 10:10 UTC)",
  );
});

Deno.test("a site that is no longer monitored is not said to be up", () => {
  assertEquals(said({ ...UP, gone: true }), [
    "Shop is no longer monitored, which ends its incident after 5 minutes",
    "10:05 to 10:10 UTC",
  ]);
  assertEquals(said({ ...UP, gone: true, was: "down" }), [
    "Shop was down for 5 minutes",
    "answered 503 Service Unavailable, 10:05 to 10:10 UTC, when it was removed from monitoring",
  ]);
});

Deno.test("several events of one site have the headline of the last", () => {
  assertEquals(said(UP, DOWN)[0], "Shop is down");
});

Deno.test("a headline for several sites counts each once, by how it is now", () => {
  const of = (slug: string, event: SiteEvent): SiteEvent => ({ ...event, slug });
  assertEquals(
    said(
      of("a", UP),
      of("a", DOWN),
      of("b", DOWN),
      of("c", { ...DOWN, reminder: true }),
      of("d", { ...UP, was: "down" }),
      of("e", UP),
      of("f", { ...UP, gone: true }),
    )[0],
    "Shop and Shop are down, Shop is still down, 1 was down for a while, 1 is up again, 1 is no longer monitored",
  );
});

function notice(id: string, over?: true): SiteEvent {
  return {
    id,
    kind: "notice",
    name: "acme/status",
    title: id,
    since: "2026-11-21T10:05:00Z",
    error: "",
    incident: "notice/unknown/shop",
    code: 0,
    attempts: 0,
    slug: "notice",
    ...over === undefined ? {} : { over },
  };
}

Deno.test("the headline of several notices says what they are about", () => {
  const acknowledged = ["a", "b"].map((name): SiteEvent => (
    { ...notice(`ann has acknowledged: ${name} is down`), name, news: "acknowledged" }
  ));
  assertEquals(renderHeadline(acknowledged, LANGUAGE), "a and b are acknowledged");
  const titles = ["Shop could not be checked in 2 runs", "Maintenance has started: Move"];
  assertEquals(
    renderHeadline(titles.map((title) => notice(title)), LANGUAGE),
    `${titles[0]}, and 1 more`,
  );
});

Deno.test("a cut text is short enough, and is a beginning of the whole one but for its end", () => {
  const texts = fc.oneof(fc.string({ unit: "grapheme", maxLength: 60 }), hostileText());
  fc.assert(fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, length) => {
    const cut = cutText(text, length);
    assert(cut.length <= length);
    if (cut === text) return;
    assert(cut.endsWith("…") && text.startsWith(cut.slice(0, -1)));
    if (text.isWellFormed()) assert(cut.isWellFormed());
  }));
});

Deno.test("unbreakable parts of a text are never cut in two", () => {
  const parts = fc.array(fc.constantFrom("&amp;", "&lt;", "a", " ", "\\*"), { maxLength: 30 });
  fc.assert(fc.property(parts, fc.integer({ min: 1, max: 40 }), (some, length) => {
    const cut = cutText(some.join(""), length, /&\w+;|\\./g);
    assert(!/&(?!amp;|lt;)|\\(?!\*)/.test(cut), cut);
  }));
});

Deno.test("as many parts are shown as fit, and the others are counted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 }), (all, most) => {
      const { parts, more } = fitParts(
        Array.from({ length: all }, (_, index) => index),
        (some) => some.length <= most,
        LANGUAGE,
      );
      assertEquals(parts.length, Math.min(all, most));
      assertEquals(more, all > most ? `and ${all - most} more` : undefined);
    }),
  );
});

Deno.test("values of a template are not expanded again", () => {
  fc.assert(fc.property(hostileText(), hostileText(), (name, key) => {
    const placeholders = { SITE_NAME: `${name}$KEY$&$1` };
    const secrets = new Secrets({ KEY: `${key}$SITE_NAME$$`, SITE_NAME: "never" });
    const { text } = fillTemplate("<$SITE_NAME|$KEY|$SITE_NAMES>", { placeholders, secrets });
    assertEquals(text, `<${name}$KEY$&$1|${key}$SITE_NAME$$|$SITE_NAMES>`);
  }));
});

Deno.test("events are ordered by importance, then by time", () => {
  const kinds = ["up", "test", "degraded", "down", "up", "down"] as const;
  const events = kinds.map((kind, index) => siteEvent({ kind, name: String(index) }));
  assertEquals(importantFirst(events).map(({ name }) => name), ["3", "5", "2", "0", "4", "1"]);
});

Deno.test("one headline covers all events of a message", () => {
  const headline = (...kinds: ("up" | "down" | "degraded" | "test")[]) =>
    renderMessage(
      messageOf(...kinds.map((kind, index) => siteEvent({ kind, slug: `shop-${index}` }))),
      VIEW,
    )
      .headline;
  assertEquals(headline("up"), "Shop is up again after 2 hours 5 minutes");
  assertEquals(headline("up", "down", "down"), "Shop and Shop are down, Shop is up again");
});

Deno.test("a message has what the site's configuration says, a hint, and a link to the runbook", () => {
  const context = {
    description: "Sells\neverything",
    group: "EU",
    tags: ["db", "web"],
    hint: "It may be overloaded.",
    body: "<h1>\nError",
  };
  const runbook = "https://wiki.example.com/shop";
  const { facts, links } = renderEvent({ ...DOWN, ...context, runbook }, VIEW);
  assertEquals(facts.map(({ label, value }) => `${label}: ${value}`), [
    "Hint: It may be overloaded.",
    "About: Sells everything",
    "Group: EU",
    "Tags: db, web",
  ]);
  assertEquals(links, [{ text: "Runbook", address: runbook }]);
  const steps = renderEvent({ ...DOWN, runbook: "javascript:alert(1)" }, VIEW);
  assertEquals([steps.facts.at(-1)?.value, steps.links], ["javascript:alert(1)", []]);
  const template = "$DESCRIPTION|$RUNBOOK|$TAGS|$GROUP|$HINT|$BODY";
  const placeholders = toPlaceholders({ ...DOWN, ...context, runbook }, VIEW);
  assertEquals(
    fillTemplate(template, { placeholders }).text,
    `Sells\neverything|${runbook}|db, web|EU|It may be overloaded.|<h1>\nError`,
  );
  assertEquals(fillTemplate(template, { placeholders: toPlaceholders(DOWN, VIEW) }).text, "|||||");
});
