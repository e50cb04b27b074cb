import { assert, assertEquals } from "@std/assert";
import { Secrets } from "../../../lib/io/secrets/secrets.ts";
import { cutText, fitParts, importantFirst } from "../../../lib/notifications/fit_text.ts";
import { fillTemplate } from "../../../lib/notifications/templates.ts";
import { renderMessage } from "../../../lib/notifications/message_text.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import fc from "../../helpers/property.ts";
import { messageOf, siteEvent } from "../../helpers/vendors/messages.ts";

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

Deno.test("what must stay whole is not cut in two", () => {
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
      {},
    )
      .headline;
  assertEquals(headline("up"), "Shop is up again");
  assertEquals(headline("up", "down", "down"), "Shop and Shop are down, Shop is up again");
  assertEquals(headline("test", "test"), "Shop and Shop are tested");
});
