import { assertEquals } from "@std/assert";
import { type Findings, toFindings } from "../../../lib/pipeline/findings.ts";
import { type Incident, UNCHANGED } from "../../../lib/history/incident.ts";
import type { ProbeResult } from "../../../lib/evaluation/results.ts";
import type { HistoryRecord } from "../../../lib/history/record.ts";
import type { HistoryState } from "../../../lib/pipeline/history_state.ts";
import { knownCertificate } from "../../../lib/pipeline/outcomes.ts";
import { historyState, recordSince } from "../../helpers/history_states.ts";
import { NOW, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { siteOf } from "../../helpers/sites.ts";

const SITE = await siteNamed("Shop", "shop", { degradedRuns: [1, 1] });
const RUN = { id: "9f3c01ab", time: NOW };
const BEFORE = NOW.subtract({ minutes: 5 });

const record = (more: Partial<HistoryRecord> = {}) => recordSince(BEFORE, more);

function stateOf(
  known?: HistoryRecord,
  incidents: [string, Incident][] = [],
  ids: string[] = [],
): HistoryState {
  return historyState({
    records: new Map(known === undefined ? [] : [["shop", known]]),
    incidents: new Map(incidents.filter(([, { end }]) => end === undefined)),
    ended: new Map(incidents.filter(([, { end }]) => end !== undefined)),
    incidentIds: new Set([...ids, ...incidents.map(([id]) => id)]),
  });
}

/** The findings of a run without maintenance. */
function conclude(state: HistoryState, results: readonly ProbeResult[]): Findings {
  return toFindings(state, results, RUN, new Map());
}

const OPEN: Incident = {
  slug: "shop",
  kind: "degraded",
  start: BEFORE,
  confirmed: BEFORE,
  code: 200,
  error: "slow",
  attempts: 1,
  ...UNCHANGED,
};

/** The changes of the site's record and of an incident. */
function written({ records, incidents }: Findings, id: string) {
  return { record: records.get("shop"), incident: incidents.get(id) };
}

Deno.test("a site that goes down gets an incident from its first failing attempt on", () => {
  const began = NOW.add({ seconds: 1 });
  const result = resultOf(SITE, "down", {
    began,
    confirmed: NOW.add({ seconds: 31 }),
    attempts: 3,
  });
  const { record: kept, incident } = written(
    conclude(stateOf(record()), [result]),
    "2026-11-21-shop",
  );
  assertEquals([kept?.status, kept?.since, kept?.incident], ["down", began, "2026-11-21-shop"]);
  assertEquals(incident, {
    slug: "shop",
    kind: "down",
    start: began,
    confirmed: NOW.add({ seconds: 31 }),
    code: 0,
    error: "connection refused (203.0.113.7:443)",
    attempts: 3,
    ...UNCHANGED,
  });
});

Deno.test("the first good attempt closes the incident, and is removed from the record", () => {
  const began = NOW.add({ seconds: 2 });
  const known = record({ status: "down", incident: "2026-11-20-shop" });
  const state = stateOf(known, [["2026-11-20-shop", { ...OPEN, kind: "down" }]]);
  const found = conclude(state, [resultOf(SITE, "up", { began })]);
  const { outcomes } = found;
  const { record: kept, incident } = written(found, "2026-11-20-shop");
  assertEquals([kept?.status, kept?.since, kept?.incident], ["up", began, undefined]);
  assertEquals([incident?.end, outcomes[0]!.change], [began, {
    from: "down",
    to: "up",
    at: began,
  }]);
});

Deno.test("degraded that becomes down stays one incident, of the worse kind", () => {
  const known = record({ degraded: true, incident: "2026-11-21-shop" });
  const found = conclude(
    stateOf(known, [["2026-11-21-shop", OPEN]]),
    [resultOf(SITE, "down")],
  );
  const { record: kept, incident } = written(found, "2026-11-21-shop");
  assertEquals([incident?.kind, incident?.start, incident?.end], ["down", BEFORE, undefined]);
  assertEquals([kept?.status, kept?.degraded, kept?.incident], ["down", false, "2026-11-21-shop"]);
});

Deno.test("an incident stores when it became worse and when better without ending, each once", () => {
  const id = "2026-11-21-shop";
  const began = (seconds: number) => NOW.add({ seconds });
  const after = (
    known: HistoryRecord,
    incident: Incident,
    state: "down" | "degraded",
    at: number,
  ) =>
    conclude(stateOf(known, [[id, incident]]), [resultOf(SITE, state, { began: began(at) })])
      .incidents.get(id)!;
  const worse = after(record({ degraded: true, incident: id }), OPEN, "down", 1);
  assertEquals(worse.changes, [{ at: began(1), state: "down" }]);
  const isDown = record({ status: "down", incident: id });
  assertEquals(after(isDown, worse, "degraded", 2).changes, [
    { at: began(1), state: "down" },
    { at: began(2), state: "degraded" },
  ]);
  const wasUp = record({ incident: undefined, since: BEFORE });
  const ended = { ...OPEN, end: NOW.subtract({ minutes: 1 }) };
  assertEquals(after(wasUp, ended, "down", 3).changes, [{ at: began(3), state: "down" }]);
  assertEquals(after(wasUp, ended, "degraded", 3).changes, []);
});

Deno.test("a second incident of a day has a number, even if another site has its name", () => {
  const state = stateOf(record(), [], ["2026-11-21-shop", "2026-11-21-shop-2"]);
  const { outcomes } = conclude(state, [resultOf(SITE, "down")]);
  assertEquals(outcomes[0]!.incident?.id, "2026-11-21-shop-3");
});

Deno.test("a site that is still down keeps its incident, since and start, and changes nothing", () => {
  const known = record({ status: "down", incident: "2026-11-21-shop" });
  const state = stateOf(known, [["2026-11-21-shop", { ...OPEN, kind: "down" }]]);
  const found = conclude(state, [resultOf(SITE, "down")]);
  const { outcomes, incidents } = found;
  assertEquals(incidents.size, 0);
  const { record: kept } = written(found, "");
  assertEquals([kept?.since, kept?.startTime, kept?.lastUpdated], [BEFORE, BEFORE, NOW]);
  assertEquals([outcomes[0]!.change, outcomes[0]!.incident], [undefined, undefined]);
});

Deno.test("a site that is down without an incident gets one, from when it went down", () => {
  const { outcomes } = conclude(
    stateOf(record({ status: "down" })),
    [resultOf(SITE, "down")],
  );
  assertEquals(outcomes[0]!.incident?.incident.start, BEFORE);
});

Deno.test("an unknown state writes a row and leaves record and incident alone", () => {
  const known = record({ status: "down", incident: "2026-11-21-shop" });
  const state = stateOf(known, [["2026-11-21-shop", { ...OPEN, kind: "down" }]]);
  const { records, rows } = conclude(state, [resultOf(SITE, "unknown")]);
  assertEquals([records.size, rows[0]!.state], [0, "unknown"]);
});

Deno.test("a run that was overtaken adds its rows, and leaves the record", () => {
  const known = record({ lastUpdated: NOW.add({ seconds: 4 }) });
  const { records, rows, outcomes } = conclude(stateOf(known), [resultOf(SITE, "down")]);
  assertEquals(records.size, 0);
  assertEquals([rows[0]!.state, outcomes[0]!.change], ["down", undefined]);
});

Deno.test("a failure that a location saw before the last check starts with that check, and is confirmed then", () => {
  const seen = BEFORE.subtract({ minutes: 1 });
  const late = { ...resultOf(SITE, "down"), began: seen.subtract({ seconds: 9 }), confirmed: seen };
  const { incidents } = conclude(stateOf(record()), [late]);
  const [incident] = [...incidents.values()];
  assertEquals([incident?.start, incident?.confirmed], [BEFORE, BEFORE]);
});

Deno.test("a record from a clock that was far ahead does not silence the monitor", () => {
  const known = record({ lastUpdated: NOW.add({ hours: 30 }) });
  const { outcomes } = conclude(stateOf(known), [resultOf(SITE, "down")]);
  assertEquals(outcomes[0]!.change?.to, "down");
});

Deno.test("deciding twice with the same results gives the same findings", () => {
  const results = [resultOf(SITE, "down")];
  const first = conclude(stateOf(record()), results);
  const incident = first.outcomes[0]!.incident!;
  const next = stateOf(first.records.get("shop"), [[incident.id, incident.incident]]);
  const again = conclude(next, results);
  assertEquals([again.records, again.incidents.size], [first.records, 0]);
});

/** An incident that went on until a moment, and the record of the site since. */
function endedAt(end: Temporal.Instant, kind: Incident["kind"] = "down") {
  const id = "2026-11-21-shop";
  const incident: Incident = { ...OPEN, kind, start: end.subtract({ minutes: 5 }), end };
  return { id, incident, state: stateOf(record({ since: end }), [[id, incident]]) };
}

Deno.test("a failure within reopenWithin of an incident's end reopens it, a later one opens another", () => {
  const result = resultOf(SITE, "down");
  const { id, incident, state } = endedAt(NOW.subtract({ minutes: 15 }));
  const { end, ...rest } = incident;
  const { outcomes: [outcome], incidents } = conclude(state, [result]);
  assertEquals([outcome?.incident?.action, outcome?.incident?.id], ["reopen", id]);
  const { code, error = "" } = result;
  const reasons = [{ at: NOW, confirmed: NOW, code, error }];
  assertEquals(incidents.get(id), {
    ...rest,
    reopened: [NOW],
    ended: [end!],
    changes: [],
    reasons,
  });

  const late = endedAt(NOW.subtract({ minutes: 15, milliseconds: 1 }));
  const { outcomes: [other] } = conclude(late.state, [result]);
  assertEquals([other?.incident?.action, other?.incident?.id], ["open", `${id}-2`]);
});

Deno.test("a reopened incident keeps its worst state", () => {
  const NINE = NOW.subtract({ minutes: 9 });
  for (
    const [kind, found, expected] of [
      ["degraded", "down", "down"],
      ["down", "degraded", "down"],
      ["degraded", "degraded", "degraded"],
    ] as const
  ) {
    const { id, state } = endedAt(NINE, kind);
    const { incidents } = conclude(state, [resultOf(SITE, found)]);
    assertEquals(incidents.get(id)?.kind, expected);
  }
});

Deno.test("the tracker is notified of each turn between degraded and down, and of none while the site flaps", () => {
  const open = (kind: Incident["kind"]) => [["a", { ...OPEN, kind }]] as [string, Incident][];
  const turn = (from: "down" | "degraded", to: "down" | "degraded", flapping?: true) => {
    const status = from === "down" ? "down" : "up";
    const known = record({ status, degraded: from === "degraded", incident: "a" });
    const result = resultOf(SITE, to, { flapping });
    return conclude(stateOf(known, open(from)), [result]).outcomes[0]?.incident;
  };
  assertEquals(turn("degraded", "down")?.incident.kind, "down");
  assertEquals([turn("down", "degraded")?.action, turn("down", "degraded")?.incident.kind], [
    "update",
    "down",
  ]);
  assertEquals([turn("down", "down"), turn("degraded", "degraded")], [undefined, undefined]);
});

const KNOWN_EXPIRY = Temporal.Instant.from("2027-02-03T12:00:00Z");
const NEW_EXPIRY = Temporal.Instant.from("2028-02-03T12:00:00Z");

const CERTIFICATES: readonly [
  name: string,
  keys: { url: string; check?: string },
  result: { certificate?: Temporal.Instant; responseTime?: number },
  known: Temporal.Instant | undefined,
][] = [
  [
    "what a run saw",
    { url: "https://a.example" },
    { certificate: NEW_EXPIRY, responseTime: 1 },
    NEW_EXPIRY,
  ],
  [
    "what a run saw that failed",
    { url: "https://a.example" },
    { certificate: NEW_EXPIRY },
    NEW_EXPIRY,
  ],
  ["what was known, after a failure", { url: "https://a.example" }, {}, KNOWN_EXPIRY],
  ["what was known, of an answer that hid it", { url: "wss://a.example", check: "ws" }, {
    responseTime: 1,
  }, KNOWN_EXPIRY],
  [
    "what was known, of a host",
    { url: "a.example", check: "ssl" },
    { responseTime: 1 },
    KNOWN_EXPIRY,
  ],
  ["what was known, of a secret", { url: "$ADDRESS" }, { responseTime: 1 }, KNOWN_EXPIRY],
  [
    "nothing, of an answer without TLS",
    { url: "http://a.example" },
    { responseTime: 1 },
    undefined,
  ],
];

Deno.test("the certificate of a site is the last one seen, while its address uses TLS", async () => {
  for (const [name, keys, result, known] of CERTIFICATES) {
    const site = await siteOf(keys);
    const look = { ...resultOf(site, "up"), responseTime: undefined, ...result };
    const { url } = site;
    assertEquals(knownCertificate(look, { url, certificate: KNOWN_EXPIRY }), known, name);
    const other = { url: "https://b.example", certificate: KNOWN_EXPIRY };
    assertEquals(knownCertificate(look, other), result.certificate, `${name}, elsewhere`);
    assertEquals(knownCertificate(look, undefined), result.certificate, `${name}, at first`);
  }
});

Deno.test("what a location saw becomes a row of its own once, also if another run has used it meanwhile", () => {
  const seen = (location: string, results?: string, isNew = true) => ({
    ...{ location, state: "up" as const, code: 200, attempts: 1, confirmed: NOW, isNew },
    ...results === undefined ? {} : { results },
  });
  const locations = [
    seen("Virginia"),
    seen("Frankfurt", "0000000a"),
    seen("São Paulo", "0000000b"),
    seen("Tokyo", "0000000c", false),
  ];
  const rowsAfter = (recorded?: Record<string, string>, of = locations) => {
    const state = stateOf(record());
    const runState = {
      ...{ run: "00000001", time: BEFORE, rows: [], outbox: [], sites: {}, failedCanaries: 0 },
      locations: recorded,
    };
    const known = { ...state, loadedState: { ...state.loadedState, runState } };
    const { rows } = conclude(known, [resultOf(SITE, "up", { locations: of })]);
    return rows.map(({ location = "" }) => location);
  };
  assertEquals(rowsAfter(), ["", "Virginia", "Frankfurt", "São Paulo"]);
  assertEquals(rowsAfter({ frankfurt: "0000000a" }), ["", "Virginia", "São Paulo"]);
  assertEquals(rowsAfter({}, locations.slice(0, 1)), [""]);
});
