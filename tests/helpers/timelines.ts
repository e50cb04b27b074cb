import { createPhaseReader } from "../../lib/incidents/phase_words.ts";
import type { Language } from "../../lib/text/language.ts";
import { randomName, systemClock } from "../../lib/io/clock.ts";
import type { Pace } from "../../lib/github/limits.ts";
import type { StoredIncident } from "../../lib/history/stored_incidents.ts";
import type { Store } from "../../lib/history/store/store.ts";
import { readTimelines, type Timelines } from "../../lib/pipeline/timelines.ts";
import { timelinesMessage } from "../../templates/commit_message.ts";
import { openedGitHub } from "./opened_github.ts";
import type { GitHubServer } from "./github_server.ts";

/** How timelines are read in a test. */
export interface ReadOptions {
  /** The monitored folder in the repository. */
  folder?: string;
  slugs?: readonly string[];
  redact?(text: string): string;
  readOnly?: boolean;
  /** Account whose token it is. */
  login?: string;
  pace?: Partial<Pace>;
  /** When the run is. @default now */
  time?: Temporal.Instant;
  /** Languages in which people write phases, beside English. */
  languages?: readonly Language[];
  /** Gets GitHub's warnings. */
  warn?(text: string): void;
}

/** Reads timelines as commands do; without GitHub as one without a token does. */
export async function readAlong(
  store: Store,
  server: Pick<GitHubServer, "url" | "repository" | "account"> | undefined,
  options: ReadOptions = {},
): Promise<Timelines> {
  const { folder = "", slugs = ["shop"], redact = String, readOnly = false, login, pace } = options;
  const { time = systemClock.now(), warn = () => {}, languages = [] } = options;
  const token = server?.account(login ?? "monitor-bot").token ?? "";
  const { url, repository } = server ?? {};
  return await readTimelines({
    store,
    snapshot: await store.read(),
    github: server &&
      openedGitHub({ url: url!, repository: repository!, token }, { pace, warn }),
    place: { folder, sites: slugs.map((slug) => ({ slug, name: slug })), redact },
    readPhase: createPhaseReader(languages),
    run: { id: randomName(), time },
    message: timelinesMessage,
    author: { name: "Jo", email: "jo@example.com" },
    readOnly,
  });
}

/** Comments, as `phase: text`, by incident. */
export function writtenOn({ incidents }: Pick<Timelines, "incidents">): Record<string, string[]> {
  const formatUpdates = ({ updates }: StoredIncident) =>
    updates.map(({ phase, text }) => phase === undefined ? text : `${phase}: ${text}`);
  return Object.fromEntries([...incidents].map(([id, incident]) => [id, formatUpdates(incident)]));
}
