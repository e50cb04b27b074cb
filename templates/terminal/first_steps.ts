import { WORKFLOW_FOLDER } from "../../lib/config/workflows.ts";
import type { FirstFile } from "../../lib/setup/first_files.ts";
import { textWidth } from "../../lib/text/columns.ts";
import { count } from "../words.ts";
import { dirname } from "node:path/posix";

interface FirstSteps {
  /** Name of the configuration's file. */
  config: string;
  isUnusual: boolean;
  /** Name of the first site; absent if there is none. */
  site?: string;
  /** Number of sites whose history Upptime recorded; 0 outside of a repository that comes from it. */
  upptimeRecords: number;
  files: readonly Pick<FirstFile, "path" | "fate">[];
}

export function firstSteps(done: FirstSteps): string {
  return [...written(done), "Next:", ...planSteps(done)].join("\n");
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

/** Lists names of files, and only counts those of a folder that has many. */
function listNames(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, dirname);
  const names = [...folders].flatMap(([folder, inside]) =>
    folder === "." || inside.length < 3 ? inside : [`${count(inside.length, "file")} in ${folder}/`]
  );
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A step to take, as it is typed, and what it does. */
type Step = readonly [typed: string, what: string];

function planSteps({ config, isUnusual, site, upptimeRecords, files }: FirstSteps): string[] {
  const usual = isUnusual ? ` --config ${shellWord(config)}` : "";
  const look: Step[] = site === undefined
    ? []
    : [[`check ${shellWord(site)}${usual}`, "checks it once and writes nothing"]];
  const rows: Step[] = [
    ...look,
    [`validate${usual}`, "shows what would be monitored, how often, and at what cost"],
    upptimeRecords === 0
      ? [`update${usual}`, "checks everything and records the history"]
      : [`update --fresh${usual}`, freshStart(upptimeRecords)],
    ...files.length > 1 ? listNextSteps(files, upptimeRecords) : stepsAlone(config),
  ];
  const width = Math.min(WIDEST_STEP, Math.max(...rows.map(([step]) => textWidth(step))));
  return rows.map(([step, what]) =>
    `  ${step}${" ".repeat(Math.max(0, width - textWidth(step)))}  ${what}`
  );
}

function freshStart(records: number): string {
  return `starts a new history without what Upptime recorded of ${
    count(records, "site")
  }; its files stay, and until then every command that writes stops`;
}

/** Lists the steps after all files were written. */
function listNextSteps(files: FirstSteps["files"], upptimeRecords: number): Step[] {
  const hasWorkflows = files.some(({ path }) => path.startsWith(`${WORKFLOW_FOLDER}/`));
  const push = upptimeRecords > 0
    ? "then commit and push, after the fresh start: without it, Setup CI stops"
    : "then commit and push: Setup CI does the rest on GitHub";
  return [
    ...upptimeRecords > 0
      ? []
      : [["serve", "shows the status page on this machine"] satisfies Step],
    [
      "git add --all",
      hasWorkflows ? push : "then commit; workflows only work at the top of a repository",
    ],
    ["doctor", "reports what is still missing and how to fix it"],
  ];
}

function stepsAlone(config: string): Step[] {
  return [[`git add ${shellWord(config)}`, "then commit, so that the scheduled job finds it"]];
}

/** Columns that a step may take before the words behind it are no longer aligned. */
const WIDEST_STEP = 30;

/** Quotes a text as one word of a shell that means nothing but itself. */
function shellWord(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
