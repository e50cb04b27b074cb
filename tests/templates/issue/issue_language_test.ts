import { assert, assertEquals } from "@std/assert";
import { closeAnnouncement } from "../../../lib/incidents/maintenance/close_announcement.ts";
import { createLanguage, type Language } from "../../../lib/text/language.ts";
import { mergeMessages } from "../../../lib/text/messages.ts";
import type { IncidentEvent, SharedIssueEvent } from "../../../lib/incidents/incident_event.ts";
import { announcedSummary, renderAnnouncement } from "../../../templates/issue/announcement.ts";
import { issueBody, issueComment, issueTitle } from "../../../templates/issue/issue.ts";
import { sharedTexts } from "../../../templates/issue/shared_issue.ts";
import { changeTexts } from "../../helpers/languages.ts";
import { endingOf, laterOf, openingOf, PHASES } from "../../helpers/incident_events.ts";
import { NOW } from "../../helpers/outcomes.ts";
import { siteOf } from "../../helpers/sites.ts";

const PLACES = { repository: "https://github.com/1/2", folder: "", page: "https://1.example" };
/** A reason, as checks record it. */
const EVIDENCE = "503: εβδ";
const VOTES =
  `down in Ρώμη, Όσλο and 2 more (up in Βόννη; degraded in Πράγα; no result from Κίεβο)`;

async function makeEvents(name: string): Promise<IncidentEvent[]> {
  const site = await siteOf({
    ...{ name, slug: "1", url: "https://1.example/", group: name, maxResponseTime: 2000 },
    ...{ description: name, runbook: name },
  });
  const hidden = await siteOf({
    name,
    slug: "2",
    url: "1.example:1",
    check: "tcp-ping",
    public: false,
  });
  const job = await siteOf({ name, slug: "3", check: "heartbeat", every: "90m", file: "1" });
  const before = { code: 200, until: NOW };
  const down = openingOf(site, "down", { error: EVIDENCE, code: 503, phases: PHASES, body: name });
  const degraded = openingOf(site, "degraded", { error: EVIDENCE, responseTime: 2310 });
  const expiring = (expiry: string) => ({
    ...degraded,
    incident: { ...degraded.incident, expiry },
  });
  const failing = [401, 403, 404, 407, 410, 429, 500, 502].flatMap((code) =>
    [undefined, { until: NOW }, before].map((before) => ({
      ...openingOf(site, "down", { code, error: `${code}: εβδ` }),
      before,
    }))
  );
  const end = NOW.add({ hours: 30 });
  const { site: _, ...gone } = endingOf(down, end);
  const acknowledgement = { at: NOW, by: name, way: "command", state: "down" } as const;
  return [
    ...[down, degraded, ...failing, openingOf(hidden, "down", { error: "" })],
    ...[openingOf(job, "down", { error: "" }), openingOf(site, "degraded", { error: "" })],
    ...["certificate expires in 3 days", "domain expires in 1 hour", "domain expired 2 days ago"]
      .map(expiring),
    ...[`${VOTES}: ${EVIDENCE}`, `${VOTES}…`, "down in all 3 locations…"].flatMap((error) =>
      (["down", "degraded"] as const).flatMap((state) => [
        openingOf(site, state, { error }),
        openingOf(site, state, { error: error.replace("down", "degraded") }),
        laterOf(down, "update", { minutes: 5, state, error }),
        laterOf(down, "reopen", { minutes: 5, state, error }),
      ])
    ),
    ...(["down", "degraded"] as const).flatMap((state) => [
      ...[EVIDENCE, ""].flatMap((error) => [
        laterOf(down, "update", { minutes: 5, state, error }),
        laterOf(down, "reopen", { minutes: 5, state, error }),
      ]),
    ]),
    { ...down, flaps: { changes: 9, within: 3_600_000 } },
    { ...down, action: "flap", flaps: { changes: 11, within: 10_800_000 } },
    { ...down, action: "flap" },
    { ...down, affected: [name], released: { name, isBack: true } },
    {
      ...down,
      action: "affects",
      affected: Array(60).fill(name),
      released: { name, isBack: false },
    },
    ...[EVIDENCE, ""].map((error): IncidentEvent => ({
      ...{ ...down, action: "reason", result: { ...down.result!, error } },
      incident: {
        ...down.incident,
        reasons: [{ at: NOW, confirmed: NOW, code: 503, error }],
      },
    })),
    {
      ...{ ...down, action: "acknowledge", at: NOW },
      incident: { ...down.incident, acknowledgements: [acknowledgement] },
    },
    ...[endingOf(down, end), endingOf(degraded, end), endingOf(down, NOW), endingOf(degraded, NOW)],
    ...[gone, { ...gone, incident: { ...gone.incident, end: NOW } }],
  ];
}

