import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Sending } from "../../../../../lib/notifications/channels/channel.ts";
import { composeMail, email } from "../../../../../lib/notifications/channels/email.ts";
import type { Mail } from "../../../../../lib/notifications/channels/email/delivery.ts";
import { TINTS } from "../../../../../lib/notifications/channels/email/parts.ts";
import { Outgoing } from "../../../../../lib/notifications/channels/outgoing.ts";
import type { SiteEvent } from "../../../../../lib/notifications/message.ts";
import { hostileText } from "../../../../helpers/hostile_text.ts";
import { mailServer } from "../../../../helpers/mail_server.ts";
import { mailTo, messageOf, sendingWith, siteEvent } from "../../../../helpers/mails.ts";
import fc from "../../../../helpers/property.ts";

function mailOf(events: SiteEvent[], template?: string, sending: Partial<Sending> = {}): Mail {
  const notification = mailTo(587, { "message-template": template });
  const all = { ...sendingWith({ TEAM: "Night <shift>" }), ...sending };
  return composeMail(new Outgoing(notification, messageOf(...events), all), "acme.example");
}

function tagsOf(html: string): string[] {
  return html.match(/<[^>]*>/g) ?? [];
}

Deno.test("a subject is one line of at most 150 characters, cut at a word", () => {
  const { subject } = mailOf([siteEvent({ name: "Shop of Jo ".repeat(40) })]);
  assertEquals([...subject].length <= 150, true);
  assertMatch(subject, /^🛑 (?:Shop of Jo )+Shop(?: of(?: Jo)?)?…$/);
  fc.assert(fc.property(hostileText(), (name) => {
    const { subject } = mailOf([siteEvent({ name })]);
    assert(!/[\p{Cc}\u2028\u2029]/u.test(subject) && subject.isWellFormed(), subject);
  }));
});

Deno.test("a subject of several events starts with the sign of the gravest", () => {
  const events = [siteEvent({ kind: "up" }), siteEvent({ kind: "degraded" }), siteEvent()];
  assertMatch(mailOf(events).subject, /^🛑 /);
  assertMatch(mailOf(events.slice(0, 2)).subject, /^⚠️ /);
});

Deno.test("no name of a site adds a header, a recipient or a line that is too long", async () => {
  await using server = await mailServer({ hideSTARTTLS: true });
  const names = [
    "Shop\r\nBcc: thief@evil.example\r\n\r\n<b>",
    "Shop\nX-Evil: 1",
    "Ünï \u0000 \u2028 \ud800 日本".repeat(3),
    "é".repeat(5000),
    "w".repeat(5000),
    "\r\n.\r\nQUIT\r\n",
  ];
  const plain = (await sent("Shop")).headers.map(({ key }) => key).sort();
  for (const name of names) {
    const mail = await sent(name);
    assertEquals(mail.headers.map(({ key }) => key).sort(), plain);
    assertEquals(mail.subject?.slice(0, 2), "🛑");
    const { raw, to } = server.received.at(-1)!;
    assertEquals(to, ["jo@inbox.example", "ops@inbox.example"]);
    assert(raw.split("\r\n").every((line) => new TextEncoder().encode(line).length <= 998));
  }

  async function sent(name: string) {
    const event = siteEvent({ name, error: name, url: name, id: name });
    await email.send(mailTo(server.port), messageOf(event), sendingWith());
    return server.received.at(-1)!.mail;
  }
});

Deno.test("names and errors are text in the HTML part, whatever they hold", () => {
  const benign = tagsOf(mailOf([siteEvent({ name: "a", error: "b", url: "c" })]).html);
  fc.assert(fc.property(hostileText(), hostileText(), hostileText(), (name, error, url) => {
    // A text of which nothing can be read is left out.
    const { html } = mailOf([siteEvent({ name: `a${name}`, error: `b${error}`, url: `c${url}` })]);
    assertEquals(tagsOf(html), benign);
    assertEquals(html.replaceAll(/<[^>]*>/g, "").includes("<"), false);
  }));
  assertEquals(benign.filter((tag) => /^<(?:script|img|link|iframe|object|svg)/i.test(tag)), []);
});

