import { isDeepStrictEqual } from "node:util";
import { isMap } from "../config/document.ts";
import { WORKFLOW_KEYS, type WorkflowKey, workflowPath } from "../config/workflows.ts";
import { findKeys } from "../config/yaml/positions.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import { hasDigest, splitWorkflow } from "./workflow_files.ts";

/** A workflow in which only `runs-on` of jobs was changed by hand. */
interface RunnerEdit {
  path: string;
  key: WorkflowKey;
  /** Of a changed job. */
  labels: readonly string[];
}

/** Finds the present workflows in which nothing but `runs-on` differs from what was generated. */
export async function findRunnerEdits(
  made: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): Promise<RunnerEdit[]> {
  const usual = [...made.values(), ...present.values()].flatMap((text) =>
    [...text.matchAll(/^ {4}runs-on: (.*?)\r?$/gm)].map(([, value]) => value!)
  );
  const values = [...new Set([...usual, "ubuntu-latest"])];
  const edits: RunnerEdit[] = [];
  for (const key of WORKFLOW_KEYS) {
    const path = workflowPath(key);
    const split = splitWorkflow(present.get(path) ?? "");
    if (split.state !== "changed") continue;
    const runners = await readRunners(split.rest);
    const jobs = Object.keys(runners);
    const places = findKeys(split.rest, jobs.map((job) => ["jobs", job, "runs-on"]));
    const restore = (
      index: number,
      changed: readonly number[],
      text: string,
    ): number[] | undefined => {
      if (index < 0) return changed.length > 0 && hasDigest(split, text) ? [...changed] : undefined;
      const place = places[index];
      if (place === undefined) return undefined;
      const start = text.lastIndexOf("\n", place.start) + 1;
      const rest = text.slice(place.end).replace(/^.*/, "");
      // From the last job on, so that the places of those before stay.
      return restore(index - 1, changed, text) ??
        values.map((value) =>
          restore(
            index - 1,
            [index, ...changed],
            `${text.slice(0, start)}    runs-on: ${value}${rest}`,
          )
        ).find((found) => found !== undefined);
    };
    const [first] = restore(jobs.length - 1, [], split.rest) ?? [];
    if (first === undefined) continue;
    const labels = toLabels(runners[jobs[first]!]);
    // The configuration has no groups.
    if (labels !== undefined) edits.push({ path, key, labels });
  }
  return edits;
}

/** True if all jobs of two texts of a workflow have the same runners. */
export async function hasSameRunners(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map(async (text) =>
      Object.entries(await readRunners(text)).map(([job, value]) => [job, toLabels(value)])
    ),
  );
  return isDeepStrictEqual(first, second);
}

/** Values of `runs-on` by job. */
async function readRunners(text: string): Promise<Record<string, unknown>> {
  const { document } = await readYaml(text);
  const jobs = isMap(document) && isMap(document["jobs"]) ? document["jobs"] : {};
  return Object.fromEntries(
    Object.entries(jobs).flatMap(([job, own]) => isMap(own) ? [[job, own["runs-on"]]] : []),
  );
}

function toLabels(value: unknown): string[] | undefined {
  const labels = [value].flat();
  return labels.length > 0 && labels.every((label) => typeof label === "string")
    ? labels
    : undefined;
}
