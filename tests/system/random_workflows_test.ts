import { assert, assertEquals } from "@std/assert";
import { listTexts } from "../../lib/config/document.ts";
import { WORKFLOW_KEYS, workflowPath } from "../../lib/config/workflows.ts";
import fc, { runs } from "../helpers/property.ts";
import { interpolate } from "../helpers/runner/expressions.ts";
import { hostileText } from "../helpers/hostile_text.ts";
import { jobOf, madeWorkflows, readWorkflow } from "../helpers/made_workflows.ts";
import type { Keys } from "../helpers/sites.ts";
import { complaintsAbout } from "../helpers/workflow_checks.ts";

/** The allowed expressions of a workflow, whatever the configuration contains. */
const EXPECTED = [
  /^secrets\.HOST_PAT \|\| github\.token$/,
  /^github\.ref_name$/,
  /^github\.(?:token|run_attempt)$/,
  /^matrix\.(?:shard|location\.(?:id|name|runner))$/,
  /^toJSON\(secrets(?:\.[A-Za-z_]\w*)?\)$/,
  /^(?:!cancelled\(\) && )?steps\.page\.outputs\.publish == 'true'$/,
  /^!cancelled\(\)$/,
  /^!contains\(github\.event\.head_commit\.message \|\| '', '\[skip ci\]'\) && \(/,
  /^'\$\{\{'$/,
];

/** Texts that would have an effect if a workflow contained them unescaped. */
const HOSTILE = fc.oneof(
  hostileText(),
  fc.constantFrom(
    "a\n  evil: true",
    "${{ secrets.HOST_PAT }}",
    "a ${{ toJSON(secrets) }} b",
    "${{ '${{' }}",
    "'}} ${{ github.token",
    '"',
    "'",
    "a # b",
    "a: b",
    "&a",
    "*a",
    "!!js/function a",
    "[a, b]",
    "{a: b}",
    "|",
    ">-",
    "- a",
    "---",
    "%YAML 1.1",
    "@a",
    "`a`",
    "\u0085a\u2028b\ufeff",
    "on",
    "null",
    "0x1f",
    "a ",
    " a",
    "\ud800",
    "[self-hosted, linux, ARM64]",
    "*/5 * * * *",
    "1-5 0,12 1 JAN MON",
    "* * * * *\nevil:",
  ),
);

const LABEL = fc.oneof(
  { weight: 2, arbitrary: HOSTILE },
  fc.constantFrom("ubuntu-latest", "self-hosted", "linux", "my runner"),
);
const LABELS = fc.oneof(LABEL, fc.array(LABEL, { maxLength: 3 }));
const SCHEDULE = fc.oneof(
  HOSTILE,
  fc.constantFrom("*/10 * * * *", "0  0 1,15 * *", "7/20 8-17 * * MON-FRI"),
);

/** Configurations of which any key may be hostile. */
const CONFIGURATION: fc.Arbitrary<Keys> = fc.record({
  sites: fc.array(
    fc.record({ name: HOSTILE, url: fc.constantFrom("https://$HOST/", "https://a.example/$KEY") }),
    { maxLength: 3 },
  ),
  runner: fc.oneof(
    LABELS,
    fc.dictionary(fc.constantFrom("default", ...WORKFLOW_KEYS), LABELS, { maxKeys: 4 }),
  ),
  workflowSchedule: fc.dictionary(fc.constantFrom(...WORKFLOW_KEYS), SCHEDULE, { maxKeys: 3 }),
  secrets: fc.oneof(
    fc.constantFrom("all", "auto"),
    fc.array(fc.oneof(HOSTILE, fc.constantFrom("API_TOKEN", "_a", "HOST_PAT")), { maxLength: 3 }),
  ),
  action: fc.oneof(HOSTILE, fc.constantFrom("acme/m@v1", "acme/m")),
  actionVersion: fc.oneof(HOSTILE, fc.constantFrom("v1.41.0", "1.2.3", "a".repeat(40))),
  skipGeneratingWebsite: fc.boolean(),
  locations: fc.array(
    fc.oneof(
      fc.record({ name: HOSTILE, runner: LABELS }),
      fc.record({ name: HOSTILE, runner: fc.constantFrom(["self-hosted", "pi"], ["a", "b"]) }),
      fc.record({ name: HOSTILE, globalping: HOSTILE }),
    ),
    { maxLength: 4 },
  ),
  shards: fc.constantFrom(1, 2, 200, "auto"),
  "status-website": fc.record({
    name: HOSTILE,
    cname: fc.constantFrom("status.example.com", "a\nb"),
    publish: fc.boolean(),
    singleCommit: fc.boolean(),
  }, { requiredKeys: [] }),
  commitMessages: fc.record({ commitAuthorName: HOSTILE, commitAuthorEmail: HOSTILE }, {
    requiredKeys: [],
  }),
  notifications: fc.constantFrom([], [{ type: "slack", "webhook-url": "$SLACK_URL", on: ["up"] }]),
}, { requiredKeys: [] });

Deno.test("the workflows of any configuration pass linter and language service", async () => {
  await fc.assert(
    fc.asyncProperty(CONFIGURATION, async (top) => {
      const { files } = await madeWorkflows(top);
      for (const [path, text] of files) {
        const complaints = (await complaintsAbout(text, path)).filter((one) =>
          // Machines of others it can't know, nor that a person may let a push start the workflow; of a
          // schedule that is too frequent the configuration warns.
          !/\(runner-label\)$|head_commit$|too frequently/.test(one)
        );
        assertEquals(complaints, [], `${path}\n${text}`);
      }
    }),
    { numRuns: runs(10) },
  );
});

Deno.test("no configured text becomes YAML or an expression of a workflow", async () => {
  const plain = await madeWorkflows();
  const shapeOf = (text: string) => {
    const { on, jobs, ...rest } = readWorkflow(text);
    return [Object.keys(rest), Object.keys(on), Object.values(jobs).map((job) => Object.keys(job))];
  };
  await fc.assert(
    fc.asyncProperty(CONFIGURATION, async ({ locations: _, shards: __, ...top }) => {
      const { config, files } = await madeWorkflows({ ...top, skipGeneratingWebsite: false });
      for (const key of WORKFLOW_KEYS) {
        const text = files.get(workflowPath(key))!;
        assertEquals(shapeOf(text), shapeOf(plain.files.get(workflowPath(key))!));
        const workflow = readWorkflow(text);
        const job = jobOf(workflow);
        assertEquals([job["runs-on"]].flat(), config.runner[key]);
        if (key !== "setup") {
          assertEquals(workflow.on["schedule"], [{ cron: config.workflowSchedule[key] }]);
        }
        const published = job.steps.find(({ name }) => name === "Publish the page")?.with;
        if (published !== undefined) {
          const { commitAuthorName: name, commitAuthorEmail: email } = config.commitMessages;
          if (name) {
            assertEquals(interpolate(String(published["user_name"]), {}), name.toWellFormed());
          }
          if (email) {
            assertEquals(interpolate(String(published["user_email"]), {}), email.toWellFormed());
          }
        }
        for (const [, value] of listTexts(workflow)) {
          for (const [, expression] of value.matchAll(/\$\{\{(.*?)\}\}/gs)) {
            assert(EXPECTED.some((one) => one.test(expression!.trim())), expression);
          }
        }
      }
    }),
  );
});

Deno.test("names and labels of locations reach GitHub as they are, and nothing else", async () => {
  const sites = [{ name: "A", url: "https://a.example/$KEY" }];
  const hosted = fc.array(
    fc.record({ name: HOSTILE, runner: fc.constantFrom("ubuntu-latest", ["a", "b: #c"]) }),
    { minLength: 2, maxLength: 4 },
  );
  const own = fc.record({ name: HOSTILE, runner: fc.constantFrom(["self-hosted", "it's: #1"]) });
  await fc.assert(fc.asyncProperty(hosted, own, async (hosted, own) => {
    const { config, files } = await madeWorkflows({ sites, locations: [...hosted, own] });
    const names = [...files.keys()].filter((path) => path.includes("/uptime"));
    const ownLocations = config.locations.filter(({ runner }) => runner![0] === "self-hosted");
    assertEquals(names.length, 1 + ownLocations.length);
    for (const path of names) {
      const workflow = readWorkflow(files.get(path)!);
      for (const [, value] of listTexts(workflow)) {
        for (const [, expression] of value.matchAll(/\$\{\{(.*?)\}\}/gs)) {
          assert(EXPECTED.some((one) => one.test(expression!.trim())), expression);
        }
      }
      if (path !== workflowPath("uptime")) {
        assertEquals(jobOf(workflow)["runs-on"], ["self-hosted", "it's: #1"]);
      }
    }
    const { jobs } = readWorkflow(files.get(workflowPath("uptime"))!);
    const legs = config.locations.filter((one) => !ownLocations.includes(one));
    if (legs.length < 2) return;
    assertEquals(
      jobs["check"]!.strategy!.matrix["location"]!.map((leg) => {
        const { name, runner, id } = leg as { name: string; runner: string; id: string };
        return [interpolate(name, {}), [runner].flat(), id];
      }),
      legs.map(({ name, runner, id }) => [name.toWellFormed(), [...runner!], id]),
    );
  }));
});
