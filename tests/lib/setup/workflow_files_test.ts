import { assertEquals, assertStringIncludes } from "@std/assert";
import { ANNOUNCE } from "../../../lib/config/workflows.ts";
import {
  findTooLong,
  joinWorkflow,
  KEEP_SLOTS,
  keepLines,
  listChanges,
  planAllWorkflows,
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

/** The result of updating a workflow to another one. */
function fateOf(present: string, options = { force: false }) {
  const [planned] = planWorkflows(
    new Map([[UPTIME, LATER]]),
    new Map([[UPTIME, present]]),
    options,
  );
  return planned!;
}

Deno.test("a generated workflow is recognized as unchanged, also with kept lines", () => {
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

Deno.test("a workflow with Windows line endings is recognized as unchanged", () => {
  assertEquals(fateOf(UPTIME_TEXT.replaceAll("\n", "\r\n")).fate, "updated");
  assertEquals(fateOf(LATER).fate, "same");
});

Deno.test("kept lines of a place that no longer exists are not lost", () => {
  const [begin, end] = ["    # monitor: keep gone", "    # /monitor: keep"];
  const older = joinWorkflow(
    UPTIME_TEXT.replace("    steps:", `${begin}\n${end}\n    steps:`)
      .replace(/made [0-9a-f]+/, "made"),
    new Map([["gone", ["    env: {}"]]]),
  );
  assertEquals([splitWorkflow(older).state, fateOf(older).fate], ["as made", "edited"]);
});

Deno.test("an edited runs-on is a change, and another runner of the configuration an update", async () => {
  const other = (await made({ runner: ["self-hosted", "arm64"] })).get(UPTIME)!;
  const plan = (present: string) =>
    planWorkflows(new Map([[UPTIME, other]]), new Map([[UPTIME, present]]), { force: false })[0]!;
  assertEquals(plan(UPTIME_TEXT.replace("ubuntu-latest", "mine")).fate, "edited");
  const { fate, difference } = plan(UPTIME_TEXT);
  assertEquals(fate, "updated");
  assertStringIncludes(difference.join("\n"), "+    runs-on: [self-hosted, arm64]");
});

Deno.test("the workflow of a removed location is removed, unless somebody has edited it", async () => {
  const locations = [{ name: "Home", runner: ["self-hosted", "pi"] }];
  const path = ".github/workflows/uptime-home.yml";
  const text = (await made({ locations })).get(path)!;
  const planOf = async (present: Record<string, string>, force = false) => {
    const files = new Map(Object.entries(present));
    const plan = await planAllWorkflows(OLD, {
      list: () => Promise.resolve([...files.keys()].map((path) => path.split("/").at(-1)!)),
      read: (paths) =>
        Promise.resolve(new Map([...files].filter(([path]) => paths.includes(path)))),
    }, { force });
    const removed = [...listChanges(plan)].filter(([, text]) => text === null);
    const fates = plan.filter(({ path }) => !OLD.has(path)).map(({ fate }) => fate);
    return [fates, removed.map(([path]) => path)];
  };
  assertEquals(await planOf({ [path]: text }), [["removed"], [path]]);
  const edited = text.replace("timeout-minutes: 10", "timeout-minutes: 5");
  assertEquals(await planOf({ [path]: edited }), [["edited"], []]);
  const kept = withLines(text, "before", "      - run: ./vpn\n");
  assertEquals(await planOf({ [path]: kept }), [["edited"], []]);
  assertEquals(await planOf({ [path]: kept }, true), [["removed"], [path]]);
  assertEquals(await planOf({ [path]: "name: Mine\n" }, true), [[], []]);
  const theirs = ".github/workflows/uptime-Home.yml";
  assertEquals(await planOf({ [theirs]: text }, true), [[], []]);
});

Deno.test("Announce and its forms come and go with their key, and files of the user stay", async () => {
  const files = await made({ announce: true });
  const paths = [...files.keys()].filter((path) => !OLD.has(path));
  assertEquals(paths, [ANNOUNCE.path, ANNOUNCE.incidentForm, ANNOUNCE.maintenanceForm]);
  assertEquals([...files].filter(([path]) => !paths.includes(path)), [...await made()]);
  const fatesOf = async (
    wanted: ReadonlyMap<string, string>,
    edits: Record<string, string> = {},
    force = false,
  ) => {
    const present = new Map([...files, ...Object.entries(edits)]);
    const plan = await planAllWorkflows(wanted, {
      list: () => Promise.resolve([]),
      read: (some) =>
        Promise.resolve(new Map([...present].filter(([path]) => some.includes(path)))),
    }, { force });
    return plan.filter(({ path }) => paths.includes(path)).map(({ fate }) => fate);
  };
  assertEquals(await fatesOf(files), ["same", "same", "same"]);
  assertEquals(await fatesOf(OLD), ["removed", "removed", "removed"]);
  const own = { [ANNOUNCE.incidentForm]: "name: Mine\n" };
  for (const force of [false, true]) {
    assertEquals(await fatesOf(files, own, force), ["same", "foreign", "same"]);
  }
  assertEquals(await fatesOf(OLD, own), ["removed", "removed"]);
  const form = files.get(ANNOUNCE.incidentForm)!;
  const edited = { [ANNOUNCE.incidentForm]: form.replace("Impact", "How bad?") };
  assertEquals(await fatesOf(files, edited), ["same", "edited", "same"]);
  assertEquals(await fatesOf(files, edited, true), ["same", "replaced", "same"]);
  assertEquals(await fatesOf(OLD, edited), ["removed", "edited", "removed"]);
});

Deno.test("lines of jobs that check are not lost if the workflow no longer has such jobs", async () => {
  const sharded = (await made({ shards: 2 })).get(UPTIME)!;
  const own = withLines(sharded, "check-before", "      - run: ./vpn\n");
  assertEquals(fateOf(sharded).fate, "updated");
  assertEquals(fateOf(own).fate, "edited");
});

Deno.test("a workflow that is too long for GitHub is not written", () => {
  assertEquals(findTooLong(new Map([["a.yml", "a".repeat(500_000)]])), undefined);
  assertEquals(
    findTooLong(new Map([["a.yml", "a".repeat(500_001)]])),
    "Cannot make workflows: a.yml would have 501 KB, and GitHub reads 500: use fewer locations, labels or secrets",
  );
});
