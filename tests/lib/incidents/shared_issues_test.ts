import { assertEquals } from "@std/assert";
import { type Incident, parseIncident } from "../../../lib/history/incident.ts";
import { planSharedIssues, shareIssues } from "../../../lib/incidents/shared_issues.ts";

const TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");

function incidentAt(slug: string, time = TIME, more = ""): Incident {
  return parseIncident(`slug: ${slug}\nkind: down\nstart: ${time}\nconfirmed: ${time}\n${more}`)!;
}

function openings(from: number, to: number): [id: string, incident: Incident][] {
  return Array.from({ length: to - from }, (_, index) => {
    const slug = `site-${from + index}`;
    return [`2026-11-21-${slug}`, incidentAt(slug)];
  });
}

Deno.test("an incident that joins a shared issue of last week knows its number", () => {
  const week = TIME.subtract({ hours: 7 * 24 });
  const shared = "2026-11-14T10-05-shared-85944171f73967e8";
  const old = incidentAt("old", week, `shared: ${shared}\nissue: 12\n`);
  const group = "foobar";
  const known = [{ id: "2026-11-14-old", incident: old, group }];
  const opened = openings(0, 101).map(([id, incident]) => ({ id, incident, group }));
  const changed = shareIssues(opened, { known, time: TIME });
  const [incident] = changed.values();
  assertEquals([incident!.shared, incident!.issue], [shared, 12]);
  const events = [...changed].map(([id, incident]) => ({
    ...{ action: "open" as const, id, incident, condition: "down" as const, at: TIME },
  }));
  const incidents = [...known, ...events.map(({ id, incident }) => ({ id, incident, group }))];
  const plans = planSharedIssues(events, {
    incidents,
    isTracked: () => false,
    isPlanned: () => false,
    time: TIME,
  });
  assertEquals(plans.map(({ action, number }) => [action, number]), [["update", 12]]);
});
