import { parseIssue } from "@github/issue-parser";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "yaml";
import { ANNOUNCE } from "../../../lib/config/workflows.ts";
import { announced } from "../../../lib/incidents/maintenance/announcement.ts";
import { parseManualIncident } from "../../../lib/incidents/manual_incidents.ts";
import { splitSites } from "../../../lib/incidents/named_sites.ts";
import { hostileText } from "../../helpers/hostile_text.ts";
import { changeTexts } from "../../helpers/languages.ts";
import { madeWorkflows } from "../../helpers/made_workflows.ts";
import fc from "../../helpers/property.ts";

const NAMES = ["Cards", "Checkout, EU", 'Shop: #1 "new"', "${{ a }}", "None"];
const MADE = await madeWorkflows({
  announce: true,
  sites: NAMES.map((name) => ({ name, url: "https://a.example/" })),
});
const SITES = MADE.config.sites;
/** The same forms with other words in all places that people read. */
const TRANSLATED = await madeWorkflows({
  announce: true,
  language: "de",
  i18n: changeTexts((words) => words.replace(/\p{L}+/gu, "ü$&")),
  sites: NAMES.map((name) => ({ name, url: "https://a.example/" })),
});

interface Form {
  name: string;
  description: string;
  labels: string[];
  body: { type: string; id?: string; attributes: { label: string; options?: string[] } }[];
}

function formAt(path: string, { files } = MADE): { text: string; form: Form } {
  const text = files.get(path)!;
  return { text, form: parse(text) as Form };
}

/** The text of an issue as GitHub writes it from a form. */
function fill({ body }: Form, values: Readonly<Record<string, string>>): string {
  return body.filter(({ type }) => type !== "markdown").map(({ id, attributes: { label } }) =>
    `### ${label}\n\n${values[id!] ?? "_No response_"}`
  ).join("\n\n");
}

function incident(body: string, labels: string[] = [], folder = "") {
  const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
  return parseManualIncident({
    ...{ number: 12, title: "Payments fail", body, isOpen: true, author: "jo", isTrusted: true },
    ...{ labels: ["incident", ...labels], assignees: [], eyes: 0, comments: 0 },
    ...{ created, updated: created },
  }, { folder, sites: SITES, redact: String });
}

Deno.test('the forms follow GitHub\'s rules: names, labels, unique ids and options, none of them "None"', () => {
  for (
    const [path, label] of [[ANNOUNCE.incidentForm, "incident"], [
      ANNOUNCE.maintenanceForm,
      "maintenance",
    ]]
  ) {
    const { form } = formAt(path!);
    assertEquals(Object.keys(form), ["name", "description", "labels", "body"]);
    assertEquals(form.labels, [label]);
    const ids = form.body.flatMap(({ id }) => id ?? []);
    assertEquals(new Set(ids).size, ids.length);
    for (const { attributes: { options = [] } } of form.body) {
      assertEquals(new Set(options).size, options.length);
      assertEquals(options.filter((one) => /^none$/i.test(one)), []);
    }
    const [sites] = form.body.flatMap(({ attributes: { options } }) =>
      options === undefined ? [] : [options]
    );
    assertEquals(sites, ["Cards", "checkout,-eu", 'Shop: #1 "new"', "$-a"]);
  }
});

Deno.test("a filled form is an incident, as GitHub's own parser reads it too", () => {
  const { text, form } = formAt(ANNOUNCE.incidentForm);
  const values = {
    sites: 'Cards, checkout,-eu, Shop: #1 "new"',
    impact: "major",
    text: "We **know**.\n\n### Impact\n\nnone",
  };
  const body = fill(form, values);
  const parsed = parseIssue(fill(form, { ...values, text: "We **know**." }), text);
  assertEquals([parsed["impact"], String(parsed["sites"])], [
    ["major"],
    values.sites.replaceAll(", ", ","),
  ]);
  for (const written of [body, body.replaceAll("\n", "\r\n"), `\n${body}\n`]) {
    const { sites, impact, text } = incident(written)!;
    assertEquals([sites, impact], [["cards", "checkout,-eu", "shop---1--new-"], "major"]);
    assertEquals(text, values.text);
  }
  const { sites, impact, text: shown } = incident(fill(form, {}), ["cards", "impact: none"])!;
  assertEquals([sites, impact, shown], [["cards"], "none", ""]);
  assertEquals(incident(fill(form, { sites: "Elsewhere" }), [], "eu/"), undefined);
  assertEquals(incident(`We say:\n\n${body}`)!.sites, []);
});

