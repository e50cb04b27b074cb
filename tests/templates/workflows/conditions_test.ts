import { assertEquals } from "@std/assert";
import { interpolate, isMet } from "../../helpers/runner/expressions.ts";
import { jobOf, madeWorkflow } from "../../helpers/made_workflows.ts";
import type { WorkflowKey } from "../../../lib/config/workflows.ts";

/** Whether the job of a workflow runs for an event. */
async function runs(key: WorkflowKey, event_name: string, event: unknown): Promise<boolean> {
  const { if: condition = "${{ true }}" } = jobOf(await madeWorkflow(key));
  const github = { event_name, event, ref_name: "main" };
  return interpolate(condition, { github }) === "true";
}

const PUSH = { repository: { default_branch: "main" } };

Deno.test("Setup CI runs for a push to the default branch whose commit does not say that it is to be skipped", async () => {
  const cases: [boolean, string, unknown][] = [
    [true, "push", { ...PUSH, head_commit: { message: "Add a site" } }],
    [false, "push", { ...PUSH, head_commit: { message: "Add a site [skip ci]" } }],
    [false, "push", { repository: { default_branch: "other" }, head_commit: { message: "" } }],
    [true, "workflow_dispatch", {}],
    [true, "repository_dispatch", { action: "setup" }],
  ];
  for (const [expected, name, event] of cases) {
    assertEquals(await runs("setup", name, event), expected, JSON.stringify(event));
  }
});

Deno.test("Static Site CI runs for issues and comments that the page shows, and for all that is neither", async () => {
  const labelled = (...names: string[]) => ({ labels: names.map((name) => ({ name })) });
  const by = (author_association: string) => ({ author_association });
  const cases: [boolean, string, unknown][] = [
    [true, "schedule", { schedule: "0 1 * * *" }],
    [true, "repository_dispatch", {}],
    [false, "push", { head_commit: { message: "Draw graphs [skip ci]" } }],
    [true, "issues", { issue: labelled("shop", "status") }],
    [true, "issues", { issue: labelled("incident") }],
    [true, "issues", { issue: labelled("maintenance") }],
    [true, "issues", { issue: labelled(), label: { name: "maintenance" } }],
    [false, "issues", { issue: labelled("bug"), label: { name: "bug" } }],
    [false, "issues", { issue: labelled() }],
    [true, "issue_comment", { issue: labelled("status"), comment: by("MEMBER") }],
    [false, "issue_comment", { issue: labelled("status"), comment: by("NONE") }],
    [false, "issue_comment", { issue: labelled("bug"), comment: by("OWNER") }],
  ];
  for (const [expected, name, event] of cases) {
    assertEquals(await runs("site", name, event), expected, JSON.stringify(event));
  }
});

Deno.test("the page is published where building it says that it may be, and nowhere else", async () => {
  for (const key of ["site", "setup"] as const) {
    const { steps } = jobOf(await madeWorkflow(key));
    const [build, publish] = steps.slice(-2);
    const published = (outputs: unknown) =>
      interpolate(publish!.if!, { steps: { [build!.id!]: { outputs } } });
    assertEquals(published({ publish: "true" }), "true");
    assertEquals(published({ publish: "false" }), "false");
    assertEquals(published({}), "false");
  }
});

Deno.test("what fails in Setup CI keeps nothing back that does not need it", async () => {
  const { steps } = jobOf(await madeWorkflow("setup"));
  const [, first, ...others] = steps;
  const after = { steps: { page: { outputs: { publish: "true" } } } };
  assertEquals(isMet(first!.if, after, "failure"), false);
  assertEquals(others.map(({ if: condition }) => isMet(condition, after, "failure")), [
    ...[true, true, true, true, true],
  ]);
  const unbuilt = { steps: { page: { outputs: {} } } };
  assertEquals(isMet(others.at(-1)!.if, unbuilt, "failure"), false);
});
