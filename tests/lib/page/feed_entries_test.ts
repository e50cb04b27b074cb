import { assertEquals } from "@std/assert";
import { parseStoredIncident, type StoredIncident } from "../../../lib/history/stored_incidents.ts";
import { listFeedEntries } from "../../../lib/page/feed_entries.ts";
import { type FeedState, NOTHING_SAID } from "../../../lib/page/feed_state.ts";
import type { PlannedWindow } from "../../../lib/history/maintenance.ts";

const NOW = Temporal.Instant.from("2026-11-21T10:05:00Z");

const at = (clock: string) => `2026-11-21T${clock}:00Z`;

/** What feeds say of a stored incident: the events with their clock times. */
function itemsOf(yaml: string, before: FeedState = NOTHING_SAID): string[] {
  const incident = parseStoredIncident(yaml)!;
  return entriesOf({ incidents: new Map([["one", incident]]), before })[0]?.[1] ?? [];
}

function entriesOf(
  {
    incidents = new Map<string, StoredIncident>(),
    maintenance = [] as PlannedWindow[],
    repeated = new Set<string>(),
    before = NOTHING_SAID,
  },
): [id: string, items: string[]][] {
  const entries = listFeedEntries({ incidents, maintenance, repeated, time: NOW, before });
  return entries.map((
    { id, items },
  ) => [id, items.map(({ event, at }) => `${event} ${at.toString().slice(11, 16)}`)]);
}

const OUTAGE = `slug: shop\nkind: down\nstart: ${at("08:00")}\nconfirmed: ${at("08:01")}\n`;
const NOTICE = `kind: manual\nname: Slow\nissue: 7\nstart: ${at("08:00")}\n`;
const WINDOW = `kind: maintenance\nsource: issue\nname: Move\nsites: { shop: down }\n`;
const LATER = `start: ${at("12:00")}\nuntil: ${at("13:00")}\n`;
const updates = (...all: string[]) =>
  `updates:\n${all.map((text) => `  - { at: '${at("08:30")}', ${text} }\n`).join("")}`;

const CASES: Readonly<Record<string, [yaml: string, items: string[]]>> = {
  "an outage": [OUTAGE, ["down 08:00"]],
  "an outage that is over": [`${OUTAGE}end: ${at("09:00")}\n`, ["down 08:00", "recovered 09:00"]],
  "a site that got worse, recovered and failed again": [
    `${OUTAGE}changes: [{ at: "${at("08:10")}", state: down }]\nended: ["${
      at("09:00")
    }"]\nreopened: ["${at("09:05")}"]\n`,
    ["degraded 08:00", "down 08:10", "recovered 09:00", "down 09:05"],
  ],
  "a site that failed again in another state": [
    `${OUTAGE}changes: [{ at: "${at("09:05")}", state: degraded }]\nended: ["${
      at("09:00")
    }"]\nreopened: ["${at("09:05")}"]\n`,
    ["down 08:00", "recovered 09:00", "degraded 09:05"],
  ],
  "comments on an outage": [
    OUTAGE + updates("phase: identified, text: A cable", "text: Mended"),
    ["down 08:00", "update 08:30", "update 08:30"],
  ],
  "a notice": [`${NOTICE}end: ${at("09:00")}\n`, ["opened 08:00", "closed 09:00"]],
  "a notice whose end people told": [
    `${NOTICE}end: ${at("09:00")}\n${updates("phase: resolved, text: Fixed")}`,
    ["opened 08:00", "update 08:30"],
  ],
  "a notice that was closed at once": [`${NOTICE}end: ${at("08:00")}\n`, []],
  "planned maintenance": [WINDOW + LATER, ["planned 10:05"]],
  "canceled maintenance": [`${WINDOW}${LATER}end: ${at("12:00")}\n`, ["canceled 10:05"]],
  "maintenance in progress": [
    `${WINDOW}start: ${at("09:00")}\nuntil: ${at("11:00")}\n`,
    ["started 09:00"],
  ],
  "maintenance that is over": [
    `${WINDOW}start: ${at("08:00")}\nuntil: ${at("09:30")}\nend: ${at("09:00")}\n`,
    ["started 08:00", "completed 09:00"],
  ],
};

for (const [name, [yaml, items]] of Object.entries(CASES)) {
  Deno.test(`feeds say of ${name}: ${items.join(", ") || "nothing"}`, () => {
    assertEquals(itemsOf(yaml), items);
  });
}

Deno.test("a plan stays in feeds once it was published, also if it was changed or the window has started", () => {
  const plans = (start: string, until: string) => {
    const [from, to] = [start, until].map((clock) => Date.parse(at(clock)));
    return { id: `one/planned-${from}-${to}`, at: Temporal.Instant.from(at("07:00")) };
  };
  const said = plans("09:00", "10:30");
  const before = { ...NOTHING_SAID, items: new Map([[said.id, said]]) };
  assertEquals(itemsOf(`${WINDOW}${LATER}`, before), ["planned 07:00", "planned 10:05"]);
  const moved = plans("12:00", "13:00");
  const both = { ...before, items: new Map([...before.items, [moved.id, moved]]) };
  assertEquals(itemsOf(`${WINDOW}${LATER}`, both), ["planned 07:00", "planned 07:00"]);
  const elsewhere = { ...plans("14:00", "15:00"), at: Temporal.Instant.from(at("09:00")) };
  const back = { ...both, items: new Map([...both.items, [elsewhere.id, elsewhere]]) };
  const thrice = ["planned 07:00", "planned 07:00", "planned 09:00", "planned 10:05"];
  assertEquals(itemsOf(`${WINDOW}${LATER}`, back), thrice);
  const again = { id: `${moved.id}-2`, at: NOW };
  const known = { ...back, items: new Map([[again.id, again], ...back.items]) };
  assertEquals(itemsOf(`${WINDOW}${LATER}`, known), thrice);
  const started = `${WINDOW}start: ${at("09:00")}\nuntil: ${at("11:00")}\n`;
  assertEquals(itemsOf(started, before), ["planned 07:00", "started 09:00"]);
});

Deno.test("maintenance of the configuration is in feeds with the id that its file will have, unless it repeats", () => {
  const window = (name: string, start: string): PlannedWindow => ({
    source: "configuration",
    name,
    start: Temporal.Instant.from(start),
    until: Temporal.Instant.from(start).add({ hours: 1 }),
    sites: new Map(),
    text: "",
  });
  const maintenance = [
    window("Backup", "2026-11-22T02:00:00Z"),
    window("Move", "2026-11-23T02:00:00Z"),
    window("Move", "2026-11-23T05:00:00Z"),
  ];
  const repeated = new Set(["Backup"]);
  assertEquals(entriesOf({ maintenance, repeated }), [
    ["2026-11-23-maintenance-move", ["planned 10:05"]],
    ["2026-11-23-maintenance-move-2", ["planned 10:05"]],
  ]);
  const [backup, move] = maintenance.map((one) => ({
    kind: "maintenance" as const,
    ...one,
    updates: [],
  }));
  const incidents = new Map<string, StoredIncident>([["2026-11-20-maintenance-backup", backup!], [
    "2026-11-23-maintenance-move",
    move!,
  ]]);
  assertEquals(entriesOf({ incidents, maintenance: [], repeated }).map(([id]) => id), [
    "2026-11-23-maintenance-move",
  ]);
});
