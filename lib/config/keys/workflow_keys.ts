import * as v from "valibot";
import { SCHEDULED_KEYS, type ScheduledKey, WORKFLOWS } from "../workflows.ts";
import { runner, USUAL_RUNNER } from "./runner.ts";
import { schedule } from "./schedule.ts";
import { about, expected, list, map, withoutEffect } from "./values.ts";

/** Keys of the top level that say how the workflows are made. */
export const WORKFLOW_SETTINGS = {
  workflowSchedule: v.optional(
    about(
      "Schedules of the workflows: five cron fields in UTC. `validate` shows what they cost.",
      map({
        ...schedules(),
        staticSite: v.optional(about("Alias of `site`.", schedule())),
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
      "Runner label, a list of labels including self-hosted, or a map of these by workflow. Keys of the map: those of `workflowSchedule`, `setup`, and `default` for all others.",
      runner(),
    ),
    USUAL_RUNNER,
  ),
  secrets: v.optional(
    about(
      "Secrets that Uptime CI passes to the program: `auto`, `all`, or a list of names. `auto` passes those named in the configuration and Upptime's `NOTIFICATION_*`. No other workflow gets any.",
      v.union(
        [v.picklist(["all", "auto"]), list(secretName())],
        expected("all, auto or a list of names"),
      ),
    ),
    "auto",
  ),
  actionVersion: v.optional(
    about(
      "Pins the action in workflows to a version such as v1.41.0, or to a commit. Default: the newest release of this major version.",
      version(),
    ),
  ),
};

/** Names of {@linkcode WORKFLOW_SETTINGS}. */
export const WORKFLOW_SETTING_NAMES: readonly string[] = Object.keys(WORKFLOW_SETTINGS);

function schedules() {
  const one = (key: ScheduledKey) =>
    v.optional(
      about(`Schedule of ${WORKFLOWS[key].name}, in UTC.`, schedule()),
      WORKFLOWS[key].schedule,
    );
  return Object.fromEntries(SCHEDULED_KEYS.map((key) => [key, one(key)])) as Record<
    ScheduledKey,
    ReturnType<typeof one>
  >;
}

/** The name of a secret, as GitHub takes it. */
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
