import * as v from "valibot";
import { type Site, whyNoSite } from "../config/config.ts";
import { type Impact, IMPACTS } from "../history/manual_incident.ts";
import { type Phase, PHASES } from "../history/yaml_file.ts";
import { UsageError } from "../text/arguments.ts";
import { takeApart } from "../text/hidden_part.ts";
import { nearHint } from "../text/nearest.ts";
import { plainText } from "../text/plain_text.ts";
import { joinFirst } from "../text/words.ts";
import { parseCommand } from "./acknowledgement/read_responses.ts";
import { cutToLabel } from "./issue_labels.ts";
import { MAINTENANCE_LABEL } from "./maintenance/announcement.ts";
import { MANUAL_LABEL } from "./manual_incidents.ts";
import { splitSites } from "./named_sites.ts";

/** Inputs of the workflow Announce, and keys of its event: texts of people, empty if they left them out. */
export const ANNOUNCE_KEYS = [
  "title",
  "text",
  "sites",
  "impact",
  "update",
  "phase",
  "resolve",
] as const;

type AnnounceKey = typeof ANNOUNCE_KEYS[number];

/** An announcement as a person wrote it, before it is checked. */
export type AnnounceRequest = Readonly<Partial<Record<AnnounceKey, string>>>;

/** Phases that an update may set: an incident is resolved when its issue is closed. */
export const UPDATE_PHASES = PHASES.filter((phase) => phase !== "resolved");

/** The choice of no phase in the form of the workflow, which needs one. */
export const NO_PHASE = "none";

/** Longest title on GitHub, in UTF-16 units. */
const LONGEST_TITLE = 256;

/** Most sites of an incident: an issue has 100 labels at most. */
const MOST_SITES = 90;

interface NewIncident {
  title: string;
  /** Slugs; none if the incident is about no site in particular. */
  sites: string[];
  impact: Impact;
  labels: string[];
}

/**
 * A new incident, or a change of one; `text` is Markdown without HTML comments, and may be empty unless it is an update.
 */
export type Announcement =
  & { text: string }
  & (
    | ({ action: "open" } & NewIncident)
    | { action: "update"; issue: number; phase?: Phase }
    | { action: "resolve"; issue: number; phase: "resolved" }
  );

/** A text, a number, or a list of texts, all as a text. */
const VALUE = v.pipe(v.union([v.string(), v.number(), v.array(v.string())]), v.transform(String));
const PAYLOAD = v.record(v.string(), v.nullish(VALUE));

/**
 * Reads the inputs of the workflow Announce, or the payload of its event. Impact and phase, which the form always has,
 * are left out if they can't be meant.
 *
 * @throws {UsageError} If it is no JSON object of texts and numbers with these keys.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const inputs = { title: "", text: "A cable", impact: "degraded", update: "12", phase: "none" };
 * assertEquals(parsePayload(JSON.stringify(inputs)), { text: "A cable", update: "12" });
 * assertEquals(parsePayload("null"), {});
 * ```
 */
