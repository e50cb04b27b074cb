/** A program that makes one run on the incidents of a clone, as a process that can be killed. */
import { killOwnGroup } from "./git_wrapper.ts";
import { type FoundGitHub, IncidentLife, type Observed } from "./incident_life.ts";
import { output, type ProgramResult, spawnModule } from "./program.ts";

/** A run of its own process. */
export interface IncidentRun {
  github: FoundGitHub;
  folder: string;
  /** When it runs, ISO 8601. */
  time: string;
  observed: Observed;
  /** True if it is killed after all effects are executed, and before that is noted. */
  isKilledBeforeNoting?: boolean;
}

/** Runs as a process in a group of its own; `spawned` gets its id, so that it can be killed. */
export function incidentProcess(
  { github: { url, repository, token }, ...run }: IncidentRun,
  spawned: (pid: number) => void,
): Promise<ProgramResult> {
  const given = { ...run, github: { url, repository, token } };
  const child = spawnModule(import.meta.filename!, given);
  spawned(child.pid);
  return output(child);
}

/** Kills a process with all that it started; it may have ended this very moment. */
export function killGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

if (import.meta.main) {
  const run: IncidentRun = JSON.parse(Deno.args[0]!);
  const life = await IncidentLife.inClone(run.github, run.folder);
  life.now = Temporal.Instant.from(run.time);
  await life.run(0, run.observed, {
    async beforeNoting() {
      if (run.isKilledBeforeNoting) await killOwnGroup();
    },
  });
}
