import { UsageError } from "../lib/text/arguments.ts";
import { nearHint } from "../lib/text/nearest.ts";
import { loadConfigIfAny } from "../lib/config/load.ts";
import type { Command } from "./shared/context.ts";
import { DISPATCH_EVENTS, type DispatchEvent } from "../lib/incidents/github_effects.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { reachGitHub, whyNoGitHub } from "./shared/reach_github.ts";

export const dispatch: Command = async (context) => {
  const { root, environment, words, json, log } = context;
  const event = parseEvent(words);
  // A repository can be named without a configuration.
  const loaded = await loadConfigIfAny(folderWorkspace(root), context);
  const { remoteUrl } = await readRepositoryInfo(root);
  const github = reachGitHub({ config: loaded?.config, remoteUrl }, context);
  if (github === undefined) {
    throw new UsageError(`Cannot start a workflow: ${whyNoGitHub(environment)}`);
  }
  const { repository } = github;
  await github.dispatch(event);
  log.line(`Started the workflow for ${event} in ${repository}.`);
  if (json) log.data({ event, repository, sent: true });
  return 0;
};

function parseEvent(words: readonly string[]): DispatchEvent {
  const [word = "", ...others] = words;
  const event = DISPATCH_EVENTS.find((one) => one === word.replaceAll("-", "_"));
  if (event !== undefined && others.length === 0) return event;
  const found = words.length === 0 ? "an event is missing" : `"${words.join(" ")}" is not an event`;
  const hint = nearHint(words.join("_"), DISPATCH_EVENTS);
  throw new UsageError(
    `Cannot start a workflow: ${found}${hint} (the events are ${DISPATCH_EVENTS.join(", ")})`,
  );
}
