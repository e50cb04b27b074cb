import { KEEP_SLOTS, putTogether, runnerLine, takeApart } from "./kept_lines.ts";
import { lineDifference } from "./line_difference.ts";

/**
 * Outcome for a workflow file. One that was `edited` outside of `runs-on` and of kept lines, and one that
 * somebody else has made (`foreign`), stay as they are unless they are to be `replaced`.
 */
export type WorkflowFate = "new" | "updated" | "replaced" | "same" | "edited" | "foreign";

/** A workflow of the repository, and what becomes of it. */
export interface PlannedWorkflow {
  path: string;
  fate: WorkflowFate;
  /** The text as the program makes it, with the lines that are kept. */
  text: string;
  /** Lines that the file lacks (`+`) and has beyond that (`-`), where none are kept. */
  difference: readonly string[];
}

/** The line of `runs-on` where the configuration names no runner. */
const USUAL_RUNNER = "    runs-on: ubuntu-latest";

/** Fates of files that are written. */
const WRITTEN: readonly WorkflowFate[] = ["new", "updated", "replaced"];

/** Whether a workflow is written. */
export function isWritten({ fate }: PlannedWorkflow): boolean {
  return WRITTEN.includes(fate);
}

/** What becomes of workflows, given those that are there; `force` replaces what people have changed. */
export function planWorkflows(
  made: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
  { force }: { force: boolean },
): PlannedWorkflow[] {
  return [...made].map(([path, fresh]): PlannedWorkflow => {
    const before = present.get(path);
    if (before === undefined) return { path, fate: "new", text: fresh, difference: [] };
    const { state, kept, runner, rest } = takeApart(before, [runnerLine(fresh), USUAL_RUNNER]);
    const text = putTogether(fresh, kept, runner);
    if (text === before) return { path, fate: "same", text, difference: [] };
    const slots: readonly string[] = KEEP_SLOTS;
    const losesNothing = [...kept].every(([slot, lines]) =>
      lines.length === 0 || slots.includes(slot)
    );
    const difference = lineDifference(rest, takeApart(text).rest);
    if (state === "as made" && losesNothing) return { path, fate: "updated", text, difference };
    if (force) return { path, fate: "replaced", text, difference };
    return { path, fate: state === "foreign" ? "foreign" : "edited", text, difference };
  });
}
