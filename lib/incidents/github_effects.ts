import { type GitHub, GitHubError } from "../github/github.ts";
import {
  EffectError,
  type EffectHandler,
  type PlannedEffect,
  type Receipt,
} from "../outbox/effect.ts";

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
