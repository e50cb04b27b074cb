/** A program that executes one effect on GitHub, as a process that can be killed. */
import { systemClock } from "../../lib/io/clock.ts";
import { createAnnouncementHandler } from "../../lib/incidents/maintenance/close_announcement.ts";
import type { Effect } from "../../lib/outbox/effect.ts";
import type { FoundGitHub } from "./incident_life.ts";
import { openedGitHub } from "./opened_github.ts";
import { output, type ProgramResult, spawnModule } from "./program.ts";

/** Executes an effect in a process group of its own; `spawned` gets its id, so that it can be killed. */
export function announcementProcess(
  { url, repository, token }: FoundGitHub,
  effect: Effect,
  spawned: (pid: number) => void,
): Promise<ProgramResult> {
  const child = spawnModule(import.meta.filename!, { github: { url, repository, token }, effect });
  spawned(child.pid);
  return output(child);
}

if (import.meta.main) {
  const { github, effect }: { github: FoundGitHub; effect: Effect } = JSON.parse(Deno.args[0]!);
  const handler = createAnnouncementHandler(openedGitHub(github), { clock: systemClock });
  await handler.execute({ ...effect, planned: systemClock.now() }, []);
}
