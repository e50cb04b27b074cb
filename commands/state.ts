import { loadConfigIfAny, noConfigNote } from "../lib/config/load.ts";
import { type Command, storeOptions } from "./shared/context.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { loadRunState } from "../lib/pipeline/run_state.ts";
import { channelsByKey, findSubscribers } from "../lib/notifications/channel_list.ts";
import { createSending } from "./shared/sending.ts";
import { createHandlers } from "../lib/pipeline/execute_effects.ts";
import { openStoreOrFolder } from "../lib/history/store/open_store.ts";
import { stateJson, stateText } from "../templates/terminal/run_state.ts";

export const state: Command = async (context) => {
  const { root, clock, log, json, secrets } = context;
  // The run state can be shown without a configuration.
  const loaded = await loadConfigIfAny(folderWorkspace(root), context);
  if (loaded === undefined) log.warn(noConfigNote());
  const { store } = await openStoreOrFolder(root, storeOptions(context, loaded?.file));
  const { config } = loaded ?? {};
  const messages = config === undefined ? undefined : {
    channels: channelsByKey(findSubscribers(config, secrets)),
    isPartial: true,
    sending: await createSending(config, undefined, context),
    issues: new Map(),
  };
  const loadedState = await loadRunState(await store.read());
  for (const name of loadedState.unreadable) log.warn(`${name} can't be read`);
  const commitEvery = config?.history.commitEvery;
  const handlers = createHandlers({ clock, messages });
  log.line(stateText(loadedState, store.place, commitEvery, handlers, clock.now()));
  if (json) log.data(stateJson(loadedState, store.place, commitEvery));
  return 0;
};
