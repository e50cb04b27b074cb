import type { GitHub } from "../github/github.ts";
import { WORKFLOW_KEYS, WORKFLOWS } from "../config/workflows.ts";
import type { Effect, EffectHandler } from "../outbox/effect.ts";
import type { Entry } from "../outbox/outbox.ts";
import { formatTime } from "../time.ts";
import { createGitHubHandler } from "./github_effects.ts";

export type DispatchEvent = typeof WORKFLOWS[keyof typeof WORKFLOWS]["event"];

/** The events of a repository that start its workflows, as each workflow listens to one of them. */
export const DISPATCH_EVENTS: readonly DispatchEvent[] = WORKFLOW_KEYS.map((key) =>
  WORKFLOWS[key].event
);

/** Workflows that show how sites are, and the least minutes between two starts of each. */
const SHOWING: readonly { event: DispatchEvent; minutes: number }[] = [
  { event: "static_site", minutes: 10 },
  { event: "summary", minutes: 0 },
];

/**
 * The workflows to start because sites changed. One that still waits to be started will see this change
 * too; one that was started a moment ago is started again when its time has come.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const time = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const effects = planDispatches([], time);
 * assertEquals(effects.map(({ description }) => description), ["start the workflow for static_site", "start the workflow for summary"]);
 * const waiting = effects.map((effect) => ({ ...effect, planned: time }));
 * assertEquals(planDispatches(waiting, time.add({ minutes: 5 })), []);
 * ```
 */
export function planDispatches(outbox: readonly Entry[], time: Temporal.Instant): Effect[] {
  return SHOWING.flatMap(({ event, minutes }) => {
    const own = outbox.filter(({ handler, queue }) => handler === "dispatch" && queue === event);
    if (own.some(({ claim, done }) => claim === undefined && done === undefined)) return [];
    const last = own.map(({ planned, done }) => done?.at ?? planned)
      .sort(Temporal.Instant.compare).at(-1);
    // A wrong clock may have noted a later time than now.
    const from = last === undefined || Temporal.Instant.compare(time, last) < 0 ? time : last;
    const next = from.add({ minutes });
    const isEarly = last !== undefined && Temporal.Instant.compare(time, next) < 0;
    return [{
      id: `dispatch/${event}@${formatTime(time)}`,
      handler: "dispatch",
      queue: event,
      description: `start the workflow for ${event}`,
      data: { event },
      ...isEarly ? { notBefore: next } : {},
    }];
  });
}

export function createDispatchHandler(github: GitHub | undefined): EffectHandler {
  return createGitHubHandler(github, async (github, { data }) => {
    await github.dispatch(String(data["event"]));
    return {};
  });
}
