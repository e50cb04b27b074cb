import { assert, assertEquals } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { toJoiningNotice, toMutedNotice } from "../../../../lib/notifications/acknowledgements.ts";
import { composeMail } from "../../../../lib/notifications/channels/email.ts";
import { Outgoing } from "../../../../lib/notifications/channels/outgoing.ts";
import type { Message } from "../../../../lib/notifications/message.ts";
import { sampleMessages } from "../../../../lib/notifications/sample_messages.ts";
import { createLanguage, type Language } from "../../../../lib/text/language.ts";
import { mergeMessages } from "../../../../lib/text/messages.ts";
import { changeTexts, MARKED } from "../../../helpers/languages.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { CANARIES, TRIED } from "../../../helpers/vendors/vendors.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:00:00Z");
const MAIL: Notification = { type: "email", "smtp-host": "a", from: "a@b.example", to: ["c@d"] };

/** A message of each kind, and some with further words. */
function messagesIn(language: Language): Record<string, Message> {
  const { digest: _, ...samples } = sampleMessages(NOW, language);
  const until = NOW.add({ hours: 2 });
  const person = { by: "ann", at: "2026-11-21T10:00:00Z", after: 720_000 };
  return {
    ...samples,
    "a long name": messageOf(siteEvent({ name: "N ".repeat(500), error: "é".repeat(500) })),
    many: messageOf(...manyEvents(20)),
    locations: messageOf(
      siteEvent({ error: "down in Rome and Oslo (up in Bonn; no result from Kyiv): error 1" }),
    ),
    context: messageOf(
      siteEvent({
        escalated: true,
        start: "2026-11-21T08:00:00Z",
        formerly: { ...person, why: "worse" },
        released: { name: "API", isBack: true },
        affected: ["API", "Blog"],
      }),
    ),
    "a long flapping": messageOf(
      siteEvent({ kind: "up", was: "down", flapping: { changes: 9, within: 7_200_000 } }),
    ),
    gone: messageOf(siteEvent({ kind: "up", gone: true, error: "" })),
    muted: messageOf(toMutedNotice(siteEvent(), { by: "ann", at: NOW, until }, language)),
    joined: messageOf(toJoiningNotice(siteEvent(), { names: ["API"], count: 1 }, language)),
  };
}

/** All texts within a value. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}

/** The bodies of the requests of a channel. */
function bodiesOf(
  { channel, notification }: typeof TRIED[number],
  message: Message,
  language: Language,
  options: Partial<Notification> = {},
) {
  const settings = { ...notification("https://vendor.example"), ...options };
  const shown = JSON.stringify(channel.preview(settings, message, sendingWith({}, { language })));
  const requests = JSON.parse(
    shown.replaceAll("$CHAT", CANARIES.CHAT).replaceAll("$PHONE", CANARIES.PHONE),
  ) as { form?: unknown; body?: unknown }[];
  return requests.map(({ form, body = form }) => body);
}

const LONGER = changeTexts((words) =>
  /\p{L}/u.test(words) ? words.padEnd(Math.ceil(1.4 * words.length), "ą") : words
);

/** By what of them is at the limits of vendors: UTF-16 units, bytes, segments of text messages, isolated names. */
const LANGUAGES: Readonly<Record<string, Language>> = {
  "40 % longer": createLanguage("pl", mergeMessages(LONGER)),
  ideographs: createLanguage("zh", mergeMessages(changeTexts((words) => letters(words, "漢")))),
  "right to left": createLanguage("ar", mergeMessages(changeTexts((words) => letters(words, "ع")))),
};

function letters(words: string, letter: string): string {
  return words.replaceAll(/\p{L}/gu, letter);
}

for (const [name, language] of Object.entries(LANGUAGES)) {
  Deno.test(`messages are within the limits of vendors in another language: ${name}`, () => {
    for (const [kind, message] of Object.entries(messagesIn(language))) {
      for (const tried of TRIED) {
        for (const short of tried.type === "webhook" ? [false] : [false, true]) {
          for (const body of bodiesOf(tried, message, language, short ? { short } : {})) {
            tried.check(body);
            for (const text of listStrings(body)) {
              assert(text.isWellFormed(), `${tried.type}, ${kind}`);
              assert(!tried.acts?.test(text), `${tried.type}, ${kind}: ${text}`);
              const marks = text.match(/[\u2068\u2069]/g) ?? [];
              const open = marks.reduce((sum, mark) => sum + (mark === "\u2068" ? 1 : -1), 0);
              assertEquals(open, 0, `${tried.type}, ${kind}: ${text}`);
            }
          }
        }
      }
    }
  });
}

