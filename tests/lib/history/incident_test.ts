import { assertEquals } from "@std/assert";
import {
  formatIncident,
  type Incident,
  incidentPath,
  newIncidentId,
  parseIncident,
  UNCHANGED,
} from "../../../lib/history/incident.ts";

const START = Temporal.Instant.from("2026-11-21T23:59:58.5Z");
const INCIDENT: Incident = {
  slug: "shop",
  kind: "down",
  start: START,
  confirmed: START.add({ seconds: 31 }),
  end: undefined,
  code: 0,
  error: "connection refused",
  attempts: 3,
  issue: 12,
  ...UNCHANGED,
  reopened: [START.add({ minutes: 9 }), START.add({ hours: 1 })],
  ended: [START.add({ minutes: 7 }), START.add({ minutes: 50 })],
};

Deno.test("an incident with any content is read back as it was written, open or closed", () => {
  const texts = ["", "null", "a: b # c", "a\nb", "=1+1", "'\"", "🚀\u202e", "2026-11-21", "--help"];
  for (const end of [undefined, START.add({ hours: 2 })]) {
    for (const text of texts) {
      const incident = { ...INCIDENT, end, slug: text, error: text };
      const read = parseIncident(formatIncident(incident))!;
      assertEquals({ ...read, end: read.end }, incident);
    }
  }
});

Deno.test("any other text is read as no incident, without an exception", () => {
  for (const text of ["", "a: [", "kind: sideways\n", "slug: a\nkind: down\nstart: never\n"]) {
    assertEquals(parseIncident(text), undefined, text);
  }
});

Deno.test("incidents are named after the UTC day of their start, and counted within it", () => {
  const taken = new Set<string>();
  const ids = [START, START, START, START.add({ seconds: 2 })].map((start) => {
    const id = newIncidentId(start, "shop", taken);
    taken.add(id);
    return id;
  });
  assertEquals(ids, [
    "2026-11-21-shop",
    "2026-11-21-shop-2",
    "2026-11-21-shop-3",
    "2026-11-22-shop",
  ]);
  assertEquals(newIncidentId(START, "other", taken), "2026-11-21-other");
  assertEquals(incidentPath(ids[0]!), "history/incidents/2026-11-21-shop.yml");
});
