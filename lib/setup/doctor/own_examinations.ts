import { basename, dirname } from "node:path/posix";
import { cadence } from "../../config/schedule.ts";
import { isExampleOnly } from "../../config/load.ts";
import { GLOBALPING_TOKEN } from "../../config/globalping.ts";
import { allSecretNames } from "../../config/references.ts";
import { unsupportedNote } from "../../config/upptime/channels.ts";
import { isHosted, WORKFLOW_FOLDER, WORKFLOWS } from "../../config/workflows.ts";
import { describeUnwarned } from "../../notifications/certificate_routes.ts";
import type { RunGaps } from "../../statistics/run_gaps.ts";
import { formatPercent } from "../../statistics/statistics.ts";
import { DAY, describeDuration } from "../../time.ts";
import { computeGlobalpingLoad, describeBilling } from "../billing.ts";
import type { WorkflowFate } from "../workflow_files.ts";
import { missedSecrets } from "../workflow_settings.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "./facts.ts";
import { planLegs } from "../../config/legs.ts";
import { isSelfHostedLocation, type Location } from "../../config/locations.ts";
import { formatCommand } from "../../text/invocation.ts";

/** Examines whether the configuration exists and can be used, and whether somebody is notified of its certificates. */
export const configuration: Examination = ({ config, errors, file, unwarned }) => {
  if (errors > 0) {
    const count = errors === 1 ? "an error" : `${errors} errors`;
    return [
      change(
        `${file} has ${count}`,
        `run "${formatCommand("validate")}", which shows each with its line`,
      ),
    ];
  }
  if (config === undefined) {
    return [
      change(
        `${file} is missing here`,
        `run "${formatCommand("init")}", or go to the folder that has it`,
      ),
    ];
  }
  if (config.sites.length === 0) return [change(`${file} names no site`, "add one under sites:")];
  return isExampleOnly(config)
    ? [change(`${file} has only the example, which is not checked`, "replace it with your sites")]
    : [
      ...well(`${file} is valid`),
      ...unwarned.map(describeUnwarned).map(({ says, cure }) => note(says, cure)),
    ];
};

const updateCure = () => `run "${formatCommand("update-template")}", and push what it writes`;
const CHANGED_BY_HAND = (names: string) =>
  note(
    `changed by hand, and so not updated: ${names}`,
    `run "${
      formatCommand("update-template")
    }", which shows the difference; with --force it replaces them`,
  );

const FILE_FINDINGS: Readonly<Partial<Record<WorkflowFate, (names: string) => Finding>>> = {
  new: (names) => change(`missing in ${dirname(WORKFLOW_FOLDER)}: ${names}`, updateCure()),
  updated: (names) =>
    change(`older than this version or the configuration: ${names}`, updateCure()),
  removed: (names) => change(`no longer needed: ${names}`, updateCure()),
  edited: CHANGED_BY_HAND,
  foreign: CHANGED_BY_HAND,
};

export const workflowFiles: Examination = ({ files, isUpptime }) => {
  if (isUpptime) {
    return [
      change(
        "they are Upptime's, and so is the history",
        `run "${formatCommand("import upptime --dry-run")}"`,
      ),
    ];
  }
  const findings = Object.entries(FILE_FINDINGS).flatMap(([fate, finding]) => {
    const names = files.filter((one) => one.fate === fate).map(({ path }) => basename(path));
    return names.length === 0 ? [] : [finding(names.join(", "))];
  });
  if (files.length === 0 || findings.length > 0) return findings;
  return well(`all ${files.length} exist and are of this version`);
};

export const secrets: Examination = (facts) => {
  const { config, unsupported, everyday, secrets: { value: saved, why }, given } = facts;
  if (config === undefined) return [];
  const names = allSecretNames(config);
  const findings = missedSecrets(config).map((name) =>
    change(`secrets: in the configuration lacks $${name}`, `add ${name} to that list`)
  );
  const known = saved ?? given;
  if (known !== undefined) {
    const missing = names.filter((name) => !known.includes(name));
    const place = saved === undefined ? "environment" : "repository";
    findings.push(
      ...missing.map((name) =>
        change(
          `the ${place} has no secret ${name}`,
          `save it: ${formatCommand(`set-secret ${name}`)}`,
        )
      ),
    );
  }
  if (saved === undefined) findings.push(...unexamined(why));
  else if (!saved.includes("HOST_PAT") && !saved.includes("GH_PAT")) {
    findings.push(note(
      "the secret HOST_PAT is missing, so the job's own token is used: issues start no workflows, and Setup CI can't write workflow files",
      `save a token of your own: ${formatCommand("set-secret HOST_PAT")}`,
    ));
  }
  const isProbed = computeGlobalpingLoad(config) !== undefined;
  if (isProbed && saved !== undefined && !saved.includes(GLOBALPING_TOKEN)) {
    findings.push(note(
      `the secret ${GLOBALPING_TOKEN} is missing, so the tests of Globalping are shared with all users of the runner's address`,
      `create a token at dash.globalping.io and save it: ${
        formatCommand(`set-secret ${GLOBALPING_TOKEN}`)
      }`,
    ));
  }
  if (findings.length === 0) {
    const list = names.join(", ");
    findings.push(...well(list === "" ? "the configuration names none" : `all exist: ${list}`));
  }
  const left = unsupportedNote(unsupported);
  return [
    ...findings,
    ...left === undefined ? [] : [note(left)],
    ...everyday === undefined ? [] : [note(everyday)],
  ];
};

