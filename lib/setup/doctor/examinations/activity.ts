import { NOT_SEEN } from "../facts.ts";
import { change, type Examination, note, unexamined, well } from "../examination.ts";

/** Days without a change after which GitHub stops schedules of public repositories. */
const LIMIT = 60;
/** Days after which that is said. */
const NEAR = 45;

/** Whether GitHub is about to stop schedules, because nothing happens in the repository. */
export const activity: Examination = ({ repository: { value, why, isWrong }, now }) => {
  if (value === undefined) return unexamined(isWrong ? NOT_SEEN : why);
  if (value.isPrivate) return [];
  if (value.pushed === undefined) {
    return [
      change("nothing was ever pushed to the repository", "push the configuration and workflows"),
    ];
  }
  const days = Math.floor(now.since(value.pushed).total("days"));
  const says = `the repository last changed ${days === 0 ? "today" : `${days} days ago`}`;
  if (days < NEAR) return well(says);
  const cure =
    'push something, such as a change of the README; then gh workflow enable "Uptime CI"';
  return [
    days < LIMIT
      ? note(`${says}; GitHub stops schedules after ${LIMIT}`, cure)
      : change(`${says}, and GitHub stops schedules after ${LIMIT}`, cure),
  ];
};
