import * as v from "valibot";
import {
  SCHEDULED_KEYS,
  type ScheduledKey,
  WORKFLOW_KEYS,
  type WorkflowKey,
  WORKFLOWS,
} from "../workflows.ts";
import { schedule } from "../schedule.ts";
import { expected, flag, list, map, optional, pattern, withoutEffect } from "./values.ts";

const USUAL_RUNNER = "ubuntu-latest";

const WHAT = "a label, a list of labels, or a map of such with the keys default, " +
  WORKFLOW_KEYS.join(", ");

export const WORKFLOW_SETTINGS = {
  workflowSchedule: optional(
    "Schedules of the workflows: five cron fields in UTC. `validate` shows what they cost.",
    map({
      ...schedules(),
      staticSite: optional("Alias of `site`.", schedule()),
      ...withoutEffect({
        updateTemplate: "workflows are brought up to date when the configuration changes",
        updates: "workflows are brought up to date when the configuration changes",
      }),
    }),
    {},
  ),
  runner: optional(
    "Runner label, a list of labels including self-hosted, or a map of these by workflow. Keys of the map: those of `workflowSchedule`, `setup`, and `default` for all others.",
    runner(),
    USUAL_RUNNER,
  ),
  secrets: optional(
    "Secrets that Uptime CI passes to the program: `auto`, `all`, or a list of names. `auto` passes those named in the configuration and Upptime's `NOTIFICATION_*`. No other workflow gets any.",
    v.union(
      [v.picklist(["all", "auto"]), list(secretName())],
      expected("all, auto or a list of names"),
    ),
    "auto",
  ),
  announce: optional(
    "Generate the workflow Announce, and issue forms to report incidents and plan maintenance.",
    flag(),
    false,
  ),
  action: optional(
    "The action in workflows, as `owner/name@ref`, for a fork or a mirror. Without `@ref`, the newest release of this major version is used. Default: the action that runs Setup CI.",
    action(),
  ),
  actionVersion: optional(
    "Pins the action in workflows to a version such as v1.41.0, or to a commit. Default: the newest release of this major version.",
    version(),
  ),
};

export const WORKFLOW_SETTING_NAMES: readonly string[] = Object.keys(WORKFLOW_SETTINGS);

function schedules() {
  const one = (key: ScheduledKey) =>
    optional(`Schedule of ${WORKFLOWS[key].name}, in UTC.`, schedule(), WORKFLOWS[key].schedule);
  return Object.fromEntries(SCHEDULED_KEYS.map((key) => [key, one(key)])) as Record<
    ScheduledKey,
    ReturnType<typeof one>
  >;
}

function secretName() {
  return pattern(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a secret, such as API_TOKEN");
}

/** Repository of the action, with or without a branch, tag or commit. */
function action() {
  const reference = /^[A-Za-z0-9][\w.-]*\/[\w.-]+(?:@\w[\w./-]*)?$/;
  return pattern(reference, "owner/name@ref of an action, such as acme/monitor-action@v1");
}

function version() {
  return pattern(
    /^(?:v?\d{1,9}\.\d{1,9}\.\d{1,9}|[0-9a-f]{40})$/,
    "a version such as v1.41.0, or the 40 hexadecimal digits of a commit",
  );
}

type Runner = Readonly<Record<WorkflowKey, readonly string[]>>;

/** Labels of machines: for all workflows, or by workflow; `default` is for those that are not named. */
function runner() {
  return v.pipe(
    v.union([label(), labels(), byWorkflow()], expected(WHAT)),
    v.transform((value): Runner => {
      const named = typeof value === "object" && !Array.isArray(value) ? value : { default: value };
      const { default: usual = USUAL_RUNNER } = named;
      const each = WORKFLOW_KEYS.map((key) => [key, parseLabels(named[key] ?? usual)]);
      return Object.fromEntries(each) as Runner;
    }),
  );
}

export function runnerLabels() {
  const message = expected("a label or a list of labels");
  return v.pipe(v.union([label(), labels()], message), v.transform(parseLabels));
}

type Labels = string | string[];

function byWorkflow() {
  const one = () => v.optional(v.union([label(), labels()], expected("a label or a list of them")));
  const entries = Object.fromEntries(
    WORKFLOW_KEYS.map((key) => [key, one()]),
  ) as Record<WorkflowKey, ReturnType<typeof one>>;
  return v.strictObject(
    { default: one(), ...entries },
    expected(`one of default, ${WORKFLOW_KEYS.join(", ")}`),
  );
}

function labels() {
  const message = expected("a list with a label in each line");
  return v.pipe(list(label()), v.minLength(1, message));
}

/** A name without signs that steer anything, and without an expression of GitHub. */
function label() {
  return pattern(
    /^(?=.{1,256}$)(?!.*\$\{\{)[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}][^\p{C}\p{Zl}\p{Zp}]*$/u,
    "a label such as ubuntu-latest or self-hosted, without ${{",
  );
}

/** Upptime's users write a list as a text such as `[self-hosted, linux]`. */
function parseLabels(value: Labels): string[] {
  if (typeof value !== "string") return value;
  const [, inner] = /^\s*\[(.*)\]\s*$/.exec(value) ?? [];
  if (inner === undefined) return [value.trim()];
  const parts = inner.split(",").map((one) => one.trim().replace(/^(["'])(.*)\1$/, "$2"));
  const named = parts.filter((one) => one !== "");
  return named.length === 0 ? [USUAL_RUNNER] : named;
}