/** Largest multiples of the schedule's interval for the median and the longest gap between checks. */
const [MEDIAN_LIMIT, LONGEST_LIMIT] = [2, 6];
/** Largest share of gaps that are longer than twice the schedule. */
const LATE_LIMIT = 0.1;

const START_OUTSIDE =
  "GitHub starts schedules late or not at all; for exact intervals run watch on your own " +
  "machine, or start checks from outside, as templates/examples/outside_scheduler.sh does";
const LIST_RUNS = 'gh run list --workflow "Uptime CI"';

export const schedule: Examination = ({ config, runs, now, scheduledRuns }) => {
  if (config === undefined || isExampleOnly(config)) return [];
  if (runs.value === undefined) return unexamined(runs.why);
  const { words, runs: monthly } = cadence(config.workflowSchedule.uptime);
  const { runs: count, from, last: lastRun, interval, gaps } = runs.value;
  if (lastRun === undefined) {
    return [
      change("no check was made in the last week", `check that Uptime CI runs: ${LIST_RUNS}`),
    ];
  }
  const end = now.epochMilliseconds;
  const last = Math.max(0, end - lastRun);
  const planned = Math.round(monthly * (end - from) / DAY / 30);
  const says = [
    `checks are scheduled ${words}; the last week had ${count}`,
    gaps === undefined ? "too few to say how regular they are" : describeGaps(gaps, interval),
    ...scheduledRuns.value === undefined
      ? []
      : [`GitHub started ${scheduledRuns.value} of about ${planned} by schedule`],
  ].join(", ");
  const { median = 0, longest = 0, late = 0 } = gaps ?? {};
  const isSlow = median > MEDIAN_LIMIT * interval;
  const isUneven = late > LATE_LIMIT || Math.max(longest, last) > LONGEST_LIMIT * interval;
  const alarm = config.driftAlarm === false ? "; driftAlarm: true reports long gaps" : "";
  const cure = START_OUTSIDE + alarm;
  return [
    ...isSlow ? [change(says, cure)] : isUneven ? [note(says, cure)] : well(says),
    ...last > LONGEST_LIMIT * interval
      ? [change(`the last check was ${describeDuration(last)} ago`, `find the cause: ${LIST_RUNS}`)]
      : [],
  ];
};

function describeGaps(
  { median, p90, longest, late }: NonNullable<RunGaps["gaps"]>,
  interval: number,
): string {
  const share = `${formatPercent(late)} of the gaps took more than ${
    describeDuration(2 * interval)
  }`;
  return [
    `usually ${describeDuration(median)} apart (median)`,
    `9 of 10 at most ${describeDuration(p90)}`,
    `at worst ${describeDuration(longest)}`,
    ...late > 0 ? [share] : [],
  ].join(", ");
}

export const minutes: Examination = ({ billing, repository }) => {
  if (billing === undefined) return [];
  if (billing.minutes === 0) return well("the jobs run on your own machine: no minutes are billed");
  if (repository.value?.isPrivate === false) {
    return well("the repository is public: no minutes are billed");
  }
  const { sum, cure } = describeBilling(billing);
  if (cure === undefined) return well(sum);
  return [
    repository.value === undefined
      ? note(`if the repository is private, ${sum}`, cure)
      : change(sum, cure),
  ];
};

/** The oldest runner that executes the actions of today's workflows. */
const OLDEST_RUNNER = "2.327.1";

/** Examines whether each location sends results, and warns of runners that are too old for artifacts. */
export const locations: Examination = ({ config, activeLocations }) => {
  if (config === undefined) return [];
  const legs = planLegs(config, config.shards === "auto" ? 1 : config.shards);
  const exchanges = legs !== undefined && !isHosted(config.runner.uptime);
  const findings = exchanges
    ? [note(
      "the jobs on your own machine exchange artifacts",
      `use version ${OLDEST_RUNNER} of the runner or a newer one`,
    )]
    : [];
  // A site with a single location has no rows of that location.
  const recorded = config.locations.filter(({ name }) =>
    config.sites.some(({ paused, locations }) =>
      !paused && locations.length > 1 && locations.includes(name)
    )
  );
  if (recorded.length === 0) return findings;
  if (activeLocations === undefined) {
    return [...findings, ...unexamined("the results of locations are not known")];
  }
  for (const location of recorded) {
    if (!activeLocations.has(location.name)) findings.push(describeSilence(location));
  }
  return findings.length > 0 ? findings : well(`each of ${recorded.length} has sent results`);
};

function describeSilence(location: Location): Finding {
  const { name, runner = [] } = location;
  const listRuns = `gh run list --workflow "${WORKFLOWS.uptime.name}`;
  return isSelfHostedLocation(location)
    ? change(
      `${name} (${runner.join(", ")}) has sent nothing for a day`,
      "check in Settings > Actions > Runners that a runner with these labels is online, and that " +
        `it is version ${OLDEST_RUNNER} or newer; then ${listRuns}: ${name}"`,
    )
    : change(`${name} has sent nothing for a day`, `find the cause: ${listRuns}"`);
}
