import { UsageError } from "../lib/arguments.ts";
import { homePage } from "../lib/config/home_page.ts";
import { nearest } from "../lib/config/keys/unknown_key.ts";
import { loadConfigIfAny } from "../lib/config/load.ts";
import type { Command, Context } from "../lib/context.ts";
import { DISPATCH_EVENTS, type DispatchEvent } from "../lib/dispatch/events.ts";
import { surroundingsOf } from "../lib/doors/git/repository.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import { reachPlatform } from "../lib/reach_platform.ts";
import { userAgent } from "../lib/user_agent.ts";
import { dispatchJson, dispatchLine } from "../templates/terminal/dispatch_report.ts";

/** Starts the workflow that listens to an event of the repository. */
export const dispatch: Command = async (context) => {
  const { root, environment, words, dryRun, json, log } = context;
  const event = eventNamed(words);
  // A repository can be named without a configuration.
  const [loaded, { origin }] = await Promise.all([
    loadConfigIfAny(folderWorkspace(root), root, context.config),
    surroundingsOf(root),
  ]);
  const { config } = loaded ?? {};
  const agent = userAgent(homePage(config ?? {}, environment, origin));
  const platform = reachPlatform({ config, origin, userAgent: agent }, context);
  if (platform === undefined) throw new UsageError(`Cannot start a workflow: ${missing(context)}`);
  const { repository } = platform;
  if (!dryRun) await platform.dispatch(event);
  log.line(dispatchLine({ event, repository, dryRun }));
  if (json) log.data(dispatchJson({ event, repository, dryRun }));
  return 0;
};

function eventNamed(words: readonly string[]): DispatchEvent {
  const [word = "", ...others] = words;
  const event = DISPATCH_EVENTS.find((one) => one === word.replaceAll("-", "_"));
  if (event !== undefined && others.length === 0) return event;
  const near = nearest(words.join("_"), DISPATCH_EVENTS);
  const found = words.length === 0 ? "an event is missing" : `"${words.join(" ")}" is no event`;
  const hint = near === undefined ? "" : `, did you mean "${near}"?`;
  throw new UsageError(
    `Cannot start a workflow: ${found}${hint} (the events are ${DISPATCH_EVENTS.join(", ")})`,
  );
}

function missing({ environment }: Context): string {
  return environment.token === undefined
    ? "there is no token; set HOST_PAT or GITHUB_TOKEN"
    : "nothing tells which repository it is; set GITHUB_REPOSITORY to owner/name, or owner and repo in .monitorrc.yml";
}
