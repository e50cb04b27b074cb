import type { IssueComment } from "../github/github.ts";
import { formatManual, type ManualIncident, newManualId } from "../history/manual_incident.ts";
import type { StoredIncident, StoredIncidents } from "../history/stored_incidents.ts";
import { type Phase, PHASES, type Update, updatesText } from "../history/yaml_file.ts";
import { takeApart } from "../text/hidden_part.ts";
import { parseCommand } from "./acknowledgement/read_responses.ts";
import { isMarked } from "./marked_texts.ts";
import type { FetchedUpdates } from "./read_comments.ts";

/** A phase at the start of a comment, plain or bold, with its colon on either side of the asterisks. */
const PHASE = new RegExp(
  `^(?<bold>\\*\\*|__|)(?<phase>${PHASES.join("|")}) ?(?::\\k<bold>|\\k<bold> ?:)`,
  "i",
);

/**
 * Reads a comment as an update; `undefined` if its author does not speak for the repository, if it is one
 * of ours or a command, or if it shows nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const created = Temporal.Instant.from("2026-11-21T10:05:00Z");
 * const comment = { body: "**Identified:** a cable", author: "jo", isTrusted: true, created };
 * assertEquals(parseUpdate(comment), { at: created, phase: "identified", text: "a cable" });
 * assertEquals(parseUpdate({ ...comment, isTrusted: false }), undefined);
 * assertEquals(parseUpdate({ ...comment, body: "/ack I restart it" }), undefined);
 * ```
 */
export function parseUpdate({ body, isTrusted, created: at }: IssueComment): Update | undefined {
  if (!isTrusted || isMarked(body) || parseCommand(body) !== undefined) return undefined;
  const { shown } = takeApart(body);
  const found = PHASE.exec(shown);
  if (found === null) return shown === "" ? undefined : { at, text: shown };
  const phase = found.groups!["phase"]!.toLowerCase() as Phase;
  return { at, phase, text: shown.slice(found[0].length).trim() };
}

/** Reads the comments on an issue as a timeline. */
export function parseUpdates(
  comments: readonly IssueComment[],
  redact: (text: string) => string,
): Update[] {
  return comments.toSorted((one, other) => Temporal.Instant.compare(one.created, other.created))
    .flatMap((comment) => parseUpdate(comment) ?? [])
    .map((update) => ({ ...update, text: redact(update.text) }));
}

export type ChangedIncidents = ReadonlyMap<string, StoredIncident | null>;

/** Applies fetched comments to stored incidents; a manual incident is stored once its comments are known. */
export function applyUpdates(
  { incidents, ids }: StoredIncidents,
  { manual, comments, missing }: Pick<FetchedUpdates, "manual" | "comments" | "missing">,
  redact: (text: string) => string,
): ChangedIncidents {
  const changed = new Map<string, StoredIncident | null>();
  const takenIds = new Set(ids);
  const stored = new Map<number, [id: string, incident: ManualIncident]>();
  for (const [id, incident] of incidents) {
    if (incident.kind === "manual") stored.set(incident.issue, [id, incident]);
    const read = incident.issue === undefined ? undefined : comments.get(incident.issue);
    if (read === undefined) continue;
    const updates = parseUpdates(read, redact);
    if (updatesText(updates) !== updatesText(incident.updates)) {
      changed.set(id, { ...incident, updates });
    }
  }
  for (const one of manual ?? []) {
    const [id, before] = stored.get(one.issue) ?? [];
    stored.delete(one.issue);
    if (before === undefined && missing.has(one.issue)) continue;
    const read = comments.get(one.issue);
    const updates = read === undefined ? before?.updates ?? [] : parseUpdates(read, redact);
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
