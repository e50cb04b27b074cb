import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import type { Message, SiteEvent } from "../../../../lib/notifications/message.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import fc, { runs } from "../../../helpers/property.ts";
import { checkDiscord, readDiscord } from "../../../helpers/vendors/discord.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import {
  checkApprise,
  checkIncidentIo,
  checkJsm,
  checkMatrix,
  checkPushover,
  checkTwilio,
} from "../../../helpers/vendors/alerting.ts";
import { hostileMessages, KINDS } from "../../../helpers/vendors/hostile_messages.ts";
import { checkDatadog, checkPagerduty } from "../../../helpers/vendors/paging.ts";
import { checkSlack } from "../../../helpers/vendors/slack.ts";
import { checkTeams } from "../../../helpers/vendors/teams.ts";
import { checkTelegram, readTelegram } from "../../../helpers/vendors/telegram.ts";

/** The syntax of mentions, commands and short codes. */
const FOUND = /@\w|#\w|(?<!\S)\/[a-z]|:[\w+-]+:/i;
/** An address, which shows its target: in one, vendors look only for mentions, which follow no letter. */
const PLAIN_ADDRESS =
  /https?:\/\/(?:[^\s/@]+@)?(?:[^\s@]|(?<=[\p{L}\d])@)+|(?<![\w@.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu;

/** True if a text contains something that a vendor would interpret outside of addresses. */
function isFound(text: string): boolean {
  return FOUND.test(text.replaceAll(PLAIN_ADDRESS, ""));
}
const ADDRESS = "https://hooks.example/x";

// deno-lint-ignore no-explicit-any
type Body = any;

const CHECKS = {
  slack: checkSlack,
  discord: checkDiscord,
  telegram: checkTelegram,
  teams: checkTeams,
  pagerduty: checkPagerduty,
  datadog: checkDatadog,
  matrix: checkMatrix,
  pushover: checkPushover,
  jsm: checkJsm,
  "incident-io": checkIncidentIo,
  twilio: checkTwilio,
  apprise: checkApprise,
};

const NOTIFICATIONS: Record<keyof typeof CHECKS, Notification> = {
  slack: { type: "slack", "webhook-url": ADDRESS },
  discord: { type: "discord", "webhook-url": ADDRESS },
  telegram: { type: "telegram", "bot-token": "1:a", "chat-id": "-100" },
  teams: { type: "teams", "webhook-url": ADDRESS },
  pagerduty: { type: "pagerduty", "integration-key": "key" },
  datadog: { type: "datadog", "api-key": "key" },
  matrix: { type: "matrix", url: "https://matrix.example", token: "key", room: "!a:b.example" },
  pushover: { type: "pushover", token: "key", user: "key", priority: "2" },
  jsm: { type: "jsm", "api-key": "key" },
  "incident-io": { type: "incident-io", url: ADDRESS, token: "key" },
  twilio: {
    type: "twilio",
    token: "key",
    "account-sid": "AC1",
    "from-number": "+15005550006",
    "to-number": "15005550009",
  },
  apprise: { type: "apprise", url: ADDRESS },
};

/** The bodies that a message makes, each as its vendor would take it. */
function bodies(
  type: keyof typeof CHECKS,
  message: Message,
  changes: Partial<Notification> = {},
): Body[] {
  const notification = { ...NOTIFICATIONS[type], ...changes };
  const requests = CHANNELS[type].preview(notification, message, sendingWith()) as {
    body?: Body;
    form?: Body;
  }[];
  const sent = requests.map(({ body, form }) => form ?? body);
  for (const one of sent) CHECKS[type](one);
  return sent;
}

const TYPES = Object.keys(CHECKS) as (keyof typeof CHECKS)[];
Deno.test("every vendor accepts every kind of event", () => {
  for (const type of TYPES) {
    for (const kind of KINDS) {
      for (
        const changes of [{}, { reminder: true }, {
          url: undefined,
          issue: undefined,
          error: "",
          code: 0,
          responseTime: undefined,
          lasted: undefined,
        }] as Partial<SiteEvent>[]
      ) {
        const all = bodies(type, messageOf(siteEvent({ kind, ...changes })));
        if (!["pagerduty", "jsm"].includes(type) || kind !== "up") {
          assertStringIncludes(JSON.stringify(all), "Shop");
        }
      }
    }
  }
});

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

Deno.test("texts of any length and content are cut to each vendor's limits", () => {
  const long = fc.tuple(hostileText(), fc.integer({ min: 1, max: 800 }))
    .map(([text, times]) => text.repeat(times).slice(0, 6000));
  fc.assert(
    fc.property(
      long,
      long,
      fc.integer({ min: 1, max: 60 }),
      fc.option(long, { nil: undefined }),
      (name, error, count, template) => {
        // 60 KB exceed all limits, in one text or in many.
        const most = Math.ceil(60_000 / count);
        const [title, reason] = [name.slice(0, most), error.slice(0, most)];
        const events = manyEvents(count, { name: title, error: reason, url: reason });
        for (const type of TYPES) {
          // Telegram parses a template as HTML, and gets plain text if that fails.
          const own = type === "telegram" ? template?.replaceAll(/[<&]/g, "") : template;
          const text = own === undefined ? undefined : `x ${own} $SITE_NAME $ERROR`;
          const all = bodies(type, messageOf(...events), { "message-template": text });
          for (const body of all) assert(JSON.stringify(body).isWellFormed());
        }
      },
    ),
    { numRuns: runs(2, 6) },
  );
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
