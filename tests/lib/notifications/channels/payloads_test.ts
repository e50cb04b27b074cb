import { assert, assertEquals } from "@std/assert";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import type { Message } from "../../../../lib/notifications/message.ts";
import fc from "../../../helpers/property.ts";
import { readDiscord } from "../../../helpers/vendors/discord.ts";
import { manyEvents, messageOf, sendingWith } from "../../../helpers/vendors/messages.ts";
import { hostileMessages } from "../../../helpers/vendors/hostile_messages.ts";
import { CANARIES, VENDORS } from "../../../helpers/vendors/vendors.ts";
import { readTelegram } from "../../../helpers/vendors/telegram.ts";

/** The syntax of mentions, commands and short codes. */
const FOUND = /@\w|#\w|(?<!\S)\/[a-z]|:[\w+-]+:/i;
/** An address, which shows its target: in one, vendors look only for mentions, which follow no letter. */
const PLAIN_ADDRESS =
  /https?:\/\/(?:[^\s/@]+@)?(?:[^\s@]|(?<=[\p{L}\d])@)+|(?<![\w@.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu;

/** True if a text contains something that a vendor would interpret outside of addresses. */
function isFound(text: string): boolean {
  return FOUND.test(text.replaceAll(PLAIN_ADDRESS, ""));
}

// deno-lint-ignore no-explicit-any
type Body = any;

/** The bodies that a message makes, each as its vendor would take it. */
function bodies(
  type: keyof typeof VENDORS,
  message: Message,
  changes: Partial<Notification> = {},
): Body[] {
  const notification = { ...VENDORS[type].notification("https://vendor.example"), ...changes };
  const shown = JSON.stringify(CHANNELS[type].preview(notification, message, sendingWith()));
  const requests: { body: Body }[] = JSON.parse(shown.replaceAll("$CHAT", CANARIES.CHAT));
  for (const { body } of requests) VENDORS[type].check(body);
  return requests.map(({ body }) => body);
}

Deno.test("the most important of many events come first, and the last line counts those left out", () => {
  for (const type of ["slack", "discord", "telegram", "teams"] as const) {
    for (const error of ["", "e ".repeat(140)]) {
      const events = manyEvents(50).map((event, index) => (
        { ...event, error: error && `${index} ${error}`, url: undefined }
      ));
      const text = JSON.stringify(bodies(type, messageOf(...events)));
      const shown = events.filter(({ name }) => new RegExp(`${name}(?!\\d)`).test(text));
      const left = [...text.matchAll(/and (\d+) more(?! are)/g)].at(-1)?.[1] ?? 0;
      assertEquals(shown.length + Number(left), 50, `${type} ${text}`);
      assert(shown.length >= 8, `${type} shows ${shown.length}`);
      const firstUp = text.search(/Site \d+ is up again/);
      const lastDown = text.lastIndexOf(" is down");
      assert(firstUp === -1 || firstUp > lastDown, type);
    }
  }
  for (const type of ["pagerduty", "datadog"] as const) {
    assertEquals(bodies(type, messageOf(...manyEvents(50))).length, 50);
  }
});

const TEMPLATE = { "message-template": "a $SITE_NAME b $ERROR c" };
const SHORT = { short: true };

Deno.test("Slack finds no markup, mention or link in a name or an error", () => {
  fc.assert(fc.property(hostileMessages(), (message) => {
    const [body] = bodies("slack", message);
    assertEquals(body.mrkdwn, false);
    for (const text of [body.text, ...body.attachments.map(({ fallback }: Body) => fallback)]) {
      assert(!/[<>]|&(?!(?:amp|lt|gt);)/.test(text), text);
    }
    const objects = JSON.stringify(body.attachments).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? [];
    for (const object of objects) {
      const ours =
        /^\{"type":"mrkdwn","text":"(?:\*(?:Since|Time)\*|<https:\/\/(?:github\.com\/acme|status\.acme\.example)\b)/;
      assert(ours.test(object), object);
    }
    for (const changes of [TEMPLATE, SHORT]) {
      const [{ text }] = bodies("slack", message, changes);
      const foreign = text.replaceAll(
        /<https:\/\/(?:github\.com\/acme|status\.acme\.example)[^|>]*\|[\w ]+>/g,
        "",
      );
      const bare = foreign.replaceAll(
        PLAIN_ADDRESS,
        (address: string) => address.replaceAll(/[_~]/g, ""),
      );
      assert(!/[<>*_~`]/.test(bare) && !isFound(foreign), text);
    }
  }));
});

Deno.test("Discord finds no markup, mention or link in a name or an error", () => {
  const ours = ["timestamp", "url", "link", "twemoji"];
  fc.assert(fc.property(hostileMessages(), (message) => {
    const [{ embeds }] = bodies("discord", message);
    for (const { title, description = "", fields = [] } of embeds) {
      const texts = [title, description, ...fields.map(({ value }: Body) => value)];
      for (const text of texts) {
        const read = readDiscord(text);
        assertEquals(read.kinds.filter((kind) => !ours.includes(kind)), [], text);
        for (const link of read.links) {
          assert(/^https:\/\/(?:github\.com\/acme|status\.acme\.example)\b/.test(link), link);
        }
      }
    }
    const [{ content }] = bodies("discord", message, TEMPLATE);
    assertEquals(readDiscord(content).kinds.filter((kind) => kind !== "twemoji"), [], content);
    const [{ content: line }] = bodies("discord", message, SHORT);
    const read = readDiscord(line);
    assertEquals(read.kinds.filter((kind) => !ours.includes(kind)), [], line);
    for (const link of read.links) {
      assert(/^https:\/\/(?:github\.com\/acme|status\.acme\.example)/.test(link), link);
    }
  }));
});

Deno.test("Telegram finds no markup, mention, command or link in a name or an error", () => {
  fc.assert(fc.property(hostileMessages(), (message) => {
    for (const changes of [{}, TEMPLATE, SHORT]) {
      const [body] = bodies("telegram", message, changes);
      const { loose, entities } = readTelegram(body.text);
      assert(!isFound(loose), loose);
      for (const { tag, href } of entities) {
        assert(["b", "code", "a"].includes(tag), tag);
        if (href !== undefined) {
          assert(/^https:\/\/(?:github\.com\/acme|status\.acme\.example)\b/.test(href), href);
        }
      }
    }
  }));
});

Deno.test("Teams finds no markup, function or link in a name or an error", () => {
  const marked = (node: Body): string[] =>
    Array.isArray(node) ? node.flatMap(marked) : typeof node !== "object" || node === null ? [] : [
      ...node.type === "TextBlock" ? [node.text] : [],
      ...node.type === "FactSet" ? node.facts.map(({ value }: Body) => value) : [],
      ...Object.values(node).flatMap(marked),
    ];
  const ours =
    /\{\{(?:DATE|TIME)\([\d:TZ-]+(?:,SHORT)?\)\}\}|\[(?:Incidents?|Status page|Monitor)\]\(https:\/\/(?:github\.com\/acme|status\.acme\.example)[^()\s]*\)/g;
  fc.assert(fc.property(hostileMessages(), (message) => {
    for (const changes of [{}, TEMPLATE, SHORT]) {
      const [body] = bodies("teams", message, changes);
      for (const text of marked(body.attachments[0].content.body)) {
        const rest = text.replace(ours, "").replaceAll(/\\./gs, "");
        assert(!/[*_[\]()`<>#~|@]|\{\{|:\/\/|^(?:\d+\.|[-+>])\s/.test(rest), text);
      }
      const runs = JSON.stringify(body).match(/"type":"TextRun","text":"(?:[^"\\]|\\.)*"/g) ?? [];
      for (const run of runs) assert(!run.includes("{{"), run);
    }
  }));
});

Deno.test("Matrix and incident.io find no markup or link in a name or an error", () => {
  const ours =
    /^(?:\/?strong|br|\/a|a href="https:\/\/(?:github\.com\/acme|status\.acme\.example)(?:\/[^"<>]*)?")$/;
  fc.assert(fc.property(hostileMessages(), (message) => {
    for (const changes of [{}, TEMPLATE, SHORT]) {
      const [{ formatted_body }] = bodies("matrix", message, changes);
      for (const [, tag] of formatted_body.matchAll(/<([^>]*)>?/g)) assert(ours.test(tag), tag);
      assert(!isFound(formatted_body.replaceAll(/<[^>]*>|&#?\w+;/g, " ")), formatted_body);
      for (const { description } of bodies("incident-io", message, changes)) {
        const bare = description.replaceAll(
          /\[(?:Incidents?|Status page|Monitor)\]\(https:\S+\)/g,
          "",
        );
        assert(!/(?<!\\)(?:\\\\)*[*_`<>[\]|~]/.test(bare), description);
      }
    }
  }));
});

Deno.test("Datadog finds no mention, Markdown or link in a name or an error", () => {
  fc.assert(fc.property(hostileMessages(), (message) => {
    for (const changes of [{}, TEMPLATE]) {
      for (const { title, text } of bodies("datadog", message, changes)) {
        const own = text.replaceAll(/^(?:Incident|Status page|Monitor): https:\S+$/gm, "");
        assert(!isFound(title) && !isFound(own) && !own.includes("%%%"), text);
      }
    }
  }));
});
