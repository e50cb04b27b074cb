import { assertEquals } from "@std/assert";
import {
  joinWorkflow,
  KEEP_SLOTS,
  keepLines,
  splitWorkflow,
} from "../../../lib/setup/workflow_files.ts";
import { planWorkflows } from "../../../lib/setup/workflow_files.ts";
import { madeWorkflows } from "../../helpers/made_workflows.ts";
import fc from "../../helpers/property.ts";

const PATH = ".github/workflows/uptime.yml";
const MADE = (await madeWorkflows()).files.get(PATH)!;
const NEWER = (await madeWorkflows({ workflowSchedule: { uptime: "*/10 * * * *" } })).files.get(
  PATH,
)!;

/** A workflow with lines in a place of its own. */
function withLines(text: string, slot: string, lines: string): string {
  return text.replace(`# monitor: keep ${slot}\n`, (begin) => begin + lines);
}

/** What becomes of a workflow where another is made. */
function fateOf(present: string, options = { force: false }) {
  const [planned] = planWorkflows(new Map([[PATH, NEWER]]), new Map([[PATH, present]]), options);
  return planned!;
}

Deno.test("what is made is as made, and lines in places for them don't change that", () => {
  assertEquals(splitWorkflow(MADE).state, "as made");
  const lines = fc.array(
    fc.stringMatching(/^[^\n\r]*$/).filter((line) => !/# \/?monitor: keep/.test(line)),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(fc.property(fc.constantFrom(...KEEP_SLOTS), lines, (slot, own) => {
    const text = withLines(MADE, slot, own.map((line) => `${line}\n`).join(""));
    const { state, kept } = splitWorkflow(text);
    assertEquals([state, kept.get(slot)], ["as made", own]);
    const { fate, text: next } = fateOf(text);
    assertEquals([fate, splitWorkflow(next).kept.get(slot)], ["updated", own]);
    assertEquals(splitWorkflow(next).state, "as made");
    assertEquals(joinWorkflow(MADE, kept), text);
  }));
});

Deno.test("any other change leaves a workflow alone, until it is to be replaced", () => {
  const changes = [
    MADE.replace("timeout-minutes: 10", "timeout-minutes: 20"),
    MADE.replace("# monitor: keep after", "# monitor: keep last"),
    MADE.replace("# /monitor: keep\n", ""),
    MADE + "# mine\n",
    MADE.replace(/made [0-9a-f]+/, "made 0123456789abcdef"),
    withLines(MADE, "job", keepLines("job").map((line) => `    ${line}\n`).join("")),
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
    text: NEWER,
  });
});

Deno.test("a workflow with line ends of Windows is as it was made", () => {
  assertEquals(fateOf(MADE.replaceAll("\n", "\r\n")).fate, "updated");
  assertEquals(fateOf(NEWER).fate, "same");
});

Deno.test("lines in a place that a later version has no more are not lost", () => {
  const [begin, end] = ["    # monitor: keep gone", "    # /monitor: keep"];
  const older = joinWorkflow(
    MADE.replace("    steps:", `${begin}\n${end}\n    steps:`)
      .replace(/made [0-9a-f ]+/, "made"),
    new Map([["gone", ["    env: {}"]]]),
  );
  assertEquals([splitWorkflow(older).state, fateOf(older).fate], ["as made", "edited"]);
});
