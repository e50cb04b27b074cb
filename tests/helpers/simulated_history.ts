import type { Site } from "../../lib/config/config.ts";
import type { Subject } from "../../lib/notifications/subject.ts";
import { type AbandonedIncident, toFindings } from "../../lib/pipeline/findings.ts";
import { listIncidentSubjects } from "../../lib/pipeline/subjects.ts";
import type { Outcome } from "../../lib/pipeline/outcomes.ts";
import type { Run } from "../../lib/history/checks_log.ts";
import type { Incident } from "../../lib/history/incident.ts";
import type { HistoryRecord } from "../../lib/history/record.ts";
import { formatRunState, parseRunState } from "../../lib/history/run_state.ts";
import type { ProbeResult, SiteWindows, Streak } from "../../lib/evaluation/results.ts";
import { historyState } from "./history_states.ts";
import { LANGUAGE } from "./languages.ts";

/** The history and run state of runs, without files. */
export class SimulatedHistory {
  readonly incidents = new Map<string, Incident>();
  readonly #records = new Map<string, HistoryRecord>();
  #streaks = new Map<string, Streak>();
  #sites: readonly Site[] = [];
  #outcomes: readonly Outcome[] = [];

  isDown(slug: string): boolean {
    return this.#records.get(slug)?.status === "down";
  }

  /** Decides and records the results of a run. */
  add(looks: readonly ProbeResult[], run: Run, windows: SiteWindows = new Map()): Outcome[] {
    const { outcomes, streaks, records, incidents } = toFindings(
      historyState({
        records: this.#records,
        incidents: this.incidents,
        ended: new Map([...this.incidents].filter(([, { end }]) => end !== undefined)),
        streaks: this.#streaks,
        incidentIds: new Set(this.incidents.keys()),
      }),
      looks,
      run,
      windows,
    );
    this.#streaks = new Map([...this.#streaks, ...streaks]);
    for (const [id, incident] of incidents) this.incidents.set(id, incident);
    for (const [slug, record] of records) this.#records.set(slug, record);
    this.#sites = looks.map(({ site }) => site);
    this.#outcomes = outcomes;
    return outcomes;
  }

  /** The incidents as channels are notified of them, after the last run. */
  subjects(
    now: Temporal.Instant,
    { windows = new Map(), abandoned = [] }: {
      windows?: SiteWindows;
      abandoned?: AbandonedIncident[];
    } = {},
  ): Subject[] {
    return listIncidentSubjects(
      { incidents: this.incidents, ended: new Map(), sites: this.#sites, records: this.#records },
      {
        outcomes: [...this.#outcomes],
        causes: [],
        abandoned,
        streaks: this.#streaks,
        incidents: new Map(abandoned.map(({ id, incident }) => [id, incident])),
        windows,
        mutes: {},
        notified: new Set(this.incidents.keys()),
        language: LANGUAGE,
      },
      now,
    );
  }

  /** Formats and parses the run state, as from one process to the next. */
  writeAndRead(): void {
    const time = Temporal.Instant.fromEpochMilliseconds(0);
    const runState = { run: "", time, rows: [], outbox: [], failedCanaries: 0 };
    const sites = Object.fromEntries(this.#streaks);
    const { sites: read } = parseRunState(formatRunState({ ...runState, sites })).runState!;
    this.#streaks = new Map(Object.entries(read));
  }
}
