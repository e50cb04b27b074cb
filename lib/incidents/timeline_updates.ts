import type { IssueComment } from "../github/github.ts";
import { formatManual, type ManualIncident, newManualId } from "../history/manual_incident.ts";
import type { StoredIncident, StoredIncidents } from "../history/stored_incidents.ts";
import { type Update, updatesText } from "../history/yaml_file.ts";
import { takeApart } from "../text/hidden_part.ts";
import { parseCommand } from "./acknowledgement/read_responses.ts";
import { isMarked } from "./marked_texts.ts";
import { type ReadPhase, takeOffWord } from "./phase_words.ts";
import type { FetchedUpdates } from "./read_comments.ts";

/**
 * Reads a comment as an update; `undefined` if its author does not speak for the repository, if it is one
 * of ours or a command, or if it shows nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { createPhaseReader } from "./phase_words.ts";
 * const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const comment = { body: "**Identified:** a cable", author: "jo", isTrusted: true, created };
 * const read = createPhaseReader([]);
 * assertEquals(parseUpdate(comment, read), { at: created, phase: "identified", text: "a cable" });
 * assertEquals(parseUpdate({ ...comment, isTrusted: false }, read), undefined);
 * assertEquals(parseUpdate({ ...comment, body: "/ack I restart it" }, read), undefined);
 * ```
 */
export function parseUpdate(
  { body, isTrusted, created: at }: IssueComment,
  readPhase: ReadPhase,
): Update | undefined {
  if (!isTrusted || isMarked(body) || parseCommand(body) !== undefined) return undefined;
  const { shown } = takeApart(body);
  const found = readPhase(shown);
  if (found !== undefined) return { at, ...found };
  return shown === "" ? undefined : { at, text: shown };
}

/** How comments become updates. */
export interface UpdateReading {
  readPhase: ReadPhase;
  redact(text: string): string;
}

/**
 * Reads the comments on an issue as a timeline. Phases of `before`, the timeline as it was read last, stay, also if the
 * language in which people have written them is no longer the configured one.
 */
export function parseUpdates(
  comments: readonly IssueComment[],
  { readPhase, redact }: UpdateReading,
  before: readonly Update[] = [],
): Update[] {
  const known = Map.groupBy(before, ({ at }) => at.epochMilliseconds);
  return comments.toSorted((one, other) => Temporal.Instant.compare(one.created, other.created))
    .flatMap((comment) => {
      const update = parseUpdate(comment, readPhase);
      if (update === undefined) return [];
      const text = redact(update.text);
      const last = update.phase === undefined
        ? known.get(update.at.epochMilliseconds)
          ?.find((one) => one.phase !== undefined && one.text === takeOffWord(text))
        : undefined;
      return [last ?? { ...update, text }];
    });
}

export type ChangedIncidents = ReadonlyMap<string, StoredIncident | null>;

/** Applies fetched comments to stored incidents; a manual incident is stored once its comments are known. */
export function applyUpdates(
  { incidents, ids }: StoredIncidents,
  { manual, comments, missing }: Pick<FetchedUpdates, "manual" | "comments" | "missing">,
  reading: UpdateReading,
): ChangedIncidents {
  const changed = new Map<string, StoredIncident | null>();
  const takenIds = new Set(ids);
  const stored = new Map<number, [id: string, incident: ManualIncident]>();
  for (const [id, incident] of incidents) {
    if (incident.kind === "manual") stored.set(incident.issue, [id, incident]);
    const read = incident.issue === undefined ? undefined : comments.get(incident.issue);
    if (read === undefined) continue;
    const updates = parseUpdates(read, reading, incident.updates);
    if (updatesText(updates) !== updatesText(incident.updates)) {
      changed.set(id, { ...incident, updates });
    }
  }
  for (const one of manual ?? []) {
    const [id, before] = stored.get(one.issue) ?? [];
    stored.delete(one.issue);
    if (before === undefined && missing.has(one.issue)) continue;
    const read = comments.get(one.issue);
    const known = before?.updates ?? [];
    const updates = read === undefined ? known : parseUpdates(read, reading, known);
    const after = { ...one, updates };
    if (before !== undefined && formatManual(before) === formatManual(after)) continue;
    const newId = id ?? newManualId(one, takenIds);
    takenIds.add(newId);
    changed.set(newId, after);
  }
  // Its issue was deleted, or lost the label.
  if (manual !== undefined) { for (const [id] of stored.values()) changed.set(id, null); }
  return changed;
}
