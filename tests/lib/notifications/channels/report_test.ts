import { assert, assertMatch } from "@std/assert";
import { sendingWith } from "../../../helpers/vendors/messages.ts";
import { CANARIES, TRIED } from "../../../helpers/vendors/vendors.ts";
import { vendorServer } from "../../../helpers/vendors/vendor_server.ts";
import { takesReports } from "../../../../lib/config/channels/kinds.ts";
import type { SiteEvent } from "../../../../lib/notifications/message.ts";

/** A report of 200 sites, whose names a chat could take for markup or mentions. */
const REPORT: SiteEvent = {
  ...{ id: "report/2026-W48", kind: "report", name: "Acme", slug: "report", code: 0, attempts: 0 },
  title: "Week of 2026-11-23: 200 outages of 200 of 200 sites, 9 days 4 hours",
  error: "From 2026-11-23 to 2026-11-29, UTC; 200 of 200 objectives missed",
  figures: Array.from({ length: 200 }, (_, index) => ({
    name: `Shop ${index + 1} <b>*_@everyone`,
    text: "99.37% uptime, 1 outage (1 hour 4 minutes), objective of 99.9% missed",
  })),
  since: "2026-11-30T00:00:00Z",
  incident: "report/2026-W48",
};

Deno.test("a report of many sites fits into every channel, with the worst sites, the number of the others and the page", async () => {
  for (const { type, channel: sender, notification, yes, check } of TRIED) {
    await using server = await vendorServer(yes);
    const channel = notification(server.url);
    if (!takesReports(channel)) continue;
    const sending = sendingWith(CANARIES);
    await sender.send(channel, { id: "report/2026-W48", events: [REPORT] }, sending);
    const [{ json, text: body }] = server.seen as [typeof server.seen[0]];
    const fields = json ?? Object.fromEntries(new URLSearchParams(body));
    check(fields);
    const text = Object.values(fields).map((field) =>
      typeof field === "string" ? field : JSON.stringify(field)
    ).join("\n");
    assertMatch(text, /Week of 2026-11-23/, type);
    assert(text.includes(sending.places.page!), type);
    if (type !== "twilio") assertMatch(text, /Shop 1 .*and \d+ more/s, type);
  }
});