Deno.test("a mail names its language, and its direction if that is right to left", () => {
  const found = Object.values(LANGUAGES).map((language) => {
    const outgoing = new Outgoing(MAIL, messageOf(), sendingWith({}, { language }));
    const { headers, html } = composeMail(outgoing, "b.example");
    return [headers["Content-Language"], ...html.match(/<html [^>]*>| dir="\w+"/g) ?? []];
  });
  assertEquals(found, [
    ["pl", '<html lang="pl">'],
    ["zh", '<html lang="zh">'],
    ["ar", '<html lang="ar" dir="rtl">', ' dir="rtl"'],
  ]);
});

/** Whole texts that programs read. */
const VALUES = new RegExp(
  `^(?:${
    [
      // Our own: names of events and states, ids, times, tags.
      "(?:down|degraded|up|notice|report|test|acknowledged|joined|muted)",
      "(?:(?:shop|site|sample|status|2026|test)[\\w/:@.+-]*|[\\da-f]{8,16}|#[\\da-f]{6})",
      "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z",
      "acme[/:]status(?:[:@].*)?|\\$[A-Z]+",
      // Vendors'.
      "section|plain_text|mrkdwn",
      "message|application/vnd\\..*|AdaptiveCard|Full|RichTextBlock|TextRun|TextBlock|FactSet",
      "Attention|Warning|Good|Accent|Large|Bolder|Container|Action\\.OpenUrl",
      "trigger|acknowledge|resolve|critical|warning|info|error|success|failure|normal",
      "firing|resolved|P[135]|HTML|text|text/plain|view|stream|ops|disable",
      "m\\.text|m\\.notice|org\\.matrix\\.custom\\.html",
      "rotating_light|white_check_mark|bar_chart|bell|eyes|mute",
    ].join("|")
  })$`,
);

/** Markup, addresses, and marked texts, of which a text message may have the start. */
const OTHERS =
  /<[^<>]*>|&nbsp;|⟦[^⟦⟧]*(?:⟧|\.\.\.|…|$)|https?\\?:[^\s<]+|\{\{[^{}]*\}\}|\b[\w.-]+\.example(?:\.com)?[^\s<]*/g;

/** Configured names, people, recorded errors, and the words of `Intl`, which are German. */
const KNOWN = ("Shop API Blog Site Status N Rome Oslo Bonn Kyiv ann jo acme status UTC " +
  "answered Service Unavailable took ms more than error é " +
  "slack webhook-url is missing needs it monitorrc.yml " +
  "Minute Minuten Stunde Stunden Tagen November Dezember Nov. Uhr und in").split(" ");

/** True for a word of {@linkcode KNOWN}, or the start of one that is cut. */
function isKnown(word: string): boolean {
  const start = word.replace(/[.…]+$/, "");
  return KNOWN.some((one) => start === word ? one === word : one.startsWith(start));
}

/** What an alert or a webhook names as programs read it. */
const FIELDS = ["error", "custom_details", "metadata", "details", "thread"];

function withoutFields(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withoutFields);
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !FIELDS.includes(name))
      .map(([name, value]) => [name, withoutFields(value)]),
  );
}

function findBareWords(texts: readonly string[]): string[] {
  const words = texts.filter((text) => !VALUES.test(text))
    .flatMap((text) => text.replaceAll(OTHERS, " ").match(/\p{L}[\p{L}\p{N}_.-]*/gu) ?? []);
  return words.filter((word) => !isKnown(word));
}

Deno.test("every word of a message is configured, recorded, or a text of its language", () => {
  for (const [kind, message] of Object.entries(messagesIn(MARKED))) {
    if (kind === "a long name") continue;
    for (const tried of TRIED) {
      for (const short of [false, true]) {
        const bodies = bodiesOf(tried, message, MARKED, short ? { short } : {});
        const bare = findBareWords(listStrings(withoutFields(bodies)));
        assertEquals(bare, [], `${tried.type}, ${kind}`);
      }
    }
    const outgoing = new Outgoing(MAIL, message, sendingWith({}, { language: MARKED }));
    const { subject, text, html } = composeMail(outgoing, "b.example");
    const [, page = ""] = html.split("</style>");
    assertEquals(findBareWords([subject, text, page]), [], `email, ${kind}`);
  }
});
