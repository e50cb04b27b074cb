/** A program that carries out one effect on the platform, as a process that can be killed. */
import { systemClock } from "../../lib/io/clock.ts";
import { announcementCarrier } from "../../lib/incidents/maintenance/announcement_carrier.ts";
import type { Effect } from "../../lib/outbox/effect.ts";
import type { FoundPlatform } from "./incident_life.ts";
import { openedPlatform } from "./opened_platform.ts";
import { output, type ProgramResult, spawnModule } from "./program.ts";

/** Carries out an effect in a process of its own group; `spawned` is told its id, so that it can be killed. */
export function announcementProcess(
  { url, repository, token }: FoundPlatform,
  effect: Effect,
  spawned: (pid: number) => void,
): Promise<ProgramResult> {
  const child = spawnModule(import.meta.filename!, {
    platform: { url, repository, token },
    effect,
  });
  spawned(child.pid);
  return output(child);
}

if (import.meta.main) {
  const { platform, effect }: { platform: FoundPlatform; effect: Effect } = JSON.parse(
    Deno.args[0]!,
  );
  const carrier = announcementCarrier({ platform: openedPlatform(platform), clock: systemClock });
  await carrier.carry({ ...effect, planned: systemClock.now() }, []);
}
