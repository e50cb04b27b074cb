import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/yaml";
import { createHash } from "node:crypto";
import {
  joinWorkflow,
  KEEP_SLOTS,
  keepLines,
  planWorkflows,
  splitWorkflow,
} from "../../../lib/setup/workflow_files.ts";
import { madeWorkflows } from "../../helpers/made_workflows.ts";
import fc from "../../helpers/property.ts";

const UPTIME = ".github/workflows/uptime.yml";
const OLD = await made({});
const NEWER = await made({ workflowSchedule: { uptime: "*/10 * * * *" } }, {
  action: "monitor-action/monitor-action@v1.99.0",
});
const UPTIME_TEXT = OLD.get(UPTIME)!;
const LATER = NEWER.get(UPTIME)!;

async function made(...given: Parameters<typeof madeWorkflows>): Promise<Map<string, string>> {
  return (await madeWorkflows(...given)).files;
}

/** A workflow with lines in a place of its own. */
function withLines(text: string, slot: string, lines: string): string {
  return text.replace(`# monitor: keep ${slot}\n`, (begin) => begin + lines);
}

/** What becomes of a workflow where another is made. */
function fateOf(present: string, options = { force: false }) {
  const [planned] = planWorkflows(
    new Map([[UPTIME, LATER]]),
    new Map([[UPTIME, present]]),
    options,
  );
  return planned!;
}

Deno.test("a generated workflow is as made, also with kept lines", () => {
  assertEquals(splitWorkflow(UPTIME_TEXT).state, "as made");
  const lines = fc.array(
    fc.stringMatching(/^[^\n\r]*$/).filter((line) => !/# \/?monitor: keep/.test(line)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(fc.property(fc.constantFrom(...KEEP_SLOTS), lines, (slot, own) => {
    const text = withLines(UPTIME_TEXT, slot, own.map((line) => `${line}\n`).join(""));
    const { state, kept } = splitWorkflow(text);
    assertEquals([state, kept.get(slot)], ["as made", own]);
    const { fate, text: next } = fateOf(text);
    assertEquals([fate, splitWorkflow(next).kept.get(slot)], ["updated", own]);
    assertEquals(splitWorkflow(next).state, "as made");
    assertEquals(joinWorkflow(UPTIME_TEXT, kept), text);
  }));
});

Deno.test("a workflow with any other change stays, unless it is replaced by force", () => {
  const changes = [
    UPTIME_TEXT.replace("timeout-minutes: 10", "timeout-minutes: 20"),
    UPTIME_TEXT.replace("# monitor: keep after", "# monitor: keep last"),
    UPTIME_TEXT.replace("# /monitor: keep\n", ""),
    UPTIME_TEXT + "# mine\n",
    UPTIME_TEXT.replace(/made [0-9a-f]+/, "made 0123456789abcdef"),
    withLines(UPTIME_TEXT, "job", keepLines("job").map((line) => `    ${line}\n`).join("")),
  ];
  for (const change of changes) {
    const { fate, difference } = fateOf(change);
    assertEquals([fate, difference.length > 0], ["edited", true], change);
    assertEquals(fateOf(change, { force: true }).fate, "replaced");
  }
  const upptime = "name: Uptime CI\non: push\n";
  assertEquals(fateOf(upptime).fate, "foreign");
  assertEquals(fateOf(upptime, { force: true }), {
    ...fateOf(upptime),
    fate: "replaced",
    text: LATER,
  });
});

Deno.test("a workflow with Windows line ends is as made", () => {
  assertEquals(fateOf(UPTIME_TEXT.replaceAll("\n", "\r\n")).fate, "updated");
  assertEquals(fateOf(LATER).fate, "same");
});

Deno.test("kept lines of a place that no longer exists are not lost", () => {
  const [begin, end] = ["    # monitor: keep gone", "    # /monitor: keep"];
  const older = joinWorkflow(
    UPTIME_TEXT.replace("    steps:", `${begin}\n${end}\n    steps:`)
      .replace(/made [0-9a-f ]+/, "made"),
    new Map([["gone", ["    env: {}"]]]),
  );
  assertEquals([splitWorkflow(older).state, fateOf(older).fate], ["as made", "edited"]);
});

