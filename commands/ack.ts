import { findSite } from "../lib/config/config.ts";
import type { LoadedConfig } from "../lib/config/load.ts";
import { formatIncident, type Incident, incidentPath } from "../lib/history/incident.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import { overlayFiles, type Snapshot } from "../lib/history/store/store.ts";
import { readStoredIncidents, siteIncidents } from "../lib/history/stored_incidents.ts";
import {
  applyResponses,
  findAcknowledgement,
} from "../lib/incidents/acknowledgement/acknowledge.ts";
import { isSuppressed } from "../lib/incidents/plan_incident.ts";
import { randomName } from "../lib/io/clock.ts";
import { assertWritable } from "../lib/io/workspace.ts";
import { loadRunState } from "../lib/pipeline/run_state.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { didYouMean } from "../lib/text/nearest.ts";
import { joinFirst } from "../lib/text/words.ts";
import { acknowledgementMessage, commitAuthor } from "../templates/commit_message.ts";
import { formatAcknowledged } from "../templates/terminal/acknowledgements.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import { type Command, loadReported, storeOptions } from "./shared/context.ts";
import { readPause, readResponder } from "./shared/responder.ts";

type Found = [id: string, incident: Incident];

/** Acknowledges open incidents without GitHub: writes it into the files of the incidents, and pushes them. */
export const ack: Command = async (context) => {
  const { root, words, options, json, log, clock } = context;
  const loaded = await loadReported(context);
  const { config } = loaded;
  if (config === undefined) return 2;
  const isForAll = options.has("all");
  if (isForAll && words.length > 0) {
    throw new UsageError("Cannot acknowledge: name incidents, or use --all, and not both");
  }
  const lasts = readPause(context, "acknowledge");
  const by = await readResponder(context, "acknowledges");
  const now = clock.now();
  const acknowledge = async (snapshot: Snapshot): Promise<Found[]> => {
    const open = await readOpen(snapshot);
    const chosen = isForAll ? findAll(open) : findNamed(open, words, loaded);
    const responses = [{ way: "command" as const, by, at: now, lasts }];
    return chosen.map(([id, incident]) => {
      const acknowledgements = applyResponses(
        { before: incident, after: incident },
        { responses, now, ackFor: config.ackFor },
      );
      return [id, { ...incident, acknowledgements }];
    });
  };
  await assertWritable(root);
  const store = await openStore(root, storeOptions(context, loaded.file, false));
  let found: Found[] = [];
  const published = await store.publish(async (snapshot) => {
    found = await acknowledge(snapshot);
    return {
      run: randomName(),
      time: now,
      files: new Map(found.map(([id, incident]) => [incidentPath(id), formatIncident(incident)])),
      message: acknowledgementMessage(found.map(([id]) => id), by),
      author: commitAuthor(config),
    };
  });
  if (published.refused !== undefined) {
    throw new Error(
      `Nothing was acknowledged: ${published.refused.message}; comment /ack on the issue instead`,
      { cause: published.refused },
    );
  }
  for (const note of published.notes) log.warn(note);
  for (const [id, incident] of found) {
    log.line(formatAcknowledged({ id, by, first: findAcknowledgement(incident, now)!, now }));
  }
  log.line(`Recorded${formatRecorded(published)}`);
  if (json) {
    const acknowledged = found.map(([id, { acknowledgements }]) => {
      const own = acknowledgements.find((one) => one.by === by && one.at.equals(now));
      return { id, by, until: own?.until ?? null };
    });
    log.data({ acknowledged, commit: published.commit ?? null });
  }
  return 0;
};

/** @throws {UsageError} If no incident is open. */
async function readOpen(snapshot: Snapshot): Promise<Found[]> {
  const { runState } = await loadRunState(snapshot);
  const files = overlayFiles(snapshot, runState?.files);
  const stored = await readStoredIncidents(files, runState?.outbox);
  const open = siteIncidents(stored).filter(([, { end }]) => end === undefined);
  if (open.length === 0) throw new UsageError("Nothing to acknowledge: no incident is open");
  return open;
}

/** All open incidents, without those that are explained by another one. */
function findAll(open: readonly Found[]): Found[] {
  const all = open.filter(([, incident]) => !isSuppressed(incident));
  if (all.length > 0) return all;
  throw new UsageError(`Nothing to acknowledge: ${listIds(open)} have another cause`);
}

/**
 * Finds the open incidents that words name: each by its id, its issue number, or its site; without words, the only
 * one.
 *
 * @throws {UsageError} If one can't be found, or is explained by another one.
 */
function findNamed(open: Found[], words: readonly string[], { config }: LoadedConfig): Found[] {
  const sites = config?.sites ?? [];
  if (words.length === 0 && open.length > 1) {
    throw new UsageError(
      `Cannot tell which incident to acknowledge: open are ${
        listIds(open)
      }; name some, or use --all`,
    );
  }
  const chosen = words.length === 0 ? open : words.map((word): Found => {
    const slug = findSite(sites, word)?.slug ?? word;
    const number = Number(/^#?(\d+)$/.exec(word)?.[1]);
    const found = open.find(([id]) => id === word) ??
      open.findLast(([, one]) => one.slug === slug) ??
      open.find(([, { issue }]) => issue === number);
    if (found !== undefined) return found;
    const names = sites.map(({ name }) => name);
    const hint = slug === word ? didYouMean(word, [...names, ...open.map(([id]) => id)]) : "";
    throw new UsageError(
      `Cannot find an open incident "${word}": ${hint}open are ${listIds(open)}`,
    );
  });
  for (const [id, incident] of chosen) {
    if (isSuppressed(incident)) {
      throw new UsageError(
        `Cannot acknowledge ${id}: its cause is ${incident.cause}; acknowledge that`,
      );
    }
  }
  return [...new Map(chosen)];
}

function listIds(open: readonly Found[]): string {
  return joinFirst(open.map(([id]) => id), 10);
}
