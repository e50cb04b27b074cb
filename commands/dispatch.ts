import { UsageError } from "../lib/text/arguments.ts";
import { nearHint } from "../lib/text/nearest.ts";
import { loadConfigIfAny } from "../lib/config/load.ts";
import type { Command } from "./shared/context.ts";
import { DISPATCH_EVENTS, type DispatchEvent } from "../lib/incidents/dispatches.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { reachGitHub, whyNoGitHub } from "./shared/reach_github.ts";
import { dispatchJson, dispatchLine } from "../templates/terminal/results.ts";

/** Starts the workflow that listens to an event of the repository. */
export const dispatch: Command = async (context) => {
  const { root, environment, words, dryRun, json, log } = context;
  const event = eventNamed(words);
  // A repository can be named without a configuration.
  const [loaded, { remoteUrl }] = await Promise.all([
    loadConfigIfAny(folderWorkspace(root), context),
    readRepositoryInfo(root),
  ]);
  const { config } = loaded ?? {};
  const github = reachGitHub({ config, remoteUrl }, context);
  if (github === undefined) {
    throw new UsageError(`Cannot start a workflow: ${whyNoGitHub(environment)}`);
  }
  const { repository } = github;
  if (!dryRun) await github.dispatch(event);
  log.line(dispatchLine({ event, repository, dryRun }));
  if (json) log.data(dispatchJson({ event, repository, dryRun }));
  return 0;
};

function eventNamed(words: readonly string[]): DispatchEvent {
  const [word = "", ...others] = words;
  const event = DISPATCH_EVENTS.find((one) => one === word.replaceAll("-", "_"));
  if (event !== undefined && others.length === 0) return event;
  const found = words.length === 0 ? "an event is missing" : `"${words.join(" ")}" is no event`;
  const hint = nearHint(words.join("_"), DISPATCH_EVENTS);
  throw new UsageError(
    `Cannot start a workflow: ${found}${hint} (the events are ${DISPATCH_EVENTS.join(", ")})`,
  );
}
