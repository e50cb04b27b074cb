import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { twilio } from "../../../../lib/notifications/channels/twilio.ts";
import { toSubscribers } from "../../../../lib/notifications/channel_list.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { createLanguage, type Language } from "../../../../lib/text/language.ts";
import { mergeMessages } from "../../../../lib/text/messages.ts";
import { hostileText } from "../../../helpers/hostile_text.ts";
import { LANGUAGE } from "../../../helpers/languages.ts";
import fc, { runs } from "../../../helpers/property.ts";
import { checkTwilioCall } from "../../../helpers/vendors/alerting.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { type VendorAnswer, vendorServer } from "../../../helpers/vendors/vendor_server.ts";

const QUEUED: VendorAnswer = { status: 201, body: '{"sid":"CA1","status":"queued"}' };
const CALL: Notification = {
  type: "twilio",
  "account-sid": "AC0",
  token: "$KEY",
  "from-number": "15005550006",
  "to-number": "+43 664 1234567",
  call: true,
};

/** Sends a message to a server; returns the result, the forms, the requests and the waits. */
async function called(
  events: SiteEvent[] = [siteEvent()],
  { answers = [], keys = {}, language = LANGUAGE }: {
    answers?: VendorAnswer[];
    keys?: Partial<Notification>;
    language?: Language;
  } = {},
) {
  await using server = await vendorServer(QUEUED, answers);
  const sending = sendingWith({ KEY: "0123456789abcdef" }, { title: "Acme & Co", language });
  const notification = { ...CALL, url: server.url, ...keys };
  const result = await twilio.send(notification, messageOf(...events), sending)
    .catch((error) => error);
  const forms = server.seen.map(({ text }) => Object.fromEntries(new URLSearchParams(text)));
  for (const form of forms) checkTwilioCall(form);
  return { result, forms, seen: server.seen, waits: sending.clock.waits };
}

/** The text that is read aloud. */
function spoken({ Twiml = "" }: Record<string, string>): string {
  const [, text = ""] =
    /^<Response><Pause length="1"\/><Say loop="2">([^<>]*)<\/Say><\/Response>$/.exec(Twiml) ?? [];
  assert(!/&(?!(?:amp|lt|gt|quot|#39);)/.test(text), text);
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

Deno.test("a call goes to the same account and number as a text message, and says what happened twice", async () => {
  const { result, forms: [form], seen: [request] } = await called();
  assertEquals(result, "answered 201");
  assertEquals([request!.method, request!.path], ["POST", "/2010-04-01/Accounts/AC0/Calls.json"]);
  assertEquals(request!.headers["authorization"], `Basic ${btoa("AC0:0123456789abcdef")}`);
  assertEquals([form!.From, form!.To], ["+15005550006", "+436641234567"]);
  assertEquals(
    spoken(form!),
    "Message from Acme & Co. Shop is down: answered 503 Service Unavailable.",
  );
});

Deno.test("a call about several sites reads the headline, and a text of one's own replaces all", async () => {
  const many = await called(manyEvents(30));
  assertMatch(
    spoken(many.forms[0]!),
    /^Message from Acme & Co\. Site \d+, Site \d+ and \d+ more are down, .*\.$/,
  );
  const keys = { "message-template": { down: "Wake up! $SITE_NAME <down>" } };
  assertEquals(spoken((await called(undefined, { keys })).forms[0]!), "Wake up! Shop <down>.");
});

Deno.test("a call in another language has a voice of that language", async () => {
  const texts = { "sitesDown.one": "$NAMES ist ausgefallen", spokenMessage: "Von $NAME: $TEXT" };
  const language = createLanguage("de", mergeMessages(texts));
  const { forms: [form] } = await called([siteEvent({ error: "" })], { language });
  assertStringIncludes(
    form!.Twiml!,
    '<Say loop="2" voice="Polly.Vicki">Von Acme &amp; Co: Shop ist ausgefallen.</Say>',
  );
});

Deno.test("a call stays within Twilio's limit whatever names and errors contain", async () => {
  await fc.assert(
    fc.asyncProperty(hostileText(), hostileText(), async (name, error) => {
      const event = siteEvent({ name: name.repeat(50), error: `&"<${error}`.repeat(200) });
      for (const template of [undefined, "$SITE_NAME & $ERROR"]) {
        const { forms } = await called([event], { keys: { "message-template": template } });
        assert(spoken(forms[0]!).length <= 400);
      }
    }),
    { numRuns: runs(10, 100) },
  );
});

Deno.test("an acknowledgement calls nobody, alone or beside other events", async () => {
  const acknowledged = siteEvent({ kind: "notice", news: "acknowledged", title: "jo has it" });
  const { result, seen } = await called([acknowledged]);
  assertEquals([result, seen.length], ["", 0]);
  assertEquals((await called([acknowledged, siteEvent({ kind: "up" })])).seen.length, 1);
});

Deno.test("a call is retried like a message, and a refusal says what to change", async () => {
  const busy = { status: 503, body: "busy" };
  const { result, seen, waits } = await called(undefined, { answers: [busy, busy] });
  assertEquals([result, seen.length, waits.length], ["answered 201", 3, 2]);
  const faults: [code: number, says: string][] = [
    [21210, "check from-number"],
    [21215, "geographic permissions"],
    [21216, "check to-number"],
    [21219, "check to-number"],
    [20003, "check account-sid and token"],
  ];
  for (const [code, says] of faults) {
    const answer = { status: 400, body: `{"code":${code},"message":"no","status":400}` };
    const { result } = await called(undefined, { answers: [answer] });
    assertEquals(result.kind, "misconfigured", says);
    assertStringIncludes(result.message, says);
  }
});

Deno.test("a messaging service can't call, which is said before anything is sent", async () => {
  const keys = { "from-number": `MG${"0".repeat(32)}` };
  const { result, seen } = await called(undefined, { keys });
  assertEquals([result.kind, seen.length], ["misconfigured", 0]);
  assertStringIncludes(result.message, "use a number of the account");
});

Deno.test("calls and text messages to one number are two channels", () => {
  const keys = [CALL, { ...CALL, call: undefined }, { ...CALL, call: false }]
    .map((one) => toSubscribers({ notifications: [one], sites: [] })[0]!.key);
  assertEquals([keys[0] === keys[1], keys[1] === keys[2]], [false, true]);
});
