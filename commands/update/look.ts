import type { Config } from "../../lib/config/config.ts";
import type { Context } from "../../lib/context.ts";
import { random } from "../../lib/doors/chance.ts";
import { INCIDENTS_FOLDER } from "../../lib/history/incident.ts";
import type { HistoryState } from "../../lib/history/state.ts";
import { checkSites } from "../../lib/verdict/check_sites.ts";
import type { CheckResult } from "../../lib/verdict/judge.ts";
import { nameWidth, verdictLine, waitingFor } from "../../templates/check_lines.ts";
import { countSites } from "../../templates/words.ts";

/** What there is to know before sites are looked at. */
interface Beginning {
  state: HistoryState;
  /** Where the history is kept, in words. */
  place: string;
  /** Sites that are not looked at for now. */
  paused: number;
  /** What requests call themselves. */
  agent: string;
}

/** Looks at every site, and shows the verdicts as they come. */
export async function lookAtSites(
  config: Config,
  { state, place, paused, agent }: Beginning,
  { clock, secrets, root, log, environment }: Context,
): Promise<CheckResult[]> {
  const { sites } = config;
  const token = environment.token === undefined ? " (no HOST_PAT or GITHUB_TOKEN)" : "";
  const others = paused === 0 ? "" : ` (${paused} paused)`;
  log.group(
    `Checking ${
      countSites(sites.length)
    }${others}. History: ${place}. Incidents: files in ${INCIDENTS_FOLDER}/${token}.`,
  );
  const width = nameWidth(sites.map(({ name }) => name));
  const open = new Map(sites.map(({ slug, name }) => [slug, name]));
  const progress = () => log.progress(waitingFor([...open.values()]));
  progress();
  const results = await checkSites(config, {
    clock,
    random,
    secrets,
    root,
    userAgent: agent,
    knownDown: ({ slug }) => state.records.get(slug)?.status === "down",
    onVerdict: (result) => {
      log.line(verdictLine(result, width));
      open.delete(result.site.slug);
      progress();
    },
  });
  log.endGroup();
  return results;
}
