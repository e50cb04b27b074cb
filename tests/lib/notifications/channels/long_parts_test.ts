import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { composeMail } from "../../../../lib/notifications/channels/email.ts";
import { Outgoing } from "../../../../lib/notifications/channels/outgoing.ts";
import type { Message, SiteEvent } from "../../../../lib/notifications/message.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import fc, { runs } from "../../../helpers/property.ts";
import { messageOf, sendingWith, siteEvent } from "../../../helpers/vendors/messages.ts";
import { CANARIES, TRIED } from "../../../helpers/vendors/vendors.ts";

const LENGTH = 5_000;

/** Pieces of which long texts consist: of one unit, of several bytes, of many code points, and to be escaped. */
const PIECES = ["x", "long words ", "é", "名", "👩‍👩‍👧‍👦", "🏳️‍🌈 ", '"', "<&>", "*_`", "\\", "@all "];

const long = fc.constantFrom(...PIECES)
  .map((piece) => piece.repeat(Math.ceil(LENGTH / piece.length)).slice(0, LENGTH).toWellFormed());

/** A part of a text that may be long. */
function part(short: string): fc.Arbitrary<string> {
  return fc.oneof({ weight: 2, arbitrary: long }, fc.constant(short));
}

const event: fc.Arbitrary<Partial<SiteEvent>> = fc.record({
  kind: fc.constantFrom("down", "degraded", "up", "notice", "test"),
  name: part("Shop"),
  title: part("A notice"),
  error: part("answered 503"),
  hint: part("Is it the proxy?"),
  description: part("Where people buy"),
  runbook: fc.oneof(
    part("turn it off and on"),
    long.map((text) => `https://wiki.example/${encodeURIComponent(text).slice(0, LENGTH)}`),
  ),
  group: part("Web"),
  tags: fc.oneof(fc.array(part("web"), { maxLength: 3 }), fc.constant(Array(300).fill("a tag"))),
  affected: fc.array(part("API"), { maxLength: 3 }),
  body: part("<html>"),
  url: part("https://shop.example"),
  acknowledged: fc.option(
    part("jo").map((by) => ({ by, at: "2026-11-21T10:00:00Z" })),
    { nil: undefined },
  ),
}, { requiredKeys: ["title"] });

const messages: fc.Arbitrary<Message> = fc.tuple(
  event,
  event,
  fc.constantFrom(1, 3, 12, 200),
  fc.boolean(),
).map(([one, other, count, isShared]) =>
  messageOf(...Array.from({ length: count }, (_, index) =>
    siteEvent({
      ...index % 2 === 0 ? one : other,
      id: `e${index}`,
      slug: `site-${index}`,
      incident: `2026-11-21-site-${index}`,
      ...isShared ? { alert: "outage-1" } : {},
    })))
);

const LONG = "long words ".repeat(LENGTH / 11);

/** Settings of a channel on which the form of a message depends. */
const FORMS: Partial<Notification>[] = [
  {},
  { "message-template": "x $SITE_NAME $ERROR $HINT $RUNBOOK $DESCRIPTION $TAGS $GROUP" },
  { short: true },
];

/** Messages in which all parts are long, or one is. */
const EXAMPLES: [Message, Partial<Notification>][] = [
  {
    name: LONG,
    error: LONG,
    hint: LONG,
    description: LONG,
    runbook: LONG,
    group: LONG,
    tags: [LONG],
  },
  { runbook: "x".repeat(4_350) },
  { runbook: `https://wiki.example/${"x".repeat(4_350)}` },
  { description: "<&>".repeat(1_450) },
].flatMap((changes) =>
  FORMS.map((form): [Message, Partial<Notification>] => [
    messageOf(siteEvent(changes)),
    form,
  ])
);

for (const { type, channel, notification, check } of TRIED) {
  Deno.test(`however long the parts of a message are, ${type} takes it`, () => {
    const configured = notification("https://vendor.example");
    fc.assert(
      fc.property(messages, fc.constantFrom(...FORMS), (message, form) => {
        const one = type === "webhook" ? configured : { ...configured, ...form };
        const shown = JSON.stringify(channel.preview(one, message, sendingWith()));
        const requests = JSON.parse(
          shown.replaceAll("$CHAT", CANARIES.CHAT).replaceAll("$PHONE", CANARIES.PHONE),
        );
        assert(requests.length > 0);
        for (const { form, body = form } of requests) {
          check(body);
          assert(JSON.stringify(body).isWellFormed());
        }
      }),
      { numRuns: runs(2, 100), examples: EXAMPLES },
    );
  });
}

Deno.test("however long the parts of many events are, a mail and each request to a webhook have a usual size", () => {
  const parts = {
    name: LONG,
    error: LONG,
    hint: LONG,
    description: LONG,
    runbook: LONG,
    body: LONG,
  };
  const events = Array.from(
    { length: 200 },
    (_, index) => siteEvent({ ...parts, slug: `s${index}` }),
  );
  const mail: Notification = { type: "email", "smtp-host": "a", from: "a@b.example", to: ["c@d"] };
  const outgoing = new Outgoing(mail, messageOf(...events), sendingWith());
  const { text, html } = composeMail(outgoing, "b.example");
  assert(text.length + html.length < 4_000_000, `${text.length} and ${html.length}`);
  const hook: Notification = { type: "webhook", url: "https://hook.example" };
  const requests = CHANNELS.webhook.preview(hook, messageOf(...events), sendingWith()) as {
    body: { events: unknown[] };
  }[];
  assertEquals(requests.flatMap(({ body }) => body.events).length, 200);
  for (const { body } of requests) assert(JSON.stringify(body).length < 1_000_000);
});