Deno.test("a filled form plans maintenance, and a wrong time is named with its line", () => {
  const { text, form } = formAt(ANNOUNCE.maintenanceForm);
  const values = {
    ...{ start: "2026-11-21 10:00", end: "2026-11-21 12:00", expectedDown: "Cards" },
    ...{ expectedDegraded: "checkout,-eu", text: "We move. <!-- soon -->" },
  };
  const read = (changed = {}) =>
    announced(
      { number: 12, title: "Router", body: fill(form, { ...values, ...changed }), labels: [] },
      { sites: SITES, timezone: "Europe/Berlin" },
    );
  const parsed = parseIssue(fill(form, values), text);
  assertEquals([parsed["start"], parsed["expectedDown"]], [values.start, ["Cards"]]);
  const { window, problems } = read();
  assertEquals(problems, []);
  assertEquals(
    [`${window!.start}`, `${window!.until}`, [...window!.sites], window!.text],
    [
      "2026-11-21T09:00:00Z",
      "2026-11-21T11:00:00Z",
      [["cards", "down"], ["checkout,-eu", "degraded"]],
      "We move.",
    ],
  );
  const example =
    "write a time as 2026-11-21T12:00:00Z, or as 2026-11-21 12:00 in the time zone Europe/Berlin";
  assertEquals(read({ end: "tomorrow" }), {
    problems: [
      `Cannot tell when the maintenance of issue #12 is: line 7, end, is "tomorrow"; ${example}`,
    ],
  });
  assertEquals(read({ expectedDown: "Crads" }).problems, [
    'Cannot find what issue #12 names in line 11, expectedDown: "Crads" (did you mean "cards"?); write slugs or names of sites, with commas between them',
  ]);
});

Deno.test("forms in another language are read by the order of their fields, and other texts are none", () => {
  const { form } = formAt(ANNOUNCE.incidentForm, TRANSLATED);
  assertEquals(form.name, "üReport üan üincident");
  const values = { sites: "Cards", impact: "major", text: "We know.\n\n### Details\n\nnone" };
  const { sites, impact, text } = incident(fill(form, values))!;
  assertEquals([sites, impact, text], [["cards"], "major", values.text]);
  const body = fill(form, { ...values, impact: "We don't know it yet." });
  const other = incident(body)!;
  assertEquals([other.sites, other.impact, other.text], [[], undefined, body]);
  const { form: plan } = formAt(ANNOUNCE.maintenanceForm, TRANSLATED);
  const times = { start: "2026-11-21 10:00", end: "2026-11-21 12:00" };
  const read = (body: string) =>
    announced({ number: 12, title: "Router", body, labels: [] }, { sites: SITES, timezone: "UTC" });
  const planned = fill(plan, { ...times, expectedDown: "Cards", text: "We move. <!-- soon -->" });
  const { window, problems } = read(planned);
  assertEquals([problems, `${window!.until}`, [...window!.sites], window!.text], [
    [],
    "2026-11-21T12:00:00Z",
    [["cards", "down"]],
    "We move.",
  ]);
  const headings = ["A", "B", "C", "D", "E"].map((name) => `### ${name}\n\nText`).join("\n\n");
  const hidden = `<!--\nstart: ${times.start}\nend: ${times.end}\n-->`;
  for (const body of [`${headings}\n\n${hidden}`, `${hidden}\n\n${headings}`]) {
    assertEquals(`${read(body).window!.start}`, "2026-11-21T10:00:00Z");
  }
  assertStringIncludes(read(fill(plan, { ...times, end: "soon" })).problems[0]!, 'end, is "soon"');
});

Deno.test("whatever sites are called, each option of a form is read as its site alone", async () => {
  const names = fc.uniqueArray(
    fc.oneof(hostileText(), fc.constantFrom("A", "A, B", "B", "none", "${{ a }}")),
    {
      ...{ minLength: 1, maxLength: 6 },
    },
  );
  await fc.assert(fc.asyncProperty(names, async (names) => {
    const sites = names.map((name) => ({ name, url: "https://a.example/" }));
    const { config, files } = await madeWorkflows({ announce: true, sites });
    const form = parse(files.get(ANNOUNCE.incidentForm)!) as Form;
    const { options = [] } = form.body.find(({ id }) => id === "sites")!.attributes;
    assertEquals(new Set(options).size, options.length);
    const read = options.map((option) => {
      const { slugs, unknown } = splitSites(option, config.sites);
      assertEquals([slugs.size, unknown], [1, []], option);
      return [...slugs][0];
    });
    const wanted = config.sites.map(({ slug }) => slug).filter((slug) => slug !== "none");
    assertEquals(read.filter((slug) => slug !== "none"), wanted);
  }));
});
