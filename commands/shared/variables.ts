import type { ReadVariable } from "../../lib/checks/observation.ts";
import type { Config } from "../../lib/config/config.ts";
import { DISPATCH_VARIABLE } from "../../lib/config/checks/heartbeat.ts";
import {
  MinutelyVariables,
  openRepositoryVariables,
} from "../../lib/github/repository_variables.ts";
import type { Context } from "./context.ts";
import { githubOptions, whyNoGitHub } from "./reach_github.ts";

/**
 * Opens the variables with beats: those that a workflow passes are in the environment, others are requested from
 * GitHub.
 */
export function openVariables(
  sources: { config: Config; remoteUrl?: string },
  context: Pick<Context, "environment" | "clock" | "log">,
): ReadVariable {
  const { environment, clock } = context;
  const options = githubOptions(sources, context);
  const variables = options && new MinutelyVariables(openRepositoryVariables(options), clock);
  return async (name) => {
    const passed = environment.readBeats(name);
    if (passed !== undefined || environment.onGitHub || name === DISPATCH_VARIABLE) return passed;
    if (variables === undefined) {
      throw new Error(`the variable ${name} can't be read: ${whyNoGitHub(environment)}`);
    }
    return await variables.read(name);
  };
}
