import { dirname } from "node:path/posix";
import { textWidth } from "../../lib/text/columns.ts";
import type { FirstFile } from "../../lib/setup/first_files.ts";
import { WORKFLOW_FOLDER } from "../../lib/config/workflows.ts";
import { count } from "../words.ts";

/** What was done for a new repository. */
export interface FirstSteps {
  /** Name of the configuration's file. */
  config: string;
  /** Whether that is not the usual one. */
  isUnusual: boolean;
  /** Name of the first site; absent where there is none. */
  site?: string;
  /** Number of sites whose history Upptime recorded; 0 outside of a repository that comes from it. */
  upptimeRecords: number;
  files: readonly Pick<FirstFile, "path" | "fate">[];
}

/** What was written, and what to do with it. */
export function firstSteps(done: FirstSteps): string {
  return [...written(done), "Next:", ...steps(done)].join("\n");
}

function written({ files }: FirstSteps): string[] {
  const of = (wanted: FirstFile["fate"]) =>
    files.filter(({ fate }) => fate === wanted).map(({ path }) => path);
  const [fresh, added, kept] = [of("new"), of("added to"), of("kept")];
  return [
    ...fresh.length === 0 ? [] : [`Wrote ${listed(fresh)}.`],
    ...added.length === 0 ? [] : [`Added what was missing to ${listed(added)}.`],
    ...kept.length === 0
      ? []
      : [`Left ${listed(kept)} as ${kept.length === 1 ? "it is" : "they are"}.`],
  ];
}

/** Names of files; those of a folder that has many are counted. */
function listed(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, dirname);
  const names = [...folders].flatMap(([folder, inside]) =>
    folder === "." || inside.length < 3 ? inside : [`${count(inside.length, "file")} in ${folder}/`]
  );
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A step to take, as it is typed, and what it does. */
type Step = readonly [typed: string, what: string];

function steps({ config, isUnusual, site, upptimeRecords, files }: FirstSteps): string[] {
  const usual = isUnusual ? ` --config ${shellWord(config)}` : "";
  const look: Step[] = site === undefined
    ? []
    : [[`check ${shellWord(site)}${usual}`, "looks at it once, and writes nothing"]];
  const rows: Step[] = [
    ...look,
    [`validate${usual}`, "says what would be monitored, how often, and what that costs"],
    upptimeRecords === 0
      ? [`update${usual}`, "checks everything and keeps the history"]
      : [`update --fresh${usual}`, freshStart(upptimeRecords)],
    ...files.length > 1 ? stepsWith(files, upptimeRecords) : stepsAlone(config),
  ];
  const width = Math.min(WIDEST_STEP, Math.max(...rows.map(([step]) => textWidth(step))));
  return rows.map(([step, what]) =>
    `  ${step}${" ".repeat(Math.max(0, width - textWidth(step)))}  ${what}`
  );
}

function freshStart(records: number): string {
  return `starts without the past that Upptime recorded of ${
    count(records, "site")
  }; its files stay in place, and until then every command that writes stops`;
}

/** Steps after all files were written. */
function stepsWith(files: FirstSteps["files"], upptimeRecords: number): Step[] {
  const hasWorkflows = files.some(({ path }) => path.startsWith(`${WORKFLOW_FOLDER}/`));
  const push = upptimeRecords > 0
    ? "and commit and push it, after the fresh start: without one, Setup CI stops"
    : "and commit and push it: Setup CI does the rest on GitHub";
  return [
    ...upptimeRecords > 0
      ? []
      : [["serve", "shows the status page on this machine"] satisfies Step],
    [
      "git add --all",
      hasWorkflows ? push : "and commit it; workflows there are only at the top of a repository",
    ],
    ["doctor", "says what is still missing there, and how to put it right"],
  ];
}

/** What to do where nothing but a configuration was written. */
function stepsAlone(config: string): Step[] {
  return [[`git add ${shellWord(config)}`, "and commit it, so that the scheduled job finds it"]];
}

/** Columns that a step may take before the words behind it are no longer aligned. */
const WIDEST_STEP = 30;

/** A text as one word of a shell that means nothing but itself. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
