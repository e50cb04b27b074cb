import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseConfig } from "../../../../lib/config/parse.ts";
import { webhook } from "../../../../lib/notifications/channels/webhook.ts";
import { toSubscribers } from "../../../../lib/notifications/channel_list.ts";
import { blocksOf, readDoc } from "../../../helpers/docs.ts";
import {
  manyEvents,
  messageOf,
  sendingWith,
  siteEvent,
} from "../../../helpers/vendors/messages.ts";
import { KINDS } from "../../../helpers/vendors/hostile_messages.ts";
import { list, object, schema, text } from "../../../helpers/vendors/schema.ts";
import {
  type SeenRequest,
  type VendorAnswer,
  vendorServer,
} from "../../../helpers/vendors/vendor_server.ts";

const DOC = await readDoc("docs/notifications.md");
const SECRET = "canary-0123456789/+=";

/** What the API of a service requires of a request. */
interface Service {
  path: RegExp;
  headers: Readonly<Record<string, string>>;
  check(body: unknown): void;
  /** True if one request has all events of a message. */
  takesMany: boolean;
  yes: VendorAnswer;
}

const PHONE = { type: "string", pattern: "^\\+[1-9]\\d{6,14}$" };
/** A variable of a template: neither empty nor with line breaks, tabs or more than four blanks in a row. */
const VARIABLE = { ...text(1024), not: { pattern: "[\\n\\r\\t]| {5}" } };
const BEARER = `Bearer ${SECRET}`;
const BASIC = `Basic ${btoa(`monitor:${SECRET}`)}`;

const SERVICES: Readonly<Record<string, Service>> = {
  // developers.facebook.com/documentation/business-messaging/whatsapp
  WhatsApp: {
    path: /^\/v\d+\.0\/\d+\/messages$/,
    headers: { authorization: BEARER },
    check: schema(object({
      messaging_product: { const: "whatsapp" },
      to: { type: "string", pattern: "^\\+?[1-9]\\d{6,14}$" },
      type: { const: "template" },
      template: object({
        name: { type: "string", pattern: "^[a-z0-9_]{1,512}$" },
        language: object({ code: { type: "string", pattern: "^[a-z]{2}(?:_[A-Z]{2})?$" } }),
        components: list(
          object({
            type: { const: "body" },
            parameters: list(object({ type: { const: "text" }, text: VARIABLE }), 3, 3),
          }),
          1,
          1,
        ),
      }),
    })),
    takesMany: false,
    yes: { status: 200, body: '{"messaging_product":"whatsapp","messages":[{"id":"wamid.A"}]}' },
  },
  // github.com/bbernhard/signal-cli-rest-api, POST /v2/send
  Signal: {
    path: /^\/v2\/send$/,
    headers: { authorization: BASIC },
    check: schema(object({
      number: PHONE,
      recipients: list(PHONE, 10, 1),
      message: text(10_000),
    })),
    takesMany: true,
    yes: { status: 201, body: '{"timestamp":"1795255203000"}' },
  },
  // developers.home-assistant.io/docs/api/rest, POST /api/services/<domain>/<service>
  "Home Assistant": {
    path: /^\/api\/services\/notify\/[a-z0-9_]+$/,
    headers: { authorization: BEARER },
    check: schema(object({ title: text(250), message: text(10_000) })),
    takesMany: true,
    yes: { status: 200, body: "[]" },
  },
  // nextcloud-talk.readthedocs.io/en/latest/chat, "Sending a new chat message"
  "Nextcloud Talk": {
    path: /^\/ocs\/v2\.php\/apps\/spreed\/api\/v1\/chat\/[a-z0-9]{4,30}$/,
    headers: { authorization: BASIC, "ocs-apirequest": "true", accept: "application/json" },
    check: schema(object({ message: text(32_000) })),
    takesMany: true,
    yes: { status: 201, body: '{"ocs":{"meta":{"status":"ok","statuscode":201}}}' },
  },
};

/** The channel that the docs show below a heading, sent to a server of ours. */
async function readRecipe(title: string, server: string) {
  const section = DOC.split(`\n#### ${title}\n`)[1]?.split(/\n#{2,4} /)[0] ?? "";
  const [block] = blocksOf(section, "yaml");
  const { config, problems } = await parseConfig(block ?? "");
  assertEquals(problems, [], title);
  const [notification] = config!.notifications;
  const { origin } = new URL(notification!.url!);
  const [, secret] = /\$([A-Z_]+)/.exec(JSON.stringify(notification!.headers))!;
  return {
    notification: { ...notification!, url: notification!.url!.replace(origin, server) },
    secrets: { [secret!]: SECRET },
  };
}

function assertAccepted(title: string, { method, path, headers, json }: SeenRequest): void {
  const service = SERVICES[title]!;
  assertEquals(method, "POST");
  assertMatch(path, service.path);
  assertEquals(headers["content-type"], "application/json");
  for (const [name, value] of Object.entries(service.headers)) {
    assertEquals(headers[name], value, `${title}: ${name}`);
  }
  service.check(json);
}

Deno.test("each recipe of a service makes requests that its API accepts, for every kind of event", async () => {
  const quiet = { error: "", url: undefined, issue: undefined, code: 0 };
  const hostile = { name: 'the "shop" \\ {{1}}', error: 'said "no" @all ' };
  for (const [title, { yes }] of Object.entries(SERVICES)) {
    await using server = await vendorServer(yes);
    const { notification, secrets } = await readRecipe(title, server.url);
    const sending = sendingWith(secrets);
    for (const changes of [{}, quiet, hostile, { reminder: true as const }]) {
      for (const kind of KINDS) {
        await webhook.send(notification, messageOf(siteEvent({ kind, ...changes })), sending);
      }
    }
    assertEquals(server.seen.length, 4 * KINDS.length);
    for (const request of server.seen) assertAccepted(title, request);
    const [first] = server.seen;
    assert(first!.text.includes("Shop") && first!.text.includes("answered 503"), title);
  }
});

Deno.test("a recipe of a service sends a group as one text if the service takes one", async () => {
  for (const [title, { yes, takesMany }] of Object.entries(SERVICES)) {
    await using server = await vendorServer(yes);
    const { notification, secrets } = await readRecipe(title, server.url);
    await webhook.send(notification, messageOf(...manyEvents(6)), sendingWith(secrets));
    assertEquals(server.seen.length, takesMany ? 1 : 6, title);
    for (const request of server.seen) assertAccepted(title, request);
    const [subscriber] = toSubscribers({ notifications: [notification], sites: [] });
    assertEquals(subscriber!.takesOne, !takesMany, title);
  }
});
