import { assertEquals } from "@std/assert";
import type { Notification } from "../../../lib/config/channels/keys.ts";
import { createMessageHandler } from "../../../lib/notifications/message_handler.ts";
import { messageEffect } from "../../../lib/notifications/message_effects.ts";
import { executeEffects } from "../../../lib/outbox/execute.ts";
import { settle } from "../../../lib/outbox/outbox.ts";
import { sendingWith, siteEvent } from "../../helpers/vendors/messages.ts";
import { vendorServer } from "../../helpers/vendors/vendor_server.ts";

Deno.test("a channel that exceeds its time budget is sent the remaining messages in the next run, each once", async () => {
  await using server = await vendorServer({ status: 204 });
  const sending = sendingWith();
  const { clock } = sending;
  clock.elapsed = () => server.seen.length * 50_000;
  const notification: Notification = { type: "webhook", url: server.url };
  const channels = new Map([["a", notification]]);
  const now = clock.now();
  let outbox = Array.from({ length: 5 }, (_, index) => {
    const message = { id: `${index}`, events: [siteEvent({ id: `${index}` })] };
    return { ...messageEffect({ key: "a", notification }, message, now), planned: now };
  });
  const counts = [];
  for (let run = 0; run < 3; run++) {
    const handler = createMessageHandler({ channels, sending, issues: new Map() });
    const waiting = outbox.filter((entry) => !("done" in entry));
    const { results } = await executeEffects(waiting, outbox, { message: handler });
    outbox = settle(outbox, results, now) as typeof outbox;
    counts.push(server.seen.length);
    if (run > 0) continue;
    assertEquals(results.flatMap((one) => "failure" in one ? [one.failure] : []), [
      "webhook took 3 messages in 100 s; the next run sends this one",
    ]);
  }
  assertEquals(counts, [3, 5, 5]);
  assertEquals(server.seen.map(({ json }) => json.id), ["0", "1", "2", "3", "4"]);
});
