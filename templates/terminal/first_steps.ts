import { FORM_FOLDER, IMPORT_WORKFLOW, WORKFLOW_FOLDER } from "../../lib/config/workflows.ts";
import type { FirstFile } from "../../lib/setup/first_files.ts";
import { textWidth } from "../../lib/text/columns.ts";
import { joinNames } from "../../lib/text/words.ts";
import { count, countSites } from "../words.ts";
import { dirname } from "node:path/posix";
import { formatCommand, shellWord } from "../../lib/text/invocation.ts";

interface FirstSteps {
  config: string;
  isUnusual: boolean;
  /** True if it has only the example, which is not checked. */
  isExample: boolean;
  needsGit: boolean;
  site?: string;
  /** Names of secrets that the new configuration needs. */
  secrets: readonly string[];
  /** Number of sites whose history Upptime recorded; 0 outside of a repository that comes from it. */
  upptimeRecords: number;
  files: readonly Pick<FirstFile, "path" | "fate">[];
}

export function firstSteps(done: FirstSteps): string {
  return [...written(done), "Next:", ...stepLines(planSteps(done))].join("\n");
}

/** Renders the steps for a repository of Upptime, in which `init` writes the workflow that imports. */
export function upptimeSteps({ records, isAtTop, isNew }: {
  records: number;
  /** True at the top of a repository, where workflows are. */
  isAtTop: boolean;
  /** True if the workflow was written now. */
  isNew: boolean;
}): string {
  const history = records === 0 ? "" : `, with the history of ${countSites(records)}`;
  const state = isNew ? `${IMPORT_WORKFLOW} was written` : "nothing was written";
  return [
    `This is an Upptime repository${history}; ${state}. To move it with its past:`,
    ...stepLines([
      [formatCommand("import upptime --dry-run"), "shows what changes, and what is imported"],
      [formatCommand("import upptime"), "writes it; then commit and push"],
    ]),
    ...isAtTop
      ? ["Or without a terminal: push the workflow, and run Actions > Import CI > Run workflow."]
      : [],
  ].join("\n");
}

function written({ files }: FirstSteps): string[] {
  const of = (wanted: FirstFile["fate"]) =>
    files.filter(({ fate }) => fate === wanted).map(({ path }) => path);
  const [fresh, added, kept] = [of("new"), of("added to"), of("kept")];
  return [
    ...fresh.length === 0 ? [] : [`Wrote ${listNames(fresh)}.`],
    ...added.length === 0 ? [] : [`Added what was missing to ${listNames(added)}.`],
    ...kept.length === 0
      ? []
      : [`Left ${listNames(kept)} as ${kept.length === 1 ? "it is" : "they are"}.`],
  ];
}

/** Lists names of files, and only counts workflows and issue forms if they are several. */
function listNames(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, dirname);
  return joinNames(
    [...folders].flatMap(([folder, inside]) => {
      const { length } = inside;
      if (folder === WORKFLOW_FOLDER && length > 2) return [count(length, "workflow")];
      return folder === FORM_FOLDER && length > 1 ? [count(length, "issue form")] : inside;
    }),
  );
}

/** A step to take, as it is typed, and what it does. */
type Step = readonly [typed: string, what: string];

function planSteps(
  { config, isUnusual, isExample, needsGit, site, secrets, upptimeRecords, files }: FirstSteps,
): Step[] {
  const usual = isUnusual ? ` --config ${shellWord(config)}` : "";
  const update: Step = upptimeRecords === 0
    ? [formatCommand(`update${usual}`), "checks all sites and records the results"]
    : [formatCommand("import upptime"), "imports the history"];
  const repository: Step[] = [
    ["git init", "makes this folder a repository"],
    [`git remote add origin ${REMOTE}`, "names its empty repository on GitHub: use your own"],
  ];
  return [
    ...needsGit ? repository : [],
    ...isExample ? [[`edit ${config}`, "nothing is checked until then"] satisfies Step] : [],
    ...site === undefined ? [] : [
      [formatCommand(`check ${shellWord(site)}${usual}`), "checks this site once"] satisfies Step,
    ],
    [formatCommand(`validate${usual}`), "shows what is checked, how often, and the cost"],
    ...isExample ? [] : [update],
    ...files.length > 1
      ? listNextSteps(files, { upptimeRecords, isExample })
      : [[`git add ${shellWord(config)}`, "then commit, so that the job finds it"] satisfies Step],
    ...secrets.map((name): Step => [formatCommand(`set-secret ${name}`), "saves it as a secret"]),
    ...files.length > 1
      ? [[formatCommand("doctor"), "reports what is missing and how to fix it"] satisfies Step]
      : [],
  ];
}

const REMOTE = "https://github.com/OWNER/REPOSITORY.git";

/** Renders steps with what they do behind them, or below those that are long. */
function stepLines(steps: readonly Step[]): string[] {
  const widest = Math.min(WIDEST_STEP, formatCommand("").length + LONGEST_WORDS);
  const width = Math.min(widest, Math.max(...steps.map(([step]) => textWidth(step))));
  return steps.flatMap(([step, what]) =>
    textWidth(step) > width
      ? [`  ${step}`, `    ${what}`]
      : [`  ${step}${" ".repeat(width - textWidth(step))}  ${what}`]
  );
}

function listNextSteps(
  files: FirstSteps["files"],
  { upptimeRecords, isExample }: Pick<FirstSteps, "upptimeRecords" | "isExample">,
): Step[] {
  const hasWorkflows = files.some(({ path }) => path.startsWith(`${WORKFLOW_FOLDER}/`));
  const push = upptimeRecords > 0
    ? "then commit and push, after the import"
    : "then commit and push: Setup CI does the rest";
  return [
    ...upptimeRecords > 0 || isExample
      ? []
      : [[formatCommand("serve"), "shows the status page on this machine"] satisfies Step],
    [
      "git add --all",
      hasWorkflows ? push : "then commit; workflows need the top of a repository",
    ],
  ];
}

/** Columns that a step may take before the words behind it are no longer aligned, and those of its own words. */
const [WIDEST_STEP, LONGEST_WORDS] = [44, 20];
