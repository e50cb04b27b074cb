import { findSite, listSites, type Site, whyNoSite } from "../lib/config/config.ts";
import type { Mute } from "../lib/history/run_state_schema.ts";
import { openStore } from "../lib/history/store/open_store.ts";
import { applyMutes, listMutedSites } from "../lib/incidents/acknowledgement/mutes.ts";
import type { Command as IssueCommand } from "../lib/incidents/acknowledgement/read_responses.ts";
import { randomName } from "../lib/io/clock.ts";
import { assertWritable } from "../lib/io/workspace.ts";
import { loadRunState, placeRunState } from "../lib/pipeline/run_state.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { joinFirst } from "../lib/text/words.ts";
import { commitAuthor, muteMessage } from "../templates/commit_message.ts";
import { formatRecorded } from "../templates/terminal/lines.ts";
import { formatMinute, siteName } from "../templates/words.ts";
import { type Command, type Context, loadReported, storeOptions } from "./shared/context.ts";
import { readPause, readResponder } from "./shared/responder.ts";

const MOST_NAMES = 10;

/** Mutes sites without GitHub, or ends that: writes it into the run state, from which the next run takes it. */
export const mute: Command = async (context) => {
  const { root, words, json, log, clock } = context;
  const loaded = await loadReported(context);
  const { config } = loaded;
  if (config === undefined) return 2;
  const { sites } = config;
  const command = readCommand(context);
  const named = findSlugs(sites, context);
  const by = await readResponder(context, `${command.name}s`);
  const now = clock.now();
  await assertWritable(root);
  const store = await openStore(root, storeOptions(context, loaded.file, false));
  let slugs: string[] = [];
  const published = await store.publish(async (snapshot) => {
    const { runState, rows } = await loadRunState(snapshot);
    if (runState === undefined) {
      throw new UsageError(`Cannot ${command.name} yet: no run has recorded anything here`);
    }
    const before = runState.mutes ?? {};
    slugs = command.name === "mute" ? named : findMuted(before, named, now, context);
    const written = slugs.map((slug) => ({ slug, by, at: now, command, isAllowed: true }));
    const mutes = applyMutes(before, written, { all: [], now });
    const { files, pending } = placeRunState({ ...runState, rows, mutes }, snapshot.capabilities);
    const message = muteMessage(command.name, slugs, by);
    return { run: randomName(), time: now, files, pending, message, author: commitAuthor(config) };
  });
  for (const note of published.notes) log.warn(note);
  for (const slug of command.name === "unmute" && words.length > 0 ? named : []) {
    if (!slugs.includes(slug)) log.line(`${siteName(slug, sites)} is not muted.`);
  }
  const names = joinFirst(slugs.map((slug) => siteName(slug, sites)), MOST_NAMES);
  const until = command.name === "mute" ? now.add({ milliseconds: command.lasts }) : undefined;
  log.line(
    until === undefined
      ? `No longer muted: ${names}.`
      : `Muted by ${by} until ${formatMinute(until)}: ${names}.`,
  );
  log.line(`Recorded${formatRecorded(published)}`);
  const commit = published.commit ?? null;
  if (json && until === undefined) log.data({ unmuted: slugs, commit });
  else if (json) log.data({ muted: slugs, by, until, commit });
  return 0;
};

/** @throws {UsageError} If the options contradict each other, or the duration is missing. */
function readCommand(context: Context): Extract<IssueCommand, { name: "mute" | "unmute" }> {
  const lasts = readPause(context, "mute");
  if (context.options.has("end")) {
    if (lasts === undefined) return { name: "unmute" };
    throw new UsageError("Cannot use --for with --end: the mute ends now");
  }
  if (lasts !== undefined) return { name: "mute", lasts };
  throw new UsageError(
    "Cannot mute: --for is missing; use a duration from 1m to 30d, such as --for 2h, or --end",
  );
}

/** @throws {UsageError} If a name is unknown, or there is none. */
function findSlugs(sites: readonly Site[], { words, options }: Context): string[] {
  if (options.has("all") === (words.length > 0)) {
    const action = options.has("end") ? "unmute" : "mute";
    throw new UsageError(
      `Cannot ${action}: name sites, or use --all, and not both (${listSites(sites)})`,
    );
  }
  if (words.length === 0) return sites.map(({ slug }) => slug);
  const found = words.map((word) => {
    const site = findSite(sites, word);
    if (site === undefined) throw new UsageError(whyNoSite(sites, word));
    return site.slug;
  });
  return [...new Set(found)];
}

/**
 * The slugs of muted sites: of those that are named, or of all.
 *
 * @throws {UsageError} If there are none.
 */
function findMuted(
  mutes: Readonly<Record<string, Mute>>,
  named: readonly string[],
  now: Temporal.Instant,
  { words }: Context,
): string[] {
  const muted = [...listMutedSites(mutes, now)].sort();
  const found = words.length === 0 ? muted : muted.filter((slug) => named.includes(slug));
  if (found.length > 0) return found;
  const which = words.length === 0 ? "no site" : `none of ${joinFirst(words, MOST_NAMES)}`;
  throw new UsageError(`Nothing to unmute: ${which} is muted`);
}
