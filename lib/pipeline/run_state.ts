import * as v from "valibot";
import type { Run } from "../history/checks_log.ts";
import {
  type LoadedRunState,
  loadStoredRunState,
  placeStoredRunState,
  type StoredRunState,
} from "../history/run_state.ts";
import type { Change, Snapshot, Store } from "../history/store/store.ts";
import { RESPONSE_STATE, type ResponseState } from "../incidents/acknowledgement/read_responses.ts";
import { TIMELINE_STATE, type TimelineState } from "../incidents/read_comments.ts";
import {
  CHANNEL_STATES,
  type ChannelStates,
  formatChannels,
} from "../notifications/channel_state.ts";

export interface RunState extends StoredRunState {
  channels?: ChannelStates;
  timelines?: TimelineState;
  responses?: ResponseState;
}

export type LoadedState = LoadedRunState<RunState>;

/** Loads the run state. A part that can't be read is dropped alone. */
export async function loadRunState(snapshot: Snapshot): Promise<LoadedState> {
  return parseParts(await loadStoredRunState(snapshot));
}

export function parseParts({ runState, ...loaded }: LoadedRunState): LoadedState {
  if (runState === undefined) return loaded;
  const { channels, timelines, responses, ...rest } = runState;
  const parsed = v.parse(v.fallback(v.optional(TIMELINE_STATE), undefined), timelines);
  const read = v.parse(v.fallback(v.optional(RESPONSE_STATE), undefined), responses);
  return {
    ...loaded,
    runState: {
      ...rest,
      ...channels === undefined
        ? {}
        : { channels: v.parse(v.fallback(CHANNEL_STATES, {}), channels) },
      ...parsed === undefined ? {} : { timelines: parsed },
      ...read === undefined ? {} : { responses: read },
    },
  };
}

export function placeRunState(
  { channels, ...rest }: RunState,
  place: Parameters<typeof placeStoredRunState>[1],
): ReturnType<typeof placeStoredRunState> {
  const stored = channels === undefined ? {} : { channels: formatChannels(channels) };
  return placeStoredRunState({ ...rest, ...stored }, place);
}

/**
 * Publishes a change of the run state alone. Nothing is published while there is no run state, or if `change` returns
 * nothing.
 *
 * @throws {RemoteError} If the remote takes neither ref nor commit.
 */
export async function changeRunState(
  store: Store,
  { run, message, author }: { run: Run } & Pick<Change, "message" | "author">,
  change: (before: RunState) => Partial<RunState> | undefined,
): Promise<void> {
  await store.publish(async (snapshot) => {
    const { runState, rows } = await loadRunState(snapshot);
    const changed = runState && change(runState);
    if (changed === undefined) return undefined;
    const after = { ...runState!, rows, ...changed };
    const { files, pending } = placeRunState(after, snapshot.capabilities);
    return { run: run.id, time: run.time, files, pending, message, author };
  });
}
