import { assert, assertEquals } from "@std/assert";
import { Ajv } from "ajv";
import { join } from "node:path";
import { parseStoredIncident } from "../../../lib/history/stored_incidents.ts";
import type { SiteReport } from "../../../lib/statistics/report/report.ts";
import { collectImpacts } from "../../../lib/incidents/impact.ts";
import { feedsOf, PUBLISHED } from "../../helpers/feed_worlds.ts";
import { pageView, sitesUp } from "../../helpers/page_views.ts";
import { PROJECT } from "../../helpers/program.ts";
import { REPORT_TIME } from "../../helpers/reports.ts";

const NAMES = [
  ...["status", "summary", "components", "incidents", "incidents/unresolved"],
  ...["scheduled-maintenances", "scheduled-maintenances/upcoming", "scheduled-maintenances/active"],
];

const schema = JSON.parse(
  await Deno.readTextFile(join(PROJECT, "tests/testdata/status_api.schema.json")),
);
const validate = new Ajv({
  formats: {
    "date-time": isTime,
    date: /^\d{4}-\d\d-\d\d$/,
    "uri-reference": (text: string) => URL.canParse(text, "https://a.example/"),
  },
  strict: false,
}).compile(schema);

function isTime(text: string): boolean {
  return new Date(text).toISOString() === text;
}

const at = (clock: string) => `2026-11-21T${clock}:00Z`;
const OUTAGE = `kind: down\nstart: ${at("08:00")}\nconfirmed: ${at("08:00")}\n`;
const NOTICE = `kind: manual\nname: Slow\nissue: 7\nstart: ${at("08:00")}\nsites: [shop]\n`;
const WINDOW = "kind: maintenance\nsource: issue\nname: Move\nsites: { shop: down }\n";
const PLANNED = `${WINDOW}start: ${at("12:00")}\nuntil: ${at("13:00")}\n`;
const RUNNING = `${WINDOW}start: ${at("09:00")}\nuntil: ${at("11:00")}\n`;
const updates = (...phases: string[]) =>
  `updates:\n${
    phases.map((phase, index) =>
      `  - { at: "${at(`08:${30 + index}`)}", phase: ${phase}, text: "About **it**" }\n`
    ).join("")
  }`;

/** The files of a page of a shop with changes and a blog, all of them checked by the schema. */
async function filesOf(
  { shop = {}, incidents = {}, isOutdated = false }: {
    shop?: Partial<SiteReport>;
    incidents?: Readonly<Record<string, string>>;
    isOutdated?: boolean;
  } = {},
) {
  const [first, blog] = await sitesUp({
    name: "Shop",
    group: "Money",
    description: "Where **you** buy",
  }, { name: "Blog" });
  const sites = [{ ...first!, ...shop }, blog!].map((one) =>
    isOutdated ? { ...one, isUnknown: true } : one
  );
  const stored = new Map(
    Object.entries(incidents).map(([id, yaml]) => [id, parseStoredIncident(yaml)!]),
  );
  const empty = pageView(sites, { incidents: stored, settings: PUBLISHED });
  const maintenance = [...stored.values()].flatMap((one) =>
    one.kind === "maintenance" && one.end === undefined ? [one] : []
  );
  const impacts = collectImpacts(stored.values(), REPORT_TIME, sites.map(({ site }) => site));
  const files = feedsOf({
    ...empty,
    report: { ...empty.report, isOutdated, maintenance, impacts },
  });
  const found = Object.fromEntries(
    NAMES.map((name) => [name, JSON.parse(files.get(`api/v2/${name}.json`)!)]),
  );
  for (const [name, content] of Object.entries(found)) {
    validate(content);
    assertEquals(validate.errors ?? [], [], name);
  }
  return found;
}

const SITES: Readonly<
  Record<
    string,
    [
      changes: Parameters<typeof filesOf>[0],
      component: string,
      indicator: string,
      description: string,
    ]
  >
> = {
  up: [{}, "operational", "none", "All systems operational"],
  degraded: [
    { shop: { condition: "degraded" } },
    "degraded_performance",
    "minor",
    "Degraded performance",
  ],
  down: [{ shop: { condition: "down" } }, "major_outage", "major", "Partial outage"],
  "in maintenance": [
    { shop: { isInMaintenance: true } },
    "under_maintenance",
    "maintenance",
    "Under maintenance",
  ],
  "down, and unknown by now": [
    { shop: { condition: "down", isUnknown: true } },
    "major_outage",
    "major",
    "Some data is out of date",
  ],
  "down when the monitor stopped": [
    { shop: { condition: "down" }, isOutdated: true },
    "major_outage",
    "major",
    "No current data",
  ],
  "up when the monitor stopped": [{ isOutdated: true }, "operational", "none", "No current data"],
  "never checked": [
    { shop: { condition: undefined, record: undefined } },
    "operational",
    "none",
    "Some data is out of date",
  ],
  "up, with a notice of a partial outage": [
    { incidents: { slow: `${NOTICE}impact: partial\n` } },
    "partial_outage",
    "major",
    "Partial outage",
  ],
};

for (const [name, [changes, component, indicator, description]] of Object.entries(SITES)) {
  Deno.test(`a site that is ${name} is ${component}, and the page ${indicator}: ${description}`, async () => {
    const { status, summary } = await filesOf(changes);
    const [group, shop, blog] = summary.components;
    assertEquals([group.status, shop.status, blog.status], [component, component, "operational"]);
    assertEquals(status.status, { indicator, description });
    assertEquals(summary.status, status.status);
  });
}

const PHASES: Readonly<
  Record<string, [yaml: string, status: string, impact: string, updates: string[]]>
