import * as v from "valibot";
import { type GitHub, GitHubError } from "../github/github.ts";
import {
  type Effect,
  EffectError,
  type EffectHandler,
  type PlannedEffect,
  type Receipt,
} from "../outbox/effect.ts";
import { WORKFLOW_KEYS, WORKFLOWS } from "../config/workflows.ts";
import type { Entry } from "../outbox/outbox.ts";
import { formatTime } from "../time.ts";

const OBSTACLE = "a token (HOST_PAT or GITHUB_TOKEN) and a repository of GitHub";

/** Creates a handler of effects on GitHub; without a client they wait for a run that has one. */
export function createGitHubHandler(
  github: GitHub | undefined,
  execute: (
    github: GitHub,
    effect: PlannedEffect,
    before: readonly Receipt[],
  ) => Promise<Receipt>,
): EffectHandler {
  return {
    findObstacle: () => github === undefined ? OBSTACLE : undefined,
    async execute(effect, before) {
      if (github === undefined) throw new EffectError(OBSTACLE, { kind: "misconfigured" });
      try {
        return await execute(github, effect, before);
      } catch (error) {
        if (!(error instanceof GitHubError)) throw error;
        const { message, kind, retryAfter } = error;
        throw new EffectError(message, { kind, retryAfter, cause: error });
      }
    },
  };
}

export function unknownEffect(): EffectError {
  return new EffectError("Cannot read what another version of the program planned", {
    kind: "permanent",
  });
}

const REACTION_EFFECT = v.object({
  comment: v.number(),
  answer: v.picklist(["+1", "confused"]),
});

/** Plans the answer to a command in a comment: 👍 if it was done, 😕 if not. */
export function planReaction(
  { comment, issue, isDone, subject = String(comment) }: {
    comment: number;
    issue: number;
    isDone: boolean;
    /** Identifies what is answered once. @default The comment */
    subject?: string;
  },
): Effect {
  const data: v.InferOutput<typeof REACTION_EFFECT> = {
    comment,
    answer: isDone ? "+1" : "confused",
  };
  return {
    id: `reaction/${subject}`,
    handler: "reaction",
    description: `answer a command in issue #${issue}`,
    data,
  };
}

export function createReactionHandler(github: GitHub | undefined): EffectHandler {
  return createGitHubHandler(github, async (github, { data }): Promise<Receipt> => {
    const { success, output } = v.safeParse(REACTION_EFFECT, data);
    if (!success) throw unknownEffect();
    await github.react(output.comment, output.answer);
    return {};
  });
}

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

/** Their events. */
export const SHOWING_EVENTS = SHOWING.map(({ event }) => event);

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
