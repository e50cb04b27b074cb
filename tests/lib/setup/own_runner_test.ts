import { assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { parse } from "@std/yaml";
import { planWorkflows } from "../../../lib/setup/workflow_files.ts";
import { madeWorkflows } from "../../helpers/made_workflows.ts";

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
const OLD = await made({});
const NEWER = await made({ workflowSchedule: { uptime: "*/10 * * * *" } }, {
  action: "monitor-action/monitor-action@v1.99.0",
});

async function made(...given: Parameters<typeof madeWorkflows>): Promise<Map<string, string>> {
  return (await madeWorkflows(...given)).files;
}

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

Deno.test("a workflow whose runs-on was edited gets later schedules and versions, and keeps it", () => {
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

Deno.test("a runs-on that nobody edited follows the configuration, and an edited one does not", async () => {
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

Deno.test("a workflow that was also changed elsewhere stays as it is, and keeps its runs-on if it is replaced", () => {
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
