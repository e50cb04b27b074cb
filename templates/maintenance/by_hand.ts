import { incidentPath } from "../../lib/history/incident.ts";
import type { Maintenance } from "../../lib/history/maintenance.ts";
import { paint } from "../../lib/text/paint.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import type { Published } from "../../lib/history/store/store.ts";
import { describeDuration } from "../../lib/time.ts";
import { namesOf, type Readers, windowJson, zonedMoment } from "./window_words.ts";

/** A window that somebody began; `published` is absent where nothing was written. */
export interface StartedMaintenance {
  id: string;
  maintenance: Maintenance;
  published?: Published;
}

/** What was begun, and how it ends. */
export function startedText({ id, maintenance, published }: StartedMaintenance, readers: Readers) {
  const { name, start, until, sites } = maintenance;
  const length = describeDuration(until.since(start).total("milliseconds"));
  const end = `${zonedMoment(until, readers, start)} ${readers.timezone}`;
  const verb = sites.size === 1 ? "is" : "are";
  const what = `${
    namesOf(sites, readers)
  } ${verb} in maintenance until ${end} (${length}): ${name}`;
  if (published === undefined) {
    return `${what}.\nNothing was written; it would write ${incidentPath(id)}.`;
  }
  return `${what}.\n${recorded(published)} ${
    paint.dim('"maintenance stop" ends it before its time.')
  }`;
}

/** The same as data. */
export function startedJson({ id, maintenance, published }: StartedMaintenance): unknown {
  return { id, ...windowJson(maintenance), commit: published?.commit ?? null };
}

/** Windows that somebody ended, by id; `published` is absent where nothing was written. */
export interface StoppedMaintenance {
  ended: ReadonlyMap<string, Maintenance>;
  published?: Published;
}

/** What was ended. */
export function stoppedText({ ended, published }: StoppedMaintenance, readers: Readers): string {
  const lines = [...ended].map(([id, { name, start, end }]) =>
    `Maintenance is over: ${plainText(name)}, begun at ${
      zonedMoment(start, readers, end)
    } ${readers.timezone}${paint.dim(` → ${incidentPath(id)}`)}`
  );
  return [...lines, published === undefined ? "Nothing was written." : recorded(published)].join(
    "\n",
  );
}

/** The same as data. */
export function stoppedJson({ ended, published }: StoppedMaintenance): unknown {
  return { ended: [...ended.keys()], commit: published?.commit ?? null };
}

function recorded({ commit, place }: Published): string {
  return commit === undefined
    ? `Recorded: ${place}.`
    : `Recorded in ${commit.slice(0, 7)}: ${place}.`;
}
