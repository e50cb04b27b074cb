import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Message, SiteEvent } from "../../../../lib/notifications/message.ts";
import { sampleMessages } from "../../../../lib/notifications/sample_messages.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";
import { CANARIES, TRIED } from "../../../helpers/vendors/vendors.ts";
import { LANGUAGE } from "../../../helpers/languages.ts";

/** Texts that mean something to at least one vendor. */
const HOSTILE = [
  "<script>alert(1)</script> @everyone @here @all @channel <!channel> <!here> <users/all>",
  "@**all** @_**Jo** <at>x</at> *b* _i_ ~s~ `c` ```d``` [click](https://evil.example)",
  "<https://evil.example|click> {{DATE(2026-01-01T00:00:00Z)}} &lt;b&gt; \\ $$x$$ ||y||",
  "\u202eetalp\u0000\u001b[31m\r\n# title\n- item\n/me :smile: <@U123> <#C1>",
].join(" ");

const MESSAGES: Record<string, Message> = {
  ...sampleMessages(Temporal.Instant.from("2026-11-21T10:00:00Z"), LANGUAGE),
  bare: messageOf(siteEvent({ error: "", code: 0, url: undefined, issue: undefined })),
  "a silent notice": messageOf(siteEvent({ kind: "notice", title: "A notice", error: "" })),
  "long names": messageOf(...manyEvents(3, { name: "名".repeat(5_000), error: "é".repeat(5_000) })),
  "a long name": messageOf(siteEvent({ name: "N".repeat(5_000), error: '"'.repeat(5_000) })),
  "hostile names": messageOf(...manyEvents(3, { name: HOSTILE, error: HOSTILE, url: undefined })),
  "a hostile name": messageOf(siteEvent({ name: HOSTILE, error: HOSTILE })),
};

/** All texts within a value. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}

Deno.test("each channel's messages are within its vendor's limits, and no name or error in them has an effect", () => {
  for (const { type, channel, notification, check, acts } of TRIED) {
    const configured = [notification("https://vendor.example")];
    if (type !== "webhook") {
      configured.push({ ...configured[0]!, "message-template": "x $SITE_NAME: $ERROR" });
      configured.push({ ...configured[0]!, short: true });
    }
    const ofKind = { ...configured[0]!, "message-template": { down: "x $SITE_NAME: $ERROR" } };
    for (const [name, message] of Object.entries(MESSAGES)) {
      for (
        const one of name === "down" && type !== "webhook" ? [...configured, ofKind] : configured
      ) {
        const shown = JSON.stringify(channel.preview(one, message, sendingWith()));
        const requests = JSON.parse(
          shown.replaceAll("$CHAT", CANARIES.CHAT).replaceAll("$PHONE", CANARIES.PHONE),
        );
        assert(requests.length > 0 || name === "acknowledged", `${type}, ${name}`);
        for (const { form, body = form } of requests) {
          check(body);
          const texts = listStrings(body);
          for (const text of texts) {
            assert(text.isWellFormed(), `${type}, ${name}`);
            assert(!/[^\P{Cc}\n]|\u202e/u.test(text), `${type}, ${name}: ${text}`);
            assert(!acts?.test(text), `${type}, ${name}: ${acts?.exec(text)?.[0]} in ${text}`);
          }
        }
      }
    }
  }
});

Deno.test("each mail has a subject of one line, and a text without control characters", () => {
  const mail: Notification = { type: "email", "smtp-host": "a", from: "a@b.example", to: ["c@d"] };
  for (const [name, message] of Object.entries(MESSAGES)) {
    const { headers, text } = CHANNELS.email.preview(mail, message, sendingWith()) as {
      headers: Record<string, string>;
      text: string;
    };
    assert(headers["Subject"]!.length <= 150 && !headers["Subject"]!.includes("\n"), name);
    for (const shown of [headers["Subject"]!, text]) {
      assert(shown.isWellFormed() && !/[^\P{Cc}\n]|\u202e/u.test(shown), name);
    }
  }
});

Deno.test("each channel's message is delivered through a failure, and is recognized by the vendors that can", async () => {
  const failures: VendorAnswer[] = [{ status: 500 }, { status: 429 }, "reset"];
  for (const { type, channel, notification, yes, repeatKey } of TRIED) {
    for (const failure of failures) {
      await using server = await vendorServer(yes, [failure]);
      await channel.send(notification(server.url), messageOf(), sendingWith(CANARIES));
      const [first, second] = server.seen;
      assertEquals(server.seen.length, 2, type);
      assertEquals(
        [second!.method, second!.path, String(second!.query), second!.text],
        [first!.method, first!.path, String(first!.query), first!.text],
      );
      const keys = server.seen.map((seen, index) => repeatKey?.(seen) ?? String(index));
      assertEquals(new Set(keys).size === 1, repeatKey !== undefined, type);
    }
  }
});

Deno.test("a vendor that recognizes repetitions drops no other event", async () => {
  const others: Partial<SiteEvent>[] = [{ kind: "up" }, { slug: "b", incident: "2026-11-21-b" }];
  for (const { type, channel, notification, yes, repeatKey } of TRIED) {
    if (repeatKey === undefined) continue;
    await using server = await vendorServer(yes);
    const send = (message: Message) =>
      channel.send(notification(server.url), message, sendingWith(CANARIES));
    await send(messageOf());
    for (const other of others) await send({ ...messageOf(siteEvent(other)), id: "other" });
    const [first, ...rest] = server.seen.map(repeatKey);
    for (const key of rest) assertNotEquals(key, first, type);
  }
});
