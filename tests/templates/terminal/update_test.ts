import { assertEquals, assertStringIncludes } from "@std/assert";
import type { CheckRow } from "../../../lib/history/checks_log.ts";
import type { Decision } from "../../../lib/pipeline/decide.ts";
import type { Entry } from "../../../lib/outbox/outbox.ts";
import {
  dryRunText,
  effectText,
  entryResultLine,
  isNoteworthy,
} from "../../../templates/terminal/update.ts";
import { jobSummary } from "../../../templates/markdown/job_summary.ts";
import { escapeMarkdown } from "../../../templates/markdown/markdown.ts";
import { formatCondition } from "../../../templates/words.ts";
import { resultLine } from "../../../templates/terminal/lines.ts";
import { LANGUAGE, MARKED } from "../../helpers/languages.ts";
import { NOW, outcomeOf, resultOf, siteNamed } from "../../helpers/outcomes.ts";
import { closeAnnouncement } from "../../../lib/incidents/maintenance/close_announcement.ts";

const RUN = "9f3c01ab";
const HEADER = "time,run,slug,state,code,ms,attempts,phases,location,error\n";

function row(run: string, time: Temporal.Instant): CheckRow {
  return { run, time, slug: "shop", state: "up", code: 200, attempts: 1 };
}

function decisionOf(more: Partial<Decision>): Decision {
  return {
    outcomes: [],
    abandoned: [],
    maintenance: [],
    rows: [row(RUN, NOW)],
    causes: [],
    records: new Map(),
    effects: [],
    isBlind: false,
    runState: { run: RUN, time: NOW, rows: [], outbox: [], sites: {}, failedCanaries: 0 },
    flushedRuns: 1,
    files: new Map(),
    ...more,
  };
}

Deno.test("a dry run shows the run's own checks, and no logs", () => {
  const files = new Map([["history/checks/2026-11-21.csv", HEADER], ["history/shop.yml", "a: b"]]);
  assertEquals(
    dryRunText(decisionOf({ files, flushedRuns: 3 })),
    `. Nothing was written; a run would write, with those of 2 runs before:

--- history/checks/2026-11-21.csv
${HEADER}2026-11-21T10:05:03.120Z,9f3c01ab,shop,up,200,,1,,,

--- history/shop.yml
a: b`,
  );
});

Deno.test("a dry run shows the effects it would execute, including those left by earlier runs", () => {
  const claim = { run: RUN, until: NOW.add({ minutes: 10 }) };
  const entry = (id: string, more: Partial<Entry>): Entry => ({
    id,
    handler: "of a later version",
    description: `do ${id}`,
    data: {},
    planned: NOW,
    ...more,
  });
  const outbox = [
    entry("new", { claim }),
    entry("left behind", { claim }),
    entry("another run's", { claim: { ...claim, run: "11111111" } }),
    entry("done", { claim, done: { at: NOW, receipt: {} } }),
  ];
  const decision = decisionOf({ effects: [outbox[0]!] });
  const { runState } = decision;
  const text = dryRunText({ ...decision, runState: { ...runState, outbox } });
  assertEquals(text.split("\n\nIt would\n")[1], "  do new\n  do left behind");
});

Deno.test("the job summary is a table of every site, with why something is wrong", async () => {
  const outcomes = [
    outcomeOf(resultOf(await siteNamed("Website"), "up"), "up"),
    outcomeOf(resultOf(await siteNamed("Shop"), "down"), "up"),
  ];
  assertEquals(
    jobSummary(outcomes, ["your branch main stays where it is"], LANGUAGE),
    `### Checked 2 sites: 1 up, 1 down

| Site | Condition | Code | Response time |
| :--- | :--- | ---: | ---: |
| Website | 🟩 up since 10:05 UTC | 200 | 123 ms |
| Shop | 🟥 down (connection refused, 203.0.113.7:443) since 10:05 UTC | – | – |

- your branch main stays where it is
`,
  );
});

