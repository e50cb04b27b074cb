import { PAGES_BRANCH } from "../../../config/page_path.ts";
import type { PagesFacts } from "../../../github/repository_settings.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "../examination.ts";

const CHOOSE = `choose the branch ${PAGES_BRANCH} and the folder / in Settings > Pages`;

/** Whether GitHub shows the page, at the address that the configuration says. */
export const pages: Examination = ({ config, pages: { value, why }, repository }) => {
  if (config === undefined || config.skipGeneratingWebsite) return [];
  const isPrivate = repository.value?.isPrivate === true;
  if (isPrivate && config["status-website"]?.publish !== true) {
    return well("that of a private repository is published only with status-website.publish: true");
  }
  if (why !== undefined) return unexamined(why);
  if (value === undefined) {
    const plan = isPrivate ? " (for a private repository that takes a paid plan)" : "";
    return [change("pages are not switched on", `${CHOOSE}, once Static Site CI has run${plan}`)];
  }
  const findings = [
    ...judgeSource(value),
    ...judgeDomain(value, config["status-website"]?.cname),
  ];
  return findings.length === 0 ? well(`the page is published from ${PAGES_BRANCH}`) : findings;
};

function judgeSource({ source }: PagesFacts): Finding[] {
  if (source === undefined) {
    return [change("pages wait for a workflow of their own", CHOOSE)];
  }
  const { branch, path } = source;
  return branch === PAGES_BRANCH && path === "/"
    ? []
    : [change(`pages are made of ${path} on the branch ${branch}`, CHOOSE)];
}

function judgeDomain({ cname, isHttps }: PagesFacts, wanted: string | undefined): Finding[] {
  if (cname?.toLowerCase() !== wanted?.toLowerCase()) {
    return [
      wanted === undefined
        ? change(
          `GitHub shows the page at ${cname}, and the configuration names no domain`,
          `set status-website: { cname: ${cname} }, or remove the domain in Settings > Pages`,
        )
        : change(
          `the configuration wants the page at ${wanted}, and GitHub shows it ${
            cname === undefined ? "at its usual address" : `at ${cname}`
          }`,
          "run Static Site CI; where that does not help, set the domain in Settings > Pages",
        ),
    ];
  }
  return isHttps
    ? []
    : [note("the page is given by http too", "choose Enforce HTTPS in Settings > Pages")];
}
