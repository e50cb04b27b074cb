import * as v from "valibot";
import { SCHEDULED_KEYS, type ScheduledKey, WORKFLOWS } from "../workflows.ts";
import { runner, USUAL_RUNNER } from "./runner.ts";
import { schedule } from "./schedule.ts";
import { about, expected, list, map, withoutEffect } from "./values.ts";

/** Keys of the top level that say how the workflows are made. */
export const WORKFLOW_SETTINGS = {
  workflowSchedule: v.optional(
    about(
      "When the workflows run, each a schedule of five fields in UTC; validate counts what they cost.",
      map({
        ...schedules(),
        staticSite: v.optional(about("Another spelling of site.", schedule())),
        ...withoutEffect({
          updateTemplate: "workflows are brought up to date when the configuration changes",
          updates: "workflows are brought up to date when the configuration changes",
        }),
      }),
    ),
    {},
  ),
  runner: v.optional(
    about(
      "Where the jobs run: a label of the platform, a list of labels with self-hosted among them, or a map of such by workflow, with the keys of workflowSchedule, setup, and default for all others.",
      runner(),
    ),
    USUAL_RUNNER,
  ),
  secrets: v.optional(
    about(
      "Secrets that Uptime CI passes to the program: auto for those in the configuration and Upptime's NOTIFICATION_*, all for those of the repository, or a list of names. No other workflow gets any.",
      v.union(
        [v.picklist(["all", "auto"]), list(secretName())],
        expected("all, auto or a list of names"),
      ),
    ),
    "auto",
  ),
  actionVersion: v.optional(
    about(
      "Version that the workflows are held at, such as v1.41.0, or a commit of the action; the newest of this major version where it is not given.",
      version(),
    ),
  ),
};

/** Names of {@linkcode WORKFLOW_SETTINGS}. */
export const WORKFLOW_SETTING_NAMES: readonly string[] = Object.keys(WORKFLOW_SETTINGS);

function schedules() {
  const one = (key: ScheduledKey) =>
    v.optional(about(`${WORKFLOWS[key].name}.`, schedule()), WORKFLOWS[key].schedule);
  return Object.fromEntries(SCHEDULED_KEYS.map((key) => [key, one(key)])) as Record<
    ScheduledKey,
    ReturnType<typeof one>
  >;
}

/** The name of a secret, as the platform takes it. */
function secretName() {
  const message = expected("the name of a secret, such as API_TOKEN");
  return v.pipe(v.string(message), v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, message));
}

function version() {
  const message = expected("a version such as v1.41.0, or the 40 hexadecimal digits of a commit");
  return v.pipe(
    v.string(message),
    v.regex(/^(?:v?\d{1,9}\.\d{1,9}\.\d{1,9}|[0-9a-f]{40})$/, message),
  );
}
