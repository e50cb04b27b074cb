import { loadConfigIfAny } from "../lib/config/load.ts";
import type { Command } from "./shared/context.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { loadRunState } from "../lib/pipeline/run_state.ts";
import { channelsByKey, findSubscribers } from "../lib/notifications/channel_list.ts";
import { sendingOf } from "./shared/sending_of.ts";
import { createHandlers } from "../lib/pipeline/execute_effects.ts";
import { openStoreOrFolder } from "../lib/history/store/open_store.ts";
import { type Remembered, stateJson, stateText } from "../templates/terminal/run_state.ts";

/** Shows what waits for the next commit, and what runs remember. Nothing is written. */
export const state: Command = async (context) => {
  const { root, clock, log, json, secrets } = context;
  const workspace = folderWorkspace(root);
  // The run state can be shown without a configuration.
  const loaded = await loadConfigIfAny(workspace, context);
  const { store } = await openStoreOrFolder(root, {
    workspace,
    lock: loaded?.file ?? "",
    clock,
    warn: (text) => log.warn(text),
    readOnly: true,
  });
  const { config } = loaded ?? {};
  const messages = config === undefined ? undefined : {
    channels: channelsByKey(findSubscribers(config, secrets)),
    isPartial: true,
    sending: sendingOf(config, undefined, context),
    issues: new Map(),
  };
  const loadedState = await loadRunState(await store.read());
  const remembered: Remembered = {
    loadedState,
    place: store.place,
    commitEvery: config?.history.commitEvery,
    handlers: createHandlers({ clock, messages }),
  };
  for (const name of loadedState.unreadable) log.warn(`${name} can't be read`);
  log.line(stateText(remembered));
  if (json) log.data(stateJson(remembered));
  return 0;
};
