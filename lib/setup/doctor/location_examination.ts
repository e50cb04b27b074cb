import { planLegs } from "../../config/legs.ts";
import { isSelfHostedLocation, type Location } from "../../config/locations.ts";
import { isHosted, WORKFLOWS } from "../../config/workflows.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "./facts.ts";

/** The oldest runner that executes the actions of today's workflows. */
const OLDEST_RUNNER = "2.327.1";

/** Examines whether each location sends results, and warns of runners that are too old for artifacts. */
export const locations: Examination = ({ config, activeLocations }) => {
  if (config === undefined) return [];
  const legs = planLegs(config, config.shards === "auto" ? 1 : config.shards);
  const exchanges = legs !== undefined && !isHosted(config.runner.uptime);
  const findings = exchanges
    ? [note(
      "the jobs on your own machine exchange artifacts",
      `use version ${OLDEST_RUNNER} of the runner or a newer one`,
    )]
    : [];
  // A site with a single location has no rows of that location.
  const recorded = config.locations.filter(({ name }) =>
    config.sites.some(({ paused, locations }) =>
      !paused && locations.length > 1 && locations.includes(name)
    )
  );
  if (recorded.length === 0) return findings;
  if (activeLocations === undefined) {
    return [...findings, ...unexamined("the results of locations are not known")];
  }
  for (const location of recorded) {
    if (!activeLocations.has(location.name)) findings.push(describeSilence(location));
  }
  return findings.length > 0 ? findings : well(`each of ${recorded.length} has sent results`);
};

function describeSilence(location: Location): Finding {
  const { name, runner = [] } = location;
  const listRuns = `gh run list --workflow "${WORKFLOWS.uptime.name}`;
  return isSelfHostedLocation(location)
    ? change(
      `${name} (${runner.join(", ")}) has sent nothing for a day`,
      "check in Settings > Actions > Runners that a runner with these labels is online, and that " +
        `it is version ${OLDEST_RUNNER} or newer; then ${listRuns}: ${name}"`,
    )
    : change(`${name} has sent nothing for a day`, `find the cause: ${listRuns}"`);
}
