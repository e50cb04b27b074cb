import type { Config } from "../../config/config.ts";
import type { UnsupportedService } from "../../config/upptime/channels.ts";
import type { Known, RepositorySettings } from "../../github/repository_settings.ts";
import { type CheckRow, CHECKS_FOLDER, dayOfLog, parseRows } from "../../history/checks_log.ts";
import type { Snapshot } from "../../history/store/store.ts";
import type { UnwarnedSites } from "../../notifications/certificate_routes.ts";
import type { RunGaps } from "../../statistics/run_gaps.ts";
import { DAY, formatDate } from "../../time.ts";
import type { Billing } from "../billing.ts";
import type { PageAddresses } from "../page_addresses.ts";
import type { PlannedWorkflow } from "../workflow_files.ts";

/** Everything that the examinations use. */
export interface Facts extends RepositorySettings {
  now: Temporal.Instant;
  file: string;
  /** Absent if it is missing or unusable. */
  config?: Config;
  errors: number;
  billing?: Billing;
  /** True if the repository has a history of Upptime that must be imported before anything else. */
  isUpptime: boolean;
  /** Plan for the workflow files; empty without a configuration. */
  files: readonly PlannedWorkflow[];
  /** Names of the secrets in the environment; absent if it has none. */
  given?: readonly string[];
  /** Sites whose certificates expire without a message. */
  unwarned: readonly UnwarnedSites[];
  /** Services that Upptime's secrets set up and this program does not notify. */
  unsupported: readonly UnsupportedService[];
  /** The warning about secrets that are everyday words, if they are given. */
  everyday?: string;
  /** Gaps between the runs of the last week, as on the page. */
  runs: Known<RunGaps>;
  /** Addresses of the page; empty if they are not known. */
  addresses: PageAddresses;
  /** Names of the locations with a result in the last day; absent if that is not known. */
  activeLocations?: ReadonlySet<string>;
}

/** Result of an examination: fine, to `change`, good to know, or `unexamined`. */
export type Verdict = "well" | "change" | "note" | "unexamined";

export interface Finding {
  verdict: Verdict;
  /** A sentence without its full stop. */
  says: string;
  cure?: string;
}

/** Examines one part of the setup; returns nothing if that part is not wanted. */
export type Examination = (facts: Facts) => Finding[];

export function well(says: string): Finding[] {
  return [{ verdict: "well", says }];
}

export function change(says: string, cure?: string): Finding {
  return { verdict: "change", says, cure };
}

export function note(says: string, cure?: string): Finding {
  return { verdict: "note", says, cure };
}

export function unexamined(why: string): Finding[] {
  return [{ verdict: "unexamined", says: why }];
}

/** Reads the names of the locations with a result in the last day, given the rows that are not flushed. */
export async function readActiveLocations(
  snapshot: Pick<Snapshot, "listAll" | "read">,
  now: number,
  pending: readonly CheckRow[],
): Promise<ReadonlySet<string>> {
  const first = formatDate(now - DAY);
  const names = (await snapshot.listAll(CHECKS_FOLDER)).filter((name) =>
    (dayOfLog(name) ?? "") >= first
  );
  const texts = await snapshot.read(names.map((name) => `${CHECKS_FOLDER}/${name}`));
  const rows = [...[...texts.values()].flatMap(parseRows), ...pending];
  return new Set(
    rows.filter(({ time }) => time.epochMilliseconds >= now - DAY)
      .flatMap(({ location }) => location ?? []),
  );
}
