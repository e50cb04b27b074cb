import { createHash } from "node:crypto";
import {
  ANNOUNCE,
  IMPORT_WORKFLOW,
  isLocationWorkflow,
  type Workflow,
  WORKFLOW_FOLDER,
  WORKFLOW_KEYS,
  workflowPath,
  WORKFLOWS,
} from "../config/workflows.ts";
import type { HistoryFiles, Snapshot } from "../history/store/store.ts";
import { isUpptimeWorkflow } from "../config/upptime/repository.ts";
import { countBytes } from "../text/plain_text.ts";

/** Places of a workflow for the user's own lines. */
export const KEEP_SLOTS = ["top", "on", "permissions", "job", "before", "after"] as const;

/** The same of the jobs that check for the deciding one. */
export const CHECK_SLOTS = [
  "check-permissions",
  "check-job",
  "check-before",
  "check-after",
] as const;

type KeepSlot = typeof KEEP_SLOTS[number] | typeof CHECK_SLOTS[number];

/** The user's lines by their place, with their indentation. */
type KeptLines = ReadonlyMap<string, readonly string[]>;

/** Placeholder for the digest of the generated lines in a workflow. */
export const MADE_LINE = "# monitor: made";
const MADE = /^# monitor: made(?: ([0-9a-f]{16}))?$/;
const KEEP_START = /^\s*# monitor: keep (\S+)\s*$/;
const KEEP_END = /^\s*# \/monitor: keep\s*$/;

/** The comments around the user's lines. */
export function keepLines(slot: KeepSlot): [start: string, end: string] {
  return [`# monitor: keep ${slot}`, "# /monitor: keep"];
}

interface SplitWorkflow {
  /** Changes in kept lines don't count as changed. */
  state: "as made" | "changed" | "foreign";
  kept: KeptLines;
  /** The generated lines without the digest. */
  rest: string;
  /** Absent if kept lines have no end or no place. */
  digest?: string;
}

/** Splits a workflow; lines may end as on Windows. */
export function splitWorkflow(text: string): SplitWorkflow {
  const kept = new Map<string, string[]>();
  const rest: string[] = [];
  let slot: string | undefined;
  let isSound = true;
  let digest: string | undefined;
  for (const line of text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n").split("\n")) {
    const started = KEEP_START.exec(line)?.[1];
    const made = MADE.exec(line);
    if (slot !== undefined && !KEEP_END.test(line)) {
      if (started !== undefined) isSound = false;
      kept.get(slot)!.push(line);
      continue;
    }
    if (started !== undefined) {
      if (kept.has(started)) isSound = false;
      kept.set(started, []);
    }
    slot = started;
    if (made === null) rest.push(line);
    else digest = made[1];
  }
  if (slot !== undefined) isSound = false;
  const whole = rest.join("\n");
  if (digest === undefined) return { state: "foreign", kept, rest: whole };
  const split = { kept, rest: whole, ...isSound ? { digest } : {} };
  return { state: hasDigest(split, whole) ? "as made" : "changed", ...split };
}

/** True if a text is the generated one of a workflow. */
export function hasDigest({ digest }: Pick<SplitWorkflow, "digest">, rest: string): boolean {
  return digest === computeDigest(rest);
}

export function joinWorkflow(made: string, kept: KeptLines = new Map()): string {
  const digest = computeDigest(splitWorkflow(made).rest);
  return made.split("\n").flatMap((line) => {
    const slot = KEEP_START.exec(line)?.[1] ?? "";
    return [line === MADE_LINE ? `${MADE_LINE} ${digest}` : line, ...kept.get(slot) ?? []];
  }).join("\n");
}

function computeDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/**
 * Outcome for a workflow file. One that the user `edited` outside of kept lines, and one that the program did not
 * generate (`foreign`), stay unless they are to be `replaced`. One that is no longer needed is `removed`.
 */
export type WorkflowFate =
  | "new"
  | "updated"
  | "replaced"
  | "removed"
  | "same"
  | "edited"
  | "foreign";

export interface PlannedWorkflow {
  path: string;
  fate: WorkflowFate;
  /** The generated text with the user's lines; empty if the file is no longer needed. */
  text: string;
  /** Lines that the present file lacks (`+`) or has in addition (`-`). */
  difference: readonly string[];
}

