import { assert, assertEquals } from "@std/assert";
import {
  formatIncident,
  INCIDENT as SCHEMA,
  type Incident,
  incidentPath,
  newIncidentId,
  parseIncident,
  parsePlainIncident,
  UNCHANGED,
} from "../../../lib/history/incident.ts";
import { readYaml } from "../../../lib/history/yaml_file.ts";
import fc, { anyText } from "../../helpers/property.ts";

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

Deno.test("an incident is read back as it was written, open or closed, whatever stands in it", () => {
  const texts = ["", "null", "a: b # c", "a\nb", "=1+1", "'\"", "🚀\u202e", "2026-11-21", "--help"];
  for (const end of [undefined, START.add({ hours: 2 })]) {
    for (const text of texts) {
      const incident = { ...INCIDENT, end, slug: text, error: text };
      const read = parseIncident(formatIncident(incident))!;
      assertEquals({ ...read, end: read.end }, incident);
    }
  }
});

Deno.test("a text that is no incident is none, and nothing breaks", () => {
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

const MOMENT = fc.integer({ min: 0, max: 4_000_000_000_000 })
  .map((at) => Temporal.Instant.fromEpochMilliseconds(at));

/** Texts that YAML may take for something else. */
const TEXT = fc.oneof(
  fc.constantFrom(
    ...["shop", "my shop", "true", "Null", "NO", "x: y", "x #y", "x:", "x:y", "it's", "'", "''"],
    ...["- x", "? x", "a, [b] {c}", "0x1f", "1e3", ".5", "x ", " x", "", "a  b", "ünï", "é", "~"],
    ...["&a", "*a", "!a", "|", ">", "%", "@", "`", "x\ny", "x\ty", '"x"', "a: 'b'", "2026-11-21"],
    ...["expected status 200-399, found 503 Service Unavailable", "refused (203.0.113.7:443)"],
  ),
  fc.string({ maxLength: 12 }),
  anyText({ maxLength: 6 }),
);

const INCIDENTS = fc.record({
  slug: TEXT,
  kind: fc.constantFrom("down" as const, "degraded" as const),
  start: MOMENT,
  confirmed: MOMENT,
  end: fc.option(MOMENT, { nil: undefined }),
  code: fc.constantFrom(0, 200, 503),
  error: TEXT,
  attempts: fc.integer({ min: 1, max: 12 }),
  issue: fc.option(fc.integer({ min: 1, max: 1e6 }), { nil: undefined }),
}).map((incident): Incident => ({ ...incident, ...UNCHANGED }));

/** What may have become of a file. */
const CHANGES = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => text,
  (text) => text.slice(0, -1),
  (text) => `${text}\n`,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace(/^code: .*\n/m, ""),
  (text) => text.replace("code: ", "code: 0"),
  (text) => text.replace("attempts: ", "attempts:  "),
  (text) => text.replace(/-\d\dT/, "-31T"),
  (text) => text.replace(/T\d\d:/, "T24:"),
  (text) => text.replace(/\n(slug|start|end)/, "\n $1"),
  (text) => `${text}more: 1\n`,
  (text) => `# Note\n${text}`,
  (text) => text.replace("error: ", "error: &a "),
);

Deno.test("a plain file of an incident is read as YAML, and no other is taken for one", () => {
  let plain = 0;
  fc.assert(
    fc.property(INCIDENTS, CHANGES, (incident, change) => {
      const text = change(formatIncident(incident));
      const read = parsePlainIncident(text);
      if (read === undefined) return;
      plain++;
      const expected = readYaml(SCHEMA, text);
      assertEquals(read, expected);
      assertEquals(Object.keys(read).sort(), Object.keys(expected!).sort());
    }),
  );
  assert(plain > 0, `${plain}`);
});

Deno.test("a site's usual outage is a plain file", () => {
  const end = START.add({ minutes: 5 });
  const base = { ...INCIDENT, issue: undefined, reopened: [], ended: [] };
  for (const one of [{}, { end }, { end, issue: 12 }, { error: "" }, { error: "it's: so" }]) {
    const { end: ended, issue, ...rest } = { ...base, ...one };
    const plain = { ...rest, ...ended && { end: ended }, ...issue && { issue } };
    assertEquals(parsePlainIncident(formatIncident(plain)), plain);
  }
});
