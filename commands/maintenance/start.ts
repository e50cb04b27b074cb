import { UsageError } from "../../lib/text/arguments.ts";
import type { Config } from "../../lib/config/config.ts";
import { findSite, listSites, whyNoSite } from "../../lib/config/find_site.ts";
import { millisecondsIn } from "../../lib/config/keys/duration.ts";
import type { Context } from "../shared/context.ts";
import { randomName } from "../../lib/io/chance.ts";
import { assertWritable } from "../../lib/io/writable.ts";
import { listIncidents } from "../../lib/history/incident.ts";
import { type Maintenance, newMaintenanceId } from "../../lib/history/maintenance.ts";
import { LONGEST_WINDOW } from "../../lib/config/keys/maintenance_keys.ts";
import { plainText } from "../../lib/text/plain_text.ts";
import { openStore } from "../../lib/history/store/open_store.ts";
import { MINUTE } from "../../lib/time.ts";
import { commitAuthor, maintenanceMessage } from "../../templates/commit_message.ts";
import { startedJson, startedText } from "../../templates/terminal/maintenance.ts";
import { changedFiles, keepByHand, type MaintenanceWork, storeOptions } from "./open.ts";

/** Begins maintenance of sites now. */
export async function startMaintenance(work: MaintenanceWork): Promise<number> {
  const { context, config } = work;
  const { root, clock, dryRun, json, log, secrets } = context;
  const start = clock.now();
  const maintenance: Maintenance = {
    kind: "maintenance",
    source: "hand",
    name: secrets.redact(plainText(context.options.text("reason") ?? "Maintenance")),
    start,
    until: start.add({ milliseconds: lengthOf(context) }),
    sites: new Map(slugsOf(work).map((slug) => [slug, "down"])),
    text: "",
    updates: [],
  };
  if (!dryRun) await assertWritable(root);
  const store = await openStore(root, storeOptions(work));
  let id = newMaintenanceId(maintenance, new Set());
  const published = dryRun ? undefined : await keepByHand(store, async (snapshot) => {
    const ids = await listIncidents(snapshot);
    id = newMaintenanceId(maintenance, new Set(ids));
    return {
      run: randomName(),
      time: start,
      files: await changedFiles(snapshot, new Map([[id, maintenance]]), start),
      message: maintenanceMessage("begin", [maintenance]),
      author: commitAuthor(config),
    };
  }, work);
  log.line(startedText({ id, maintenance, published }, config));
  if (json) log.data(startedJson({ id, maintenance, published }));
  return 0;
}

function lengthOf({ options }: Context): number {
  const written = options.text("for");
  const length = written === undefined ? undefined : millisecondsIn(written, "m");
  if (length !== undefined && length >= MINUTE && length <= LONGEST_WINDOW) return length;
  const found = written === undefined
    ? "--for says how long"
    : `--for ${written} is no such length`;
  throw new UsageError(
    `Cannot begin maintenance: ${found}; give one from 1m to 90d, such as --for 1h`,
  );
}

function slugsOf({ context, words, config: { sites } }: MaintenanceWork): string[] {
  const all = context.options.has("all");
  if (all && words.length > 0) {
    throw new UsageError("Cannot begin maintenance: name sites, or give --all, and not both");
  }
  if (all && sites.length > 0) return sites.map(({ slug }) => slug);
  if (words.length === 0) {
    throw new UsageError(
      `Cannot begin maintenance: name its sites, or give --all (${listSites(sites)})`,
    );
  }
  return [...new Set(words.map((word) => slugOf(sites, word)))];
}

function slugOf(sites: Config["sites"], word: string): string {
  const site = findSite(sites, word);
  if (site === undefined) throw new UsageError(whyNoSite(sites, word));
  return site.slug;
}