const WRITTEN: readonly WorkflowFate[] = ["new", "updated", "replaced", "removed"];

export function isWritten({ fate }: PlannedWorkflow): boolean {
  return WRITTEN.includes(fate);
}

/** The files that a plan changes, by paths; `null` removes one. */
export function listChanges(plan: readonly PlannedWorkflow[]): Map<string, string | null> {
  return new Map(
    plan.filter(isWritten).map(({ path, fate, text }) => [path, fate === "removed" ? null : text]),
  );
}

interface PlanOptions {
  /** Replaces edited workflows, and foreign ones other than those of `announce: true`. */
  force: boolean;
  /** Paths of those whose edits the generated ones contain. */
  taken?: readonly string[];
}

export function planWorkflows(
  made: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  { force, taken = [] }: PlanOptions,
): PlannedWorkflow[] {
  return [...made].map(([path, fresh]): PlannedWorkflow => {
    const before = present.get(path);
    if (before === undefined) return { path, fate: "new", text: fresh, difference: [] };
    const { state, kept, rest } = splitWorkflow(before);
    const text = joinWorkflow(fresh, kept);
    if (text === before) return { path, fate: "same", text, difference: [] };
    const slots = splitWorkflow(fresh).kept;
    const losesLines = [...kept].some(([slot, lines]) => lines.length > 0 && !slots.has(slot));
    const kind = state === "foreign" ? "foreign" : "edited";
    const isMade = state === "as made" || taken.includes(path);
    const isReplaced = force && !(state === "foreign" && isOptional(path));
    const fate = isMade && !losesLines ? "updated" : isReplaced ? "replaced" : kind;
    return { path, fate, text, difference: findDifference(rest, splitWorkflow(text).rest) };
  });
}

/**
 * Plans to remove generated workflows that are no longer needed, by path. One that contains lines of the user, or that
 * the user has `edited`, is removed only by `force`; one that the program did not generate is left alone.
 */
function planRemovals(
  present: ReadonlyMap<string, string>,
  { force }: { force: boolean },
): PlannedWorkflow[] {
  return [...present].flatMap(([path, before]): PlannedWorkflow[] => {
    const { state, kept } = splitWorkflow(before);
    if (state === "foreign") return [];
    const hasLines = [...kept.values()].some((lines) => lines.length > 0);
    const isOurs = state === "as made" && !hasLines;
    return [{ path, fate: isOurs || force ? "removed" : "edited", text: "", difference: [] }];
  });
}

/** Files that are generated with `announce: true` only. */
const OPTIONAL_FILES = [ANNOUNCE.path, ANNOUNCE.incidentForm, ANNOUNCE.maintenanceForm];

/** True for a file of `announce: true`; a foreign one of that name is never replaced. */
export function isOptional(path: string): boolean {
  return OPTIONAL_FILES.some((one) => one === path);
}

/** Plans all workflows: the generated ones, and the removal of those that are no longer needed. */
export async function planAllWorkflows(
  made: ReadonlyMap<string, string>,
  files: Pick<HistoryFiles, "read" | "list">,
  options: PlanOptions,
): Promise<PlannedWorkflow[]> {
  const ofLocations = (await files.list(WORKFLOW_FOLDER)).filter(isLocationWorkflow)
    .map((name) => `${WORKFLOW_FOLDER}/${name}`);
  const gone = [...ofLocations, ...OPTIONAL_FILES].filter((path) => !made.has(path));
  const [present, unneeded] = await Promise.all([files.read([...made.keys()]), files.read(gone)]);
  return [...planWorkflows(made, present, options), ...planRemovals(unneeded, options)];
}

/** Lines that only the first text has (`-`), then those that only the second has (`+`). */
function findDifference(before: string, after: string): string[] {
  const [old, made] = [before.split("\n"), after.split("\n")];
  const count = (lines: readonly string[], line: string) =>
    lines.filter((one) => one === line).length;
  const only = (lines: readonly string[], others: readonly string[]) =>
    lines.filter((line, index) => count(lines.slice(0, index + 1), line) > count(others, line));
  return [
    ...only(old, made).map((line) => `-${line}`),
    ...only(made, old).map((line) => `+${line}`),
  ];
}

export async function presentWorkflows(snapshot: Pick<Snapshot, "list">): Promise<Workflow[]> {
  const names = await snapshot.list(WORKFLOW_FOLDER);
  return Object.values(WORKFLOWS).filter(({ file }) => names.includes(file));
}

