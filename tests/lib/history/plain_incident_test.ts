import { assert, assertEquals } from "@std/assert";
import {
  formatIncident,
  INCIDENT,
  type Incident,
  parsePlainIncident,
  UNCHANGED,
} from "../../../lib/history/incident.ts";
import { readYaml } from "../../../lib/history/yaml_file.ts";
import fc, { anyText } from "../../helpers/property.ts";

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
      const expected = readYaml(INCIDENT, text);
      assertEquals(read, expected);
      assertEquals(Object.keys(read).sort(), Object.keys(expected!).sort());
    }),
  );
  assert(plain > 0, `${plain}`);
});

Deno.test("what a site's usual outage leaves is a plain file", () => {
  const start = Temporal.Instant.from("2026-11-21T10:05:00.000Z");
  const base: Incident = {
    slug: "shop",
    kind: "down",
    start,
    confirmed: start,
    code: 503,
    error: "expected status 200-399, found 503 Service Unavailable",
    attempts: 3,
    ...UNCHANGED,
  };
  const end = start.add({ minutes: 5 });
  const others = [{}, { end }, { end, issue: 12 }, { error: "" }, { error: "it's: so" }];
  for (const one of others) {
    const read = parsePlainIncident(formatIncident({ ...base, ...one }));
    assertEquals(read, { ...base, ...one });
  }
});
