import { UsageError } from "../lib/text/arguments.ts";
import { nearHint } from "../lib/text/nearest.ts";
import { loadConfig } from "../lib/config/load.ts";
import type { Command } from "./shared/context.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { listMaintenance } from "./maintenance/list.ts";
import { type MaintenanceWork, startMaintenance, stopMaintenance } from "./maintenance/by_hand.ts";

const ACTIONS: Readonly<Record<string, (work: MaintenanceWork) => Promise<number>>> = {
  list: listMaintenance,
  start: startMaintenance,
  stop: stopMaintenance,
};

/** Lists ongoing and planned maintenance, starts it now, or ends it. */
export const maintenance: Command = async (context) => {
  const { root, words: [word = "list", ...words], log } = context;
  const act = Object.hasOwn(ACTIONS, word) ? ACTIONS[word] : undefined;
  if (act === undefined) {
    const hint = nearHint(word, Object.keys(ACTIONS));
    throw new UsageError(
      `Cannot do "${word}" with maintenance${hint} (maintenance lists it, "maintenance start SITE --for 1h" begins it, "maintenance stop" ends it)`,
    );
  }
  const wrong = ["for", "reason", "all"].find((name) => context.options.has(name));
  if (word !== "start" && wrong !== undefined) {
    throw new UsageError(`Cannot use --${wrong} here: it is for maintenance start`);
  }
  const workspace = folderWorkspace(root);
  const loaded = await loadConfig(workspace, context);
  for (const problem of loaded.problems) log.problem(problem, loaded.file);
  const { config } = loaded;
  if (config === undefined) return 2;
  return await act({ context, words, loaded, config, workspace });
};
