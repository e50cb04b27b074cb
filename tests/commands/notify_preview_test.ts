import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sampleMessages } from "../../lib/notifications/sample_messages.ts";
import { notifyTest } from "../helpers/notify_rig.ts";
import { vendorServer } from "../helpers/vendors/vendor_server.ts";
import { LANGUAGE } from "../helpers/languages.ts";

const KINDS = Object.keys(sampleMessages(Temporal.Instant.from("2026-11-21T10:00:00Z"), LANGUAGE));

Deno.test("notify-test --preview shows each kind of message of each channel, and sends nothing", async () => {
  await using server = await vendorServer({ status: 204 });
  const notifications = [
    { type: "webhook", url: server.url, on: ["down"] },
    { type: "gotify", url: server.url, token: "$GOTIFY_TOKEN", on: ["down"] },
  ];
  const secrets = { GOTIFY_TOKEN: "canary-0123456789" };
  const asked = { notifications, secrets };
  const { code, stdout, stderr } = await notifyTest({ ...asked, args: ["--preview"] });
  assertEquals([code, stderr, server.seen.length], [0, "", 0]);
  for (const kind of KINDS) {
    assert(new RegExp(`^2\\. gotify \\(.*\\), ${kind}:\\n\\n\\[\\n`, "m").test(stdout), kind);
  }
  assertStringIncludes(stdout, '"X-Gotify-Key": "$GOTIFY_TOKEN"');
  assert(!stdout.includes("canary"));
  const second = await notifyTest({ ...asked, args: ["--preview", "--channel", "2", "--json"] });
  const previews = JSON.parse(second.stdout) as { number: number; message: string }[];
  assertEquals(previews.map(({ number, message }) => [number, message]), KINDS.map((k) => [2, k]));
  const { lines } = await notifyTest({ args: ["--preview", "slack"] });
  assertEquals(lines[0], "slack ($SLACK_WEBHOOK_URL), down:");
});

Deno.test("notify-test refuses a type of channel that is unknown, and one without --preview", async () => {
  const unknown = await notifyTest({ args: ["--preview", "zulipp"] });
  assertEquals([unknown.code, unknown.stdout], [2, ""]);
  assertStringIncludes(unknown.stderr, 'error: Cannot preview zulipp: did you mean "zulip"? types');
  const { code, stderr } = await notifyTest({ args: ["zulip"] });
  assertEquals(
    [code, stderr],
    [2, "error: Cannot send to zulip: a channel type is for notify-test --preview\n"],
  );
});