function makeShared(name: string, count: number): SharedIssueEvent[] {
  const incident = { ...OPEN.incident, error: EVIDENCE };
  const open = Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    incident: {
      ...incident,
      slug: name,
      kind: index % 2 === 0 ? "down" as const : "degraded" as const,
      error: ["", EVIDENCE, `${VOTES}…`, `${VOTES}: ${EVIDENCE}`][Math.floor(index / 2) % 4]!,
      reopened: index % 3 === 0 ? [NOW] : [],
    },
  }));
  return [undefined, name].flatMap((group) =>
    (["open", "update", "reopen", "close"] as const).map((action): SharedIssueEvent => ({
      ...{ action, id: "1", issue: "1", group, start: NOW },
      open: action === "close" ? [] : open,
    }))
  );
}

const OPEN = openingOf(
  await siteOf({ name: "1", slug: "1", url: "https://1.example" }),
  "down",
  {},
);

/** Everything that people read in issues, in a language. */
async function writeAll(language: Language, name: string, count = 9): Promise<Written> {
  const written: Written = { titles: [], bodies: [] };
  for (const event of await makeEvents(name)) {
    written.titles.push(issueTitle(event, language));
    written.bodies.push(issueBody({ ...event, action: "open" }, PLACES, language));
    if (event.action !== "open") written.bodies.push(issueComment(event, PLACES, language));
  }
  const shared = sharedTexts([], PLACES, language, String);
  for (const event of makeShared(name, count)) {
    written.titles.push(shared.sharedTitle(event));
    written.bodies.push(shared.sharedBody(event), shared.sharedComment(event));
  }
  for (const phase of ["investigating", "identified", "monitoring", "post-mortem"] as const) {
    written.bodies.push(renderAnnouncement({ text: name, phase }, "<!-- 1 -->", language));
  }
  const ended = closeAnnouncement({ name, until: NOW, issue: 1 }, { timezone: "UTC", language });
  written.bodies.push(String(ended.data["comment"]));
  for (const action of ["open", "update", "resolve"] as const) {
    const announcement = { action, issue: 1, text: "", phase: "resolved" } as never;
    const address = "https://github.com/1/2/issues/1";
    written.bodies.push(
      announcedSummary({ announcement, issue: 1, address, started: [name] }, language),
    );
  }
  return written;
}

interface Written {
  titles: string[];
  bodies: string[];
}

Deno.test("every word of issues and comments is in the language, but for names, code and evidence", async () => {
  // Greek, whose names of units and months have no Latin letters.
  const texts = changeTexts((words) => words.replace(/\p{L}[\p{L}\p{N}'’ -]*/gu, "⟦$&⟧"));
  const { titles, bodies } = await writeAll(createLanguage("el", mergeMessages(texts)), "Σίγμα");
  const fixed = new Set<string>();
  for (const text of [...titles, ...bodies]) {
    const bare = text.replace(/⟦[^⟧]*⟧|`[^`]*`|\]\([^)]*\)|<!--.*?-->/gs, "")
      // The phrases of status codes.
      .replace(/\b[2-5]\d\d [A-Z][A-Za-z ]+/g, "");
    for (const [word] of bare.matchAll(/[A-Za-z]{2,}/g)) fixed.add(word);
  }
  const known = ["UTC", "example", "heartbeat", "https", "ms", "ping", "sub", "tcp"];
  assertEquals([...fixed].sort(), known);
});

Deno.test("texts that are 40 % longer fit into GitHub's titles and bodies", async () => {
  const texts = changeTexts((words) => words + "ü".repeat(Math.ceil(words.length * 0.4)));
  const name = "Ein langer Name ".repeat(30).trim();
  const written = await writeAll(createLanguage("de", mergeMessages(texts)), name, 400);
  for (const title of written.titles) assert(title.length <= 256, title);
  for (const body of written.bodies) assert(body.length < 65_000, `${body.length}`);
});

Deno.test("names and evidence are isolated within right-to-left text", async () => {
  const { titles, bodies } = await writeAll(createLanguage("ar", mergeMessages()), "Sigma");
  for (const text of [...titles, ...bodies]) {
    // A name at the start would turn the line.
    assert(!/^(?:- |\P{L})*\u2068/u.test(text) || /^[^\p{L}]*\u200f/u.test(text), text);
    // An error without words has no row.
    assert(!text.includes("\u2068\u2069"), text);
    const sentences = text.split("\n").filter((line) =>
      !/^(?:\||\[|Sigma$|\*\*\w[\w-]*:\*\* Sigma$)/.test(line)
    );
    for (const sentence of sentences) {
      for (const part of ["Sigma", "εβδ", "Ρώμη"]) {
        const index = sentence.indexOf(part);
        if (index === -1) continue;
        const before = sentence.slice(0, index);
        assert(before.lastIndexOf("\u2068") > before.lastIndexOf("\u2069"), sentence);
      }
    }
  }
});