/** Paths of workflows that do the same as ours: Upptime's, and ours with the ending `.yaml`. */
export async function needlessWorkflows(snapshot: Pick<Snapshot, "read">): Promise<string[]> {
  const upptimes = ["update-template.yml", "updates.yml"].map((name) =>
    `${WORKFLOW_FOLDER}/${name}`
  );
  const twins = WORKFLOW_KEYS.map((key) => workflowPath(key).replace(/\.yml$/, ".yaml"));
  const texts = await snapshot.read([...upptimes, ...twins]);
  return [...texts].filter(([path, text]) => twins.includes(path) || isUpptimeWorkflow(text))
    .map(([path]) => path);
}

/** Longest workflow that GitHub reads, in bytes. */
const LONGEST = 500_000;

/** Explains which workflow is too long for GitHub; `undefined` if none is. */
export function findTooLong(made: ReadonlyMap<string, string>): string | undefined {
  for (const [path, text] of made) {
    const bytes = countBytes(text);
    if (bytes <= LONGEST) continue;
    const [size, most] = [bytes, LONGEST].map((one) => Math.ceil(one / 1000));
    return `Cannot make workflows: ${path} would have ${size} KB, and GitHub reads ${most}: ` +
      "use fewer locations, labels or secrets";
  }
  return undefined;
}

/** True if a remote refused a push because the token may not write workflows. */
export function lacksWorkflowScope(message: string): boolean {
  return /refusing to allow .*workflow|without .?workflows?.? (?:scope|permission)/i.test(message);
}

/** The workflows of a repository that moves here, by paths. */
export interface ImportedWorkflows {
  /** Whole texts; `null` removes a file. */
  files: Map<string, string | null>;
  /** Workflows that run a part of Upptime under a name of their own: they stay, and someone has to look at them. */
  foreign: string[];
  /** Upptime's workflows with steps of the owner's, which are replaced or removed as well. */
  edited: string[];
  /** The owner's files under a name that this program uses: they stay. */
  occupied: string[];
}

/** A step that is not in Upptime's workflows: a command, or another action than theirs. */
const OWN_STEP =
  /^\s*(?:-\s+)?(?:run:|uses:\s*["']?(?!upptime\/|[\w.-]+\/uptime-monitor@|actions\/checkout@|peaceiris\/actions-gh-pages@|benc-uk\/workflow-dispatch@|fscarmen\/warp-on-actions@)[\w.])/im;

const IMPORT_STEP = /^\s*command:\s*["']?import\b/m;

/**
 * Plans to replace Upptime's workflows: a file is Upptime's if it has one of its names and runs a part of it. Those
 * without a counterpart are removed, and so is the workflow that imports.
 */
export async function planImportedWorkflows(
  made: ReadonlyMap<string, string>,
  files: Pick<HistoryFiles, "read" | "list">,
): Promise<ImportedWorkflows> {
  const names = (await files.list(WORKFLOW_FOLDER)).filter((name) => /\.ya?ml$/.test(name));
  const paths = names.map((name) => `${WORKFLOW_FOLDER}/${name}`);
  const present = await files.read([...new Set([...paths, ...made.keys()])]);
  const own = new Map([...present].filter(([, text]) => !isUpptimeWorkflow(text)));
  const planned = planWorkflows(made, own, { force: false });
  const removed = (await needlessWorkflows(files)).filter((path) =>
    isUpptimeWorkflow(present.get(path)!)
  );
  const changes = new Map<string, string | null>([
    ...planned.filter(isWritten).map(({ path, text }) => [path, text] as const),
    ...removed.map((path) => [path, null] as const),
    ...IMPORT_STEP.test(present.get(IMPORT_WORKFLOW) ?? "")
      ? [[IMPORT_WORKFLOW, null] as const]
      : [],
  ]);
  return {
    files: changes,
    edited: [...present].filter(([path, text]) =>
      changes.has(path) && isUpptimeWorkflow(text) && OWN_STEP.test(text)
    ).map(([path]) => path),
    foreign: [...present].filter(([path, text]) => isUpptimeWorkflow(text) && !changes.has(path))
      .map(([path]) => path),
    occupied: planned.filter(({ fate }) => fate === "foreign").map(({ path }) => path),
  };
}