/** What people write for `runs-on`, each with what YAML reads. */
const OWN: Readonly<Record<string, unknown>> = {
  "    runs-on: self-hosted": "self-hosted",
  "    runs-on: self-hosted # our own machine, with the client certificate": "self-hosted",
  "    'runs-on': self-hosted": "self-hosted",
  '    "runs-on" : self-hosted': "self-hosted",
  "    runs-on: [self-hosted, linux]": ["self-hosted", "linux"],
  '    runs-on: "self-hosted"': "self-hosted",
  "    # It needs a fixed address.\n    runs-on: self-hosted": "self-hosted",
  "    runs-on:\n      - self-hosted\n      - linux # not windows": ["self-hosted", "linux"],
  "    runs-on:\n    - self-hosted\n    - linux": ["self-hosted", "linux"],
  "    runs-on: [\n      self-hosted,\n      linux,\n    ]": ["self-hosted", "linux"],
  "    runs-on:\n      # One of ours.\n      group: monitors\n\n      labels: [linux]\n": {
    group: "monitors",
    labels: ["linux"],
  },
  "    runs-on: ${{ vars.RUNNER || 'ubuntu-24.04' }}": "${{ vars.RUNNER || 'ubuntu-24.04' }}",
};
const USUAL = "    runs-on: ubuntu-latest";

/** A file as versions up to 1.41 wrote it: one digest of all lines. */
function withOneDigest(text: string): string {
  const lines = text.split("\n");
  const slots = lines.filter((line) => !/^# monitor: made /.test(line)).join("\n");
  const digest = createHash("sha256").update(slots).digest("hex").slice(0, 16);
  return text.replace(/^# monitor: made .*$/m, `# monitor: made ${digest}`);
}

function plan(present: string, fresh: string, force = false) {
  return planWorkflows(new Map([["a.yml", fresh]]), new Map([["a.yml", present]]), { force })[0]!;
}

function runnerOf(text: string): unknown {
  const { jobs } = parse(text) as { jobs: Record<string, { "runs-on": unknown }> };
  return Object.values(jobs)[0]!["runs-on"];
}

Deno.test("a workflow with an edited runs-on is updated and keeps it", () => {
  for (const path of OLD.keys()) {
    for (const [own, read] of Object.entries(OWN)) {
      const old = OLD.get(path)!.replace(USUAL, () => own);
      for (const force of [false, true]) {
        const { fate, text } = plan(old, NEWER.get(path)!, force);
        assertEquals([fate, runnerOf(text)], ["updated", read], path + own);
        assertEquals(text.split(own).length, 2);
        assertStringIncludes(text, "@v1.99.0");
        assertEquals(plan(text, NEWER.get(path)!).fate, "same");
        assertEquals(plan(text.replaceAll("\n", "\r\n"), OLD.get(path)!).fate, "updated");
      }
    }
  }
});

Deno.test("only an unedited runs-on follows the configuration", async () => {
  const path = ".github/workflows/uptime.yml";
  const old = OLD.get(path)!;
  const other = (await made({ runner: ["self-hosted", "arm64"] })).get(path)!;
  for (const present of [old, withOneDigest(old)]) {
    const { fate, text, difference } = plan(present, other);
    assertEquals([fate, text], ["updated", other]);
    assertStringIncludes(difference.join("\n"), "+    runs-on: [self-hosted, arm64]");
    assertEquals(plan(text, old).text, old);
  }
  const own = old.replace(USUAL, "    runs-on: mine");
  assertEquals(runnerOf(plan(own, other).text), "mine");
  // Without the line, or with that of the configuration, it follows again.
  assertEquals(plan(own.replace("    runs-on: mine\n", ""), other).text, other);
  const same = plan(own.replace("mine", "[self-hosted, arm64]"), other).text;
  assertEquals(plan(same, old).text, old);
});

Deno.test("a workflow that was also changed elsewhere stays, and keeps its runs-on if replaced", () => {
  const path = ".github/workflows/uptime.yml";
  const changed = OLD.get(path)!.replace(USUAL, "    runs-on: mine")
    .replace("timeout-minutes: 10", "timeout-minutes: 20");
  const { fate, difference } = plan(changed, NEWER.get(path)!);
  assertEquals([fate, difference.filter((line) => line.includes("runs-on"))], ["edited", []]);
  assertEquals(runnerOf(plan(changed, NEWER.get(path)!, true).text), "mine");
  // A runs-on in a file of version 1.41 can't be told from other changes.
  const older = withOneDigest(OLD.get(path)!).replace(USUAL, "    runs-on: mine");
  assertEquals(plan(older, NEWER.get(path)!).fate, "edited");
  const twice = OLD.get(path)!.replace(USUAL, `${USUAL}\n    runs-on: mine`);
  assertEquals(plan(twice, NEWER.get(path)!).fate, "edited");
});
