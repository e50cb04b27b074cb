import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { OtherActions } from "./job.ts";
import type { StepResult } from "./script.ts";

/** Characters that no name of an artifact may have. */
const FORBIDDEN = /[":<>|*?\\/\r\n]/;

/**
 * The artifacts of one run and its repeated attempts, in a folder: what upload-artifact and download-artifact do
 * with them, immutable names, hidden files and silent overwriting included.
 */
export class Artifacts {
  /** True if the quota is used up, so that every upload fails. */
  isFull = false;
  /** True if no download works. */
  isUnreachable = false;
  /** Names, in the order of their uploads. */
  readonly names: string[] = [];

  constructor(readonly folder: string) {}

  /** The two actions, by `owner/name`. */
  get actions(): OtherActions {
    return {
      "actions/upload-artifact": (inputs, workspace) => this.#upload(inputs, workspace),
      "actions/download-artifact": (inputs, workspace) => this.#download(inputs, workspace),
    };
  }

  async #upload(inputs: Record<string, string>, workspace: string): Promise<StepResult> {
    const { name = "artifact", path = "", "if-no-files-found": missing = "warn" } = inputs;
    if (this.isFull) return failed("Artifact storage quota has been hit.");
    if (FORBIDDEN.test(name)) return failed(`The artifact name is not valid: ${name}`);
    const source = join(workspace, path);
    const info = await Deno.stat(source).catch(() => undefined);
    const isHidden = (file: string) => basename(file).startsWith(".");
    if (info === undefined || isHidden(source)) {
      return missing === "error" ? failed(`No files were found: ${path}`) : done("No files found");
    }
    if (this.names.includes(name)) {
      return failed("Conflict: an artifact with this name already exists on the workflow run");
    }
    this.names.push(name);
    const place = join(this.folder, name);
    await Deno.mkdir(place, { recursive: true });
    if (info.isFile) await Deno.copyFile(source, join(place, basename(source)));
    else {
      const filter = (file: string) => file === source || !isHidden(file);
      await cp(source, place, { recursive: true, filter });
    }
    return done(`Uploaded ${name}`);
  }

  async #download(inputs: Record<string, string>, workspace: string): Promise<StepResult> {
    const { name, pattern, path = ".", "merge-multiple": merges } = inputs;
    if (this.isUnreachable) return failed("Unable to list artifacts: Failed request");
    const wanted = name === undefined ? toPattern(pattern ?? "*") : undefined;
    const chosen = this.names.filter((one) => wanted?.test(one) ?? one === name);
    if (name !== undefined && chosen.length === 0) return failed(`Artifact not found: ${name}`);
    // GitHub promises no order: here the oldest comes last, and so overwrites the others.
    for (const one of chosen.toReversed()) {
      const isApart = name === undefined && merges !== "true";
      const target = join(workspace, path, isApart ? one : "");
      await Deno.mkdir(dirname(target), { recursive: true });
      await cp(join(this.folder, one), target, { recursive: true, force: true });
    }
    return done(`Downloaded ${chosen.length} artifacts`);
  }
}

/** A pattern with stars as a regular expression. */
function toPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`);
}

function done(stdout: string): StepResult {
  return { code: 0, outputs: {}, summary: "", stdout };
}

function failed(why: string): StepResult {
  return { ...done(`::error::${why}`), code: 1 };
}