export function parsePayload(json: string): AnnounceRequest {
  const { success, output } = v.safeParse(v.nullable(PAYLOAD), parseJson(json));
  if (!success) {
    throw new UsageError("Cannot announce: the inputs are no JSON object of texts and numbers");
  }
  const given = Object.entries(output ?? {}).flatMap(([key, value]) =>
    (value ?? "").trim() === "" ? [] : [[key, value] as const]
  );
  const wrong = given.find(([key]) => !isKey(key))?.[0];
  if (wrong !== undefined) {
    const hint = nearHint(wrong, ANNOUNCE_KEYS);
    throw new UsageError(
      `Cannot announce: ${quote(wrong)} is no input${hint} (they are ${ANNOUNCE_KEYS.join(", ")})`,
    );
  }
  const { impact, phase, ...rest }: AnnounceRequest = Object.fromEntries(given);
  const isNew = rest.update === undefined && rest.resolve === undefined;
  return {
    ...rest,
    ...isNew && impact !== undefined ? { impact } : {},
    ...phase === undefined || phase === NO_PHASE ? {} : { phase },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKey(key: string): key is AnnounceKey {
  return (ANNOUNCE_KEYS as readonly string[]).includes(key);
}

/** Inputs that only one of the actions takes. */
const ONLY: readonly [key: AnnounceKey, action: Announcement["action"]][] = [
  ["title", "open"],
  ["sites", "open"],
  ["impact", "open"],
  ["phase", "update"],
];

const WORDS = { open: "a new incident", update: "an update", resolve: "the end of an incident" };

/**
 * Plans an announcement.
 *
 * @throws {UsageError} If something is missing, wrong or ambiguous.
 */
export function planAnnouncement(
  request: AnnounceRequest,
  sites: readonly Site[],
): Announcement {
  const { update, resolve } = request;
  if (update !== undefined && resolve !== undefined) {
    throw new UsageError("Cannot announce: use either update or resolve, and not both");
  }
  const action = update !== undefined ? "update" : resolve !== undefined ? "resolve" : "open";
  for (const [key, only] of ONLY) {
    if (request[key] === undefined || action === only) continue;
    throw new UsageError(
      `Cannot announce ${WORDS[action]} with ${key}: that is for ${WORDS[only]}`,
    );
  }
  const text = takeApart(request.text ?? "").shown;
  // It would be read as that, and not be shown.
  if (parseCommand(text) !== undefined) {
    throw new UsageError(
      "Cannot announce a text that starts with /ack, /mute or /unmute: begin with another word",
    );
  }
  if (action === "open") return { action, text, ...planNew(request, sites) };
  const issue = parseNumber(action, update ?? resolve!);
  if (action === "resolve") return { action, issue, phase: "resolved", text };
  if (text === "") {
    throw new UsageError(`Cannot update issue #${issue}: its text is missing`);
  }
  const phase = request.phase === undefined
    ? undefined
    : parseWord("phase", request.phase, UPDATE_PHASES);
  return { action, issue, phase, text };
}

function planNew(
  { title = "", sites: names = "", impact = "degraded" }: AnnounceRequest,
  sites: readonly Site[],
): NewIncident {
  const name = plainText(title.toWellFormed());
  if (name === "") {
    throw new UsageError(
      "Cannot announce: the title is missing; give one, or the issue of an incident to update or resolve",
    );
  }
  if (name.length > LONGEST_TITLE) {
    throw new UsageError(
      `Cannot announce: the title has ${name.length} characters, and GitHub takes ${LONGEST_TITLE}`,
    );
  }
  const { slugs, unknown: [unknown] } = splitSites(names, sites);
  if (unknown !== undefined) throw new UsageError(whyNoSite(sites, unknown));
  const taken = [MANUAL_LABEL, MAINTENANCE_LABEL].find((label) => slugs.has(label));
  if (taken !== undefined) {
    throw new UsageError(
      `Cannot announce for the site ${taken}: as a label of the issue, its slug means something else; leave it out, or set another slug for it`,
    );
  }
  if (slugs.size > MOST_SITES) {
    throw new UsageError(
      `Cannot announce for ${slugs.size} sites: name ${MOST_SITES} at most, or none if all are affected`,
    );
  }
  const level = parseWord("impact", impact, IMPACTS);
  const labels = [MANUAL_LABEL, `impact: ${level}`, ...[...slugs].map(cutToLabel)];
  return { title: name, sites: [...slugs], impact: level, labels };
}

function parseNumber(action: "update" | "resolve", written: string): number {
  const [, digits] = /^#?([1-9]\d{0,9})$/.exec(written.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  throw new UsageError(
    `Cannot ${action} ${quote(written)}: give the number of the incident's issue, such as 12`,
  );
}

function parseWord<Word extends string>(
  what: string,
  written: string,
  known: readonly Word[],
): Word {
  const found = known.find((one) => one === written.trim().toLowerCase());
  if (found !== undefined) return found;
  const hint = nearHint(written, known);
  throw new UsageError(
    `Cannot announce with the ${what} ${quote(written)}${hint} (use ${joinFirst(known, 9)})`,
  );
}

function quote(text: string): string {
  return `"${plainText(text)}"`;
}