> = {
  "an outage": [`slug: shop\n${OUTAGE}`, "investigating", "major", ["investigating"]],
  "an outage with comments": [
    `slug: shop\n${OUTAGE}${updates("identified", "monitoring")}`,
    "monitoring",
    "major",
    ["monitoring", "identified", "investigating"],
  ],
  "an outage that is over": [
    `slug: shop\n${OUTAGE}end: ${at("09:00")}\n`,
    "resolved",
    "major",
    ["resolved", "investigating"],
  ],
  "an outage with a post-mortem": [
    `slug: shop\n${OUTAGE}end: ${at("08:20")}\n${updates("post-mortem")}`,
    "postmortem",
    "major",
    ["postmortem", "resolved", "investigating"],
  ],
  "a degradation": [`slug: shop\n${OUTAGE.replace("down", "degraded")}`, "investigating", "minor", [
    "investigating",
  ]],
  "a notice": [NOTICE, "investigating", "minor", ["investigating"]],
  "a notice without impact": [`${NOTICE}impact: none\n`, "investigating", "none", [
    "investigating",
  ]],
  "a notice of a major outage": [
    `${NOTICE}impact: major\n${updates("identified")}`,
    "identified",
    "critical",
    ["identified", "investigating"],
  ],
};

for (const [name, [yaml, status, impact, steps]] of Object.entries(PHASES)) {
  Deno.test(`${name} is ${status} with impact ${impact}`, async () => {
    const { incidents: { incidents: [incident, ...others] }, ...files } = await filesOf({
      incidents: { one: yaml },
    });
    assertEquals([incident.status, incident.impact, others.length], [status, impact, 0]);
    assertEquals(incident.incident_updates.map((one: { status: string }) => one.status), steps);
    assertEquals(incident.components.map((one: { name: string }) => one.name), ["Shop"]);
    const isOver = status === "resolved" || status === "postmortem";
    assertEquals(files["incidents/unresolved"].incidents.length, isOver ? 0 : 1);
    assertEquals(incident.resolved_at !== null, isOver);
  });
}

const WINDOWS: Readonly<Record<string, [yaml: string, status: string, updates: string[]]>> = {
  "planned maintenance": [PLANNED, "scheduled", ["scheduled"]],
  "maintenance": [RUNNING, "in_progress", ["in_progress", "scheduled"]],
  "maintenance of which a comment says Monitoring": [
    `${RUNNING}${updates("monitoring").replace("08:30", "09:30")}`,
    "verifying",
    ["verifying", "in_progress", "scheduled"],
  ],
  "maintenance that is over": [`${RUNNING}end: ${at("10:00")}\n`, "completed", [
    "completed",
    "in_progress",
    "scheduled",
  ]],
  "canceled maintenance": [`${PLANNED}end: ${at("12:00")}\n`, "completed", [
    "completed",
    "scheduled",
  ]],
};

for (const [name, [yaml, status, steps]] of Object.entries(WINDOWS)) {
  Deno.test(`${name} is ${status}`, async () => {
    const files = await filesOf({ incidents: { one: yaml } });
    const { scheduled_maintenances: [window] } = files["scheduled-maintenances"];
    assertEquals(window.status, status);
    const [until] = /(?<=^until: ).*$/m.exec(yaml)!;
    assertEquals(Date.parse(window.scheduled_until), Date.parse(until));
    const isOver = status === "completed";
    assertEquals(window.resolved_at, isOver ? window.incident_updates[0].created_at : null);
    assertEquals(window.incident_updates.map((one: { status: string }) => one.status), steps);
    const counts = ["upcoming", "active"].map((list) =>
      files[`scheduled-maintenances/${list}`].scheduled_maintenances.length
    );
    assertEquals(
      counts,
      status === "scheduled" ? [1, 0] : status === "completed" ? [0, 0] : [0, 1],
    );
    assertEquals(files["summary"].scheduled_maintenances.length, counts[0]! + counts[1]!);
  });
}

Deno.test("all that is open is listed, and beyond 50 windows or incidents only what is over is left out", async () => {
  const clocks = Array.from({ length: 55 }, (_, minute) => String(minute).padStart(2, "0"));
  const filled = (name: string, toYaml: (minute: string) => string) =>
    clocks.map((minute) => [`${name}-${minute}`, toYaml(minute)]);
  const { summary, ...files } = await filesOf({
    incidents: Object.fromEntries([
      ["running", RUNNING],
      ["past", `${RUNNING.replace("09:00", "08:00")}end: ${at("08:30")}\n`],
      ["over", `slug: shop\n${OUTAGE}end: ${at("09:00")}\n`],
      ...filled("window", (minute) => PLANNED.replace("12:00", `12:${minute}`)),
      ...filled("notice", (minute) => NOTICE.replace("08:00", `08:${minute}`)),
    ]),
  });
  const { incidents: { incidents }, ...others } = files;
  const { scheduled_maintenances: windows } = others["scheduled-maintenances"];
  assertEquals([summary.incidents.length, incidents.length], [55, 50]);
  assertEquals([summary.scheduled_maintenances.length, windows.length], [56, 56]);
});

Deno.test("ids come from slugs and incidents, and not from places and names", async () => {
  const idsOf = (text: unknown) =>
    new Set([...JSON.stringify(text).matchAll(/"id":"(\w+)"/g)].map(([, id]) => id));
  const one = await filesOf({ incidents: { one: NOTICE } });
  const two = await filesOf({
    incidents: {
      zero: `slug: blog\n${OUTAGE}`,
      one: `${NOTICE.replace("Slow", "Slower")}${updates("identified")}`,
    },
  });
  const [before, after] = [one, two].map(({ summary }) => idsOf(summary));
  assert([...before!].every((id) => after!.has(id)));
  assertEquals(after!.size, before!.size + 3);
});