Deno.test("a template of the user's is the text of both parts, escaped in HTML with its lines kept", () => {
  const template = "$SITE_NAME is $STATUS\n<$TEAM> $UNKNOWN";
  const { text, html, subject } = mailOf([siteEvent({ name: "A & <b>" })], template);
  assertEquals(text, "A & <b> is down\n<Night <shift>> $UNKNOWN");
  assert(
    html.includes("A &amp; &lt;b&gt; is down<br>\n&lt;Night &lt;shift&gt;&gt; $UNKNOWN"),
    html,
  );
  assertEquals(subject, "🛑 A & <b> is down");
  const benign = tagsOf(mailOf([siteEvent()], "a").html);
  fc.assert(fc.property(hostileText(), (template) => {
    const tags = tagsOf(mailOf([siteEvent()], template).html);
    assertEquals(tags.filter((tag) => tag !== "<br>"), benign);
  }));
});

Deno.test("a link leads to the web or is none", () => {
  const { html } = mailOf([siteEvent()], undefined, {
    places: { home: "javascript:alert(1)//" },
  });
  assertEquals(tagsOf(html).filter((tag) => tag.startsWith("<a")), []);
});

Deno.test("the subject of a grouped mail names up to three sites and the monitor", () => {
  const named = (names: string[], kind: "down" | "up" = "down") =>
    names.map((name) => siteEvent({ id: name, name, slug: name.toLowerCase(), kind }));
  const many = named(Array.from({ length: 10 }, (_, index) => `Site ${index}`));
  const cases: [events: SiteEvent[], subject: string][] = [
    [[...named(["Shop", "API"]), ...many], "🛑 Shop, API and 10 more are down · Acme status"],
    [named(["Shop", "API", "Blog"]), "🛑 Shop, API and Blog are down · Acme status"],
    [
      [...named(["Blog"], "up"), ...named(["Shop"])],
      "🛑 Shop is down, Blog is up again · Acme status",
    ],
    [
      [...named(["A", "B"], "up"), ...named(["Shop", "API"])],
      "🛑 Shop and API are down, 2 are up again · Acme status",
    ],
    [named(["Shop"]), "🛑 Shop is down"],
  ];
  for (const [events, subject] of cases) {
    assertEquals(mailOf(events, undefined, { title: "Acme status" }).subject, subject);
  }
  const long = named(["a", "b", "c", "d"].map((name) => `${name} `.repeat(100)));
  const { subject } = mailOf(long);
  assert([...subject].length <= 150 && subject.endsWith("are down · acme/status"), subject);
});

Deno.test("a mail of fifty events is complete in clients that clip at 102 kB", () => {
  const events = Array.from(
    { length: 50 },
    (_, index) =>
      siteEvent({
        id: String(index),
        name: `Shop ${index}`,
        slug: `shop-${index}`,
        error: `answered ${500 + index}`,
        url: `https://shop.example/${"é".repeat(60)}`,
      }),
  );
  const { html, text, subject } = mailOf(events);
  assertEquals(subject, "🛑 Shop 0, Shop 1 and 48 more are down · acme/status");
  assertEquals(html.match(/class="state"/g)?.length, 50);
  assertEquals(text.match(/is down$/gm)?.length, 50);
  assert(new TextEncoder().encode(html).length < 102_000);
});

Deno.test("a preview contains the whole mail with secrets by name", () => {
  const notification = mailTo(465, {
    "smtp-host": "$MAIL_HOST",
    "smtp-username": "$MAIL_USER",
    "smtp-password": "$MAIL_PASSWORD",
    from: "$MAIL_FROM",
    to: ["$MAIL_TO", "jo@inbox.example"],
    "message-template": "$SITE_NAME, says $MAIL_USER",
  });
  const secrets = {
    MAIL_HOST: "h",
    MAIL_USER: "u",
    MAIL_FROM: "f@x.example",
    MAIL_TO: "t@x.example",
  };
  const preview = email.preview(notification, messageOf(), sendingWith(secrets));
  const { server, login, headers, text } = preview as Record<string, string> & {
    headers: Record<string, string>;
  };
  assertEquals([server, login, text], ["$MAIL_HOST:465", "$MAIL_USER", "Shop, says $MAIL_USER"]);
  assertEquals(headers["From"], "$MAIL_FROM");
  assertEquals(headers["To"], "$MAIL_TO, jo@inbox.example");
  assertEquals(headers["Subject"], "🛑 Shop is down");
});

Deno.test("the colors of states can be read on the cards of mails, in light and in dark", () => {
  for (const { word, light, dark } of Object.values(TINTS)) {
    assert(contrast(light, "#ffffff") >= 4.5, word);
    assert(contrast(dark, "#1e232a") >= 4.5, word);
  }
});

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

/** As the guidelines for accessible content define it. */
function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
