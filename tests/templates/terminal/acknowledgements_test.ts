import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import { formatMutes } from "../../../templates/terminal/acknowledgements.ts";
import {
  incidentLines,
  incidentsJson,
  incidentView,
} from "../../../templates/terminal/incidents.ts";
import { printedData } from "../../helpers/printed_data.ts";

const NOW = Temporal.Instant.from("2026-11-21T12:00:00Z");

const TEXT = `slug: shop
kind: down
start: 2026-11-21T10:00:00.000Z
confirmed: 2026-11-21T10:00:31.000Z
error: answered 503
acknowledgements:
  - at: 2026-11-21T10:12:00.000Z
    by: ann
    way: comment
    state: down
    until: 2026-11-21T11:12:00.000Z
  - at: 2026-11-21T10:20:00.000Z
    by: bob
    way: assignee
    state: down
    until: 2026-11-21T14:20:00.000Z
    ended: 2026-11-21T10:30:00.000Z
    why: unassigned
  - at: 2026-11-21T11:30:00.000Z
    by: "Eve \\e[31m"
    way: command
    state: down
    until: 2026-11-21T15:30:00.000Z
`;

Deno.test("incidents name who has acknowledged while that is in effect, and list all with their ends", () => {
  const incident = parseStoredIncident(TEXT)!;
  const options = { now: NOW, columns: 120, sites: [{ slug: "shop", name: "Shop" }] };
  const [line] = incidentLines([["2026-11-21-shop", incident]], options);
  assertEquals(
    line!.replaceAll(/ {2,}/g, " "),
    "✘ Shop down: answered 503 2026-11-21 10:00 2h acknowledged by Eve [31m",
  );
  const view = incidentView("2026-11-21-shop", incident, options);
  assertEquals(view.split("\n").filter((one) => one.includes("acknowledged by")), [
    "2026-11-21 10:12 UTC  acknowledged by ann (its time is over)",
    "2026-11-21 10:20 UTC  acknowledged by bob (until the assignee left)",
    "2026-11-21 11:30 UTC  acknowledged by Eve [31m, until 2026-11-21 15:30 UTC",
  ]);
  const json = incidentsJson([["2026-11-21-shop", incident]], { now: NOW, written: [] });
  const [{ acknowledgements }] = printedData(json).incidents;
  assertEquals(acknowledgements[1], {
    at: "2026-11-21T10:20:00.000Z",
    by: "bob",
    way: "assignee",
    until: "2026-11-21T14:20:00.000Z",
    ended: "2026-11-21T10:30:00.000Z",
    why: "unassigned",
  });
});

Deno.test("an acknowledgement that an earlier version found in a channel is still listed", () => {
  const text = TEXT.replace("by: ann\n    way: comment", "by: iphone (Pushover)\n    way: channel");
  const options = { now: NOW, columns: 120, sites: [{ slug: "shop", name: "Shop" }] };
  const view = incidentView("2026-11-21-shop", parseStoredIncident(text)!, options);
  assertStringIncludes(view, "acknowledged by iphone (Pushover) (its time is over)");
});

Deno.test("status lists the sites that are muted now", () => {
  const at = NOW.subtract({ hours: 1 });
  const mutes = {
    shop: { by: "ann", at, until: NOW.add({ hours: 1 }) },
    blog: { by: "ann", at, until: NOW },
  };
  assertEquals(
    formatMutes(mutes, [{ slug: "shop", name: "Shop" }], NOW),
    "Muted by ann until 2026-11-21 13:00 UTC: Shop",
  );
  assertEquals(formatMutes(undefined, [], NOW), "");
});
