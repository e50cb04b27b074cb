import { findSite } from "../lib/config/config.ts";
import type { LoadedConfig } from "../lib/config/load.ts";
import { readUserName } from "../lib/git/repository.ts";
import { formatIncident, type Incident, incidentPath } from "../lib/history/incident.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import { overlayFiles, type Snapshot } from "../lib/history/store/store.ts";
import { readStoredIncidents, siteIncidents } from "../lib/history/stored_incidents.ts";
import {
  applyResponses,
  findAcknowledgement,
} from "../lib/incidents/acknowledgement/acknowledge.ts";
import { parsePause } from "../lib/incidents/acknowledgement/read_responses.ts";
import { randomName } from "../lib/io/clock.ts";
import { assertWritable } from "../lib/io/workspace.ts";
import { loadRunState } from "../lib/pipeline/run_state.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { plainText, shorten } from "../lib/text/plain_text.ts";
import { joinFirst } from "../lib/text/words.ts";
import { formatTime } from "../lib/time.ts";
import { acknowledgementMessage, commitAuthor } from "../templates/commit_message.ts";
import { formatAcknowledged } from "../templates/terminal/acknowledgements.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";

const LONGEST_NAME = 60;

/** Acknowledges an open incident without GitHub: writes it into the file of the incident, and pushes that. */
export const ack: Command = async (context) => {
  const { root, words, dryRun, json, log, clock } = context;
  const wanted = words.join(" ").trim();
  const lasts = readLength(context.options.text("for"));
  const by = await readName(context);
  const loaded = await loadReported(context);
  const { config } = loaded;
  if (config === undefined) return 2;
  const now = clock.now();
  const acknowledge = async (snapshot: Snapshot): Promise<FoundIncident> => {
    const { id, path, incident } = await findOpen(snapshot, wanted, loaded);
    const responses = [{ way: "command" as const, by, at: now, lasts }];
    const acknowledgements = applyResponses(
      { before: incident, after: incident },
      { responses, now, ackFor: config.ackFor },
    );
    return { id, path, incident: { ...incident, acknowledgements } };
  };
  if (!dryRun) await assertWritable(root);
  const store = await openStore(root, storeOptions(context, loaded.file, dryRun));
  let found = await acknowledge(await store.read());
  const published = dryRun ? undefined : await store.publish(async (snapshot) => {
    found = await acknowledge(snapshot);
    return {
      run: randomName(),
      time: now,
      files: new Map([[found.path, formatIncident(found.incident)]]),
      message: acknowledgementMessage(found.id, by),
      author: commitAuthor(config),
    };
  });
  if (published?.refused !== undefined) {
    throw new Error(
      `Nothing was acknowledged: ${published.refused.message}; comment /ack on the issue instead`,
      { cause: published.refused },
    );
  }
  for (const note of published?.notes ?? []) log.warn(note);
  const { id, incident } = found;
  const first = findAcknowledgement(incident, now)!;
  log.line(formatAcknowledged({ id, by, first, now }));
  log.line(
    published === undefined ? "Nothing was written." : `Recorded${formatRecorded(published)}`,
  );
  if (json) {
    const until = incident.acknowledgements.find((one) => one.by === by && one.at.equals(now))
      ?.until;
    const commit = published?.commit ?? null;
    log.data({ id, by, until: until === undefined ? null : formatTime(until), commit });
  }
  return 0;
};

function readLength(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const lasts = parsePause(written);
  if (lasts !== undefined) return lasts;
  throw new UsageError(
    `Cannot acknowledge for ${written}: use a duration from 1m to 30d, such as --for 2h`,
  );
}

/** The name that messages show: the given one, else that of the person who commits here. */
async function readName({ options, root }: Context): Promise<string> {
  const given = options.text("by") ?? await readUserName(root) ?? "";
  const name = shorten(plainText(given), LONGEST_NAME);
  if (name !== "") return name;
  throw new UsageError('Cannot tell who acknowledges: give a name, such as --by "Ann Smith"');
}

interface FoundIncident {
  id: string;
  path: string;
  incident: Incident;
}

/**
 * Finds the open incident of a site, or with an id or issue number; without words, the only one.
 *
 * @throws {UsageError} If there is none, or it is explained by another one.
 */
async function findOpen(
  snapshot: Snapshot,
  wanted: string,
  { config }: LoadedConfig,
): Promise<FoundIncident> {
  const { runState } = await loadRunState(snapshot);
  const files = overlayFiles(snapshot, runState?.files);
  const stored = await readStoredIncidents(files, runState?.outbox);
  const open = siteIncidents(stored).filter(([, { end }]) => end === undefined);
  const slug = findSite(config?.sites ?? [], wanted)?.slug ?? wanted;
  const number = Number(/^#?(\d+)$/.exec(wanted)?.[1]);
  const found = wanted === "" && open.length === 1
    ? open[0]
    : open.find(([id]) => id === wanted) ?? open.findLast(([, one]) => one.slug === slug) ??
      open.find(([, { issue }]) => issue === number);
  if (found === undefined) {
    const list = joinFirst(open.map(([id]) => id), 10);
    if (open.length === 0) throw new UsageError("Nothing to acknowledge: no incident is open");
    throw new UsageError(
      wanted === ""
        ? `Cannot tell which incident to acknowledge: open are ${list}`
        : `Cannot find an open incident "${wanted}": open are ${list}`,
    );
  }
  const [id, { cause, notified }] = found;
  if (cause !== undefined && notified === undefined) {
    throw new UsageError(`Cannot acknowledge ${id}: its cause is ${cause}; acknowledge that`);
  }
  return { id, path: incidentPath(id), incident: found[1] };
}
