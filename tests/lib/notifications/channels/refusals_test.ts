import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { sendTo, VENDORS } from "../../../helpers/vendors/vendors.ts";

const discord = (message: string, code: number) => JSON.stringify({ message, code });
const telegram = (error_code: number, description: string) =>
  JSON.stringify({ ok: false, error_code, description });
const teams = (code: string) => JSON.stringify({ error: { code, message: "It can't be done." } });
const pagerduty = (error: string) =>
  JSON.stringify({ status: "invalid event", message: "Event object is invalid", errors: [error] });
const google = (error: object) => JSON.stringify({ error });
const zulip = (msg: string, code: string) => JSON.stringify({ result: "error", code, msg });

/** Refusals that a person must end, and what the error says. */
const REFUSALS: [
  type: keyof typeof VENDORS,
  status: number,
  body: string,
  says: string | RegExp,
][] = [
  ["slack", 404, "no_service", /404: no_service; .*make a new one and change webhook-url/],
  ["slack", 403, "invalid_token", /403: invalid_token; .*change webhook-url/],
  ["slack", 404, "channel_not_found", /404: .*; the channel is gone or archived/],
  ["slack", 410, "channel_is_archived", /410: .*; the channel is gone or archived/],
  ["slack", 403, "action_prohibited", /403: .*; an administrator of the workspace/],
  ["discord", 404, discord("Unknown Webhook", 10015), /404: Unknown Webhook; the webhook was/],
  ["discord", 400, discord("forums need a thread_id", 220001), /400: .*; .*add \?thread_id=/],
  ["telegram", 400, telegram(400, "Bad Request: chat not found"), /400: .*; check chat-id/],
  ["telegram", 401, telegram(401, "Unauthorized"), /401: .*; .*get one from @BotFather/],
  ["telegram", 403, telegram(403, "Forbidden: bot was kicked"), /403: .*add it to the chat/],
  ["telegram", 404, telegram(404, "Not Found"), /404: Not Found; .*check bot-token/],
  ["telegram", 200, telegram(403, "Forbidden: bot was kicked"), /200: .*add it to the chat/],
  ["teams", 400, teams("WorkflowTriggerIsNotEnabled"), /400: It can't be done; .*turn it on/],
  ["teams", 401, teams("DirectApiAuthorizationRequired"), /401: .*; .*copy the whole of it anew/],
  ["teams", 404, teams("WorkflowNotFound"), /404: .*; .*make a new workflow/],
  ["pagerduty", 400, pagerduty("'routing_key' is missing or blank"), "check integration-key"],
  ["pagerduty", 400, pagerduty("Invalid routing key"), "check integration-key"],
  ["datadog", 403, '{"errors":["Forbidden"]}', "answered 403: Forbidden; the key is wrong"],
  ["matrix", 403, '{"errcode":"M_FORBIDDEN","error":"not in room"}', "invite it"],
  ["matrix", 401, '{"errcode":"M_UNKNOWN_TOKEN","error":"x"}', "change token"],
  ["matrix", 404, '{"errcode":"M_NOT_FOUND","error":"x"}', "check url and room"],
  ["jsm", 401, '{"message":"Key format is not valid!"}', "check api-key, and url"],
  ["jsm", 422, '{"message":"Key format is not valid!","took":0.0}', "check api-key"],
  ["jsm", 422, '{"errors":{"message":"can not be empty."}}', "check priority, tags and message-t"],
  ["incident-io", 401, '{"type":"authentication_error"}', "check token ($KEY)"],
  ["incident-io", 404, "{}", "change url"],
  ["ntfy", 401, '{"code":40101,"error":"unauthorized"}', /401: unauthorized; .*: check token/],
  ["ntfy", 400, '{"code":40009,"error":"invalid topic"}', /400: invalid topic; .*: check topic/],
  ["ntfy", 200, "<html>Log in</html>", "which is no answer of ntfy"],
  [
    "gotify",
    401,
    '{"error":"Unauthorized","errorDescription":"provide a token"}',
    "401: Unauthorized: provide a token; check token: it is that of an application",
  ],
  ["gotify", 200, '{"success":true}', "which is no answer of Gotify"],
  ["google-chat", 200, google({ message: "Denied", status: "PERMISSION_DENIED" }), "200: Denied"],
  [
    "google-chat",
    404,
    google({ status: "NOT_FOUND" }),
    "make a new webhook and change webhook-url",
  ],
  ["google-chat", 200, "<html>Log in", "no answer of Google"],
  ["google-chat", 400, google({ message: "API key not valid." }), "the address is not complete"],
  ["mattermost", 200, '{"error":"no"}', "no answer of Matter"],
  ["mattermost", 200, "<!DOCTYPE html>", "no answer of Matter"],
  ["mattermost", 400, '{"id":"web.incoming_webhook.invalid.app_error"}', "the webhook was deleted"],
  [
    "rocket-chat",
    200,
    '{"success":false,"error":"invalid-channel"}',
    "answered 200: invalid-channel; the integration may not post there",
  ],
  ["rocket-chat", 200, "", "no answer of Rocket.Chat"],
  ["zulip", 200, zulip("Kanal fehlt", "STREAM_DOES_NOT_EXIST"), "Kanal fehlt; check channel"],
  ["zulip", 401, zulip("Invalid API key", "UNAUTHORIZED"), "check bot-email, api-key and url"],
  ["zulip", 200, '{"result":"partial"}', "no answer of Zulip"],
];

Deno.test("an error about a rejected message says what to change, also if the status is that of success", async () => {
  for (const [type, status, body, says] of REFUSALS) {
    const answers = [{ status, body }];
    const { result, seen } = await sendTo(VENDORS[type].notification, { answers });
    assertEquals([result.kind, seen.length], ["misconfigured", 1], `${type} ${body}`);
    if (typeof says === "string") assertStringIncludes(result.message, says, type);
    else assertMatch(result.message, new RegExp(`answered .*${says.source}`), type);
  }
});

Deno.test("a refusal that nobody can end is permanent", async () => {
  const answers = [{ status: 400, body: "invalid_payload" }];
  const { result } = await sendTo(VENDORS.slack.notification, { answers });
  assertEquals(result.kind, "permanent");
});
