import { assertEquals } from "@std/assert";
import { CHANNELS } from "../../../helpers/senders.ts";
import type { Notification } from "../../../../lib/config/channels/keys.ts";
import { findSubscribers, type Subscriber } from "../../../../lib/notifications/channel_list.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";
import { messageId } from "../../../../lib/notifications/plan_messages.ts";
import { eventId } from "../../../../lib/incidents/incident_event.ts";
import { blocksOf, readDoc } from "../../../helpers/docs.ts";
import { sendingWith } from "../../../helpers/vendors/messages.ts";

Deno.test("the docs show a webhook's JSON as it is sent, ids included", async () => {
  const [shown] = blocksOf(await readDoc("docs/notifications.md"), "json");
  const sending = sendingWith();
  const incident = "2026-11-21-shop";
  const since = "2026-11-21T10:05:03.120Z";
  const event: SiteEvent = {
    id: eventId({ action: "open", id: incident, incident: { reopened: [] } } as never),
    ...{ kind: "down", name: "Shop", slug: "shop", url: "https://shop.example.com/", since },
    ...{ code: 503, error: "answered 503 Service Unavailable", attempts: 3, incident, issue: 12 },
  };
  const notification: Notification = { type: "webhook", url: "$HOOK_URL", on: ["down", "up"] };
  const [{ key }] = findSubscribers(
    { notifications: [notification], sites: [] },
    sending.secrets,
  ) as [
    Subscriber,
  ];
  const message = { id: messageId(key, [event]), events: [event] };
  const [{ body }] = CHANNELS.webhook.preview(notification, message, sending) as [
    { body: unknown },
  ];
  assertEquals(JSON.parse(shown!), JSON.parse(JSON.stringify(body)));
});