Deno.test("the job summary says what the log says, in another language without English words", async () => {
  const votes = "down in Rome (up in Oslo): timed out";
  const states = [
    ["up"],
    ["degraded", { error: votes }],
    ["down", { error: votes, flapping: true }],
    ["down", { error: "connection refused" }],
    ["maintenance", { until: NOW.add({ hours: 1 }) }],
    ["unknown", { error: "no result (asleep)" }],
  ] as const;
  const site = await siteNamed("Shop");
  const outcomes = states.map(([state, more]) => outcomeOf(resultOf(site, state, more), "up"));
  const english = jobSummary(outcomes, [], LANGUAGE);
  for (const outcome of outcomes) {
    assertStringIncludes(english, escapeMarkdown(formatCondition(outcome)));
  }
  const words = [outcomes, outcomes.slice(0, 1), []].map((some) => jobSummary(some, [], MARKED))
    .join().replaceAll(/⟦[^⟦⟧]*⟧/g, "").match(/\p{L}+/gu);
  const known = "Shop Rome Oslo timed out connection refused no result asleep UTC ms".split(" ");
  assertEquals([...new Set(words)].filter((word) => !known.includes(word)), []);
});

Deno.test("names and errors in the job summary are text and nothing else", async () => {
  const site = await siteNamed("a|b <script> `x` [l](https://x) @jo #1 $y$ \\");
  const summary = jobSummary(
    [outcomeOf(resultOf(site, "down", { error: "<b> | `" }), "up")],
    [],
    LANGUAGE,
  );
  assertStringIncludes(
    summary,
    "| a\\|b \\<script\\> \\`x\\` \\[l\\](https\\://x) @jo \\#1 \\$y\\$ \\\\ |",
  );
  assertStringIncludes(summary, "| 🟥 down (\\<b\\> \\| \\`) since 10:05 UTC |");
});

const HOME = "https://github.com/acme/status";
const UNTIL = Temporal.Instant.from("2026-11-21T12:00:00Z");
const EFFECT = closeAnnouncement({ ...{ name: "Router", until: UNTIL, issue: 12 } }, {
  timezone: "UTC",
  language: LANGUAGE,
});
const WHAT = "close issue #12, because its maintenance is over (Router)";

Deno.test("a dry run shows the comment that would close the issue of a finished maintenance window", () => {
  assertEquals(
    effectText(EFFECT, new Map()),
    `  ${WHAT}\n\n      **Completed:** the maintenance window ended at 2026-11-21 12:00 UTC.\n`,
  );
});

Deno.test("a mail that some recipients were refused is a warning that names them", () => {
  const entry = { ...EFFECT, description: "notify email about Shop", planned: UNTIL };
  const partly = { entry, receipt: { answer: "took it", refused: "jo@example.com (550 no)" } };
  assertEquals(
    entryResultLine(partly, HOME),
    "Done, but not for jo@example.com (550 no): notify email about Shop",
  );
  assertEquals([partly, { entry, receipt: { answer: "took it" } }].map(isNoteworthy), [
    true,
    false,
  ]);
});

Deno.test("the result line of a closed announcement is shown, and differs if somebody closed it before", () => {
  const entry = { ...EFFECT, planned: UNTIL };
  assertEquals(
    entryResultLine({ entry, receipt: { issue: 12 } }, HOME),
    `Done: ${WHAT} → ${HOME}/issues/12`,
  );
  assertEquals(
    entryResultLine({ entry, receipt: { issue: 12, isLeft: true } }, HOME),
    `Nothing to do, because the issue was closed or changed: ${WHAT}`,
  );
});

Deno.test("the line of a check counts attempts if a location that shows the state repeated its own", async () => {
  const site = await siteNamed("Shop");
  const line = (state: "up" | "down", ...seen: ["up" | "down", number][]) => {
    const locations = seen.map(([state, attempts], index) => ({
      ...{ location: `L${index}`, state, attempts, code: 200, confirmed: NOW, isNew: true },
    }));
    const attempts = seen.reduce((sum, [own, count]) => own === state ? sum + count : sum, 0);
    return /\(\d+ attempts\)/.exec(resultLine(resultOf(site, state, { attempts, locations }), 4))
      ?.[0];
  };
  assertEquals(line("up", ["up", 1], ["up", 1], ["up", 1]), undefined);
  assertEquals(line("up", ["up", 1], ["up", 3], ["down", 1]), "(4 attempts)");
  assertEquals(line("down", ["up", 2], ["down", 1]), undefined);
});
