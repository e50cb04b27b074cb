import { FREE_MINUTES } from "../../billing/billing.ts";
import { change, type Examination, type Finding, note, well } from "../examination.ts";

/** What the jobs cost. */
export const minutes: Examination = ({ billing, repository }) => {
  if (billing === undefined) return [];
  const { minutes, selfHosted, cheaper } = billing;
  if (selfHosted) return well("the jobs run on a machine of your own: no minutes are billed");
  if (repository.value?.isPrivate === false) {
    return well("the repository is public: no minutes are billed");
  }
  const number = (count: number) => count.toLocaleString("en");
  const sum = `about ${number(minutes)} minutes a month are billed`;
  if (minutes <= FREE_MINUTES) return well(`${sum}, all free (${number(FREE_MINUTES)} are)`);
  const schedule = cheaper === undefined ? "" : `workflowSchedule: { uptime: "${cheaper}" }, or `;
  const found: Finding["verdict"] = repository.value === undefined ? "note" : "change";
  const judge = found === "note" ? note : change;
  const where = found === "note" ? "in a private repository " : "";
  return [
    judge(
      `${where}${sum}, ${number(FREE_MINUTES)} of them free`,
      `set ${schedule}runner: self-hosted`,
    ),
  ];
};
