import { PAGES_BRANCH } from "../../config/page_path.ts";
import { listSelfHostedLocations } from "../../config/legs.ts";
import {
  ANNOUNCE,
  locationWorkflowPath,
  WORKFLOW_KEYS,
  workflowPath,
  WORKFLOWS,
} from "../../config/workflows.ts";
import { TOKENS } from "../../github/refusal.ts";
import {
  NOT_SEEN,
  type PagesFacts,
  type RepositoryFacts,
} from "../../github/repository_settings.ts";
import { change, type Examination, type Finding, note, unexamined, well } from "./facts.ts";
import type { PageAddresses } from "../page_addresses.ts";
import { formatCommand } from "../../text/invocation.ts";

/** Examines whether the token is accepted, and may do what the program needs. */
export const token: Examination = ({ repository: { value, why, isWrong }, config }) => {
  // The reason includes the cure.
  if (value === undefined) return isWrong ? [change(why)] : unexamined(why);
  const { mayPush, scopes, isArchived, hasIssues } = value;
  const findings = scopeFindings(value);
  if (mayPush === false) {
    findings.unshift(change(
      "the account of the token may not write in the repository",
      "give it the role Write in Settings > Collaborators, or use a token of another account",
    ));
  }
  if (isArchived) {
    findings.push(change("the repository is archived", "unarchive it in Settings > General"));
  }
  if (!hasIssues && config?.issues !== false) {
    findings.push(change(
      "issues are switched off, so incidents have none",
      "switch Issues on in Settings > General > Features, or set issues: false",
    ));
  }
  if (findings.some(({ verdict }) => verdict === "change")) return findings;
  const kind = scopes === undefined ? "" : `: classic, with the scope ${scopes.join(", ")}`;
  return [...well(`the token can be used${kind}`), ...findings];
};

function scopeFindings({ scopes, isPrivate }: RepositoryFacts): Finding[] {
  if (scopes === undefined) {
    return [note("the token is not a classic one, so its scopes can't be read")];
  }
  if (!scopes.includes("repo") && (isPrivate || !scopes.includes("public_repo"))) {
    const list = scopes.length === 0 ? "no scope" : `only the scope ${scopes.join(", ")}`;
    return [change(`the token has ${list}`, `give it the scope repo in ${TOKENS}`)];
  }
  return scopes.includes("workflow") ? [] : [
    note(
      "the token lacks the scope workflow: Setup CI can't write workflow files, and prints them",
      `give it the scope workflow in ${TOKENS}`,
    ),
  ];
}

/** Reasons for a workflow that GitHub does not start, by its state there. */
const STATES: Readonly<Record<string, string>> = {
  disabled_inactivity: "was stopped by GitHub, because nothing happened for 60 days",
  disabled_manually: "was disabled by somebody",
  disabled_fork: "was disabled, because the repository is a fork",
  deleted: "is missing on the default branch",
};

export const actions: Examination = ({ hasActions, workflows, config }) => {
  if (hasActions.value === false) {
    return [change(
      "workflows may not run in this repository",
      "allow them in Settings > Actions > General",
    )];
  }
  if (workflows.value === undefined) return unexamined(workflows.why);
  const states = new Map(workflows.value.map(({ path, state }) => [path, state]));
  const ofLocations = (config === undefined ? [] : listSelfHostedLocations(config)).map((
    location,
  ) => ({
    path: locationWorkflowPath(location),
    name: `${WORKFLOWS.uptime.name}: ${location.name}`,
    isNeeded: true,
  }));
  const wanted = [
    ...WORKFLOW_KEYS.map((key) => ({
      path: workflowPath(key),
      name: WORKFLOWS[key].name as string,
      isNeeded: key === "uptime",
    })),
    ...ofLocations,
    ...config?.announce === true ? [{ ...ANNOUNCE, isNeeded: false }] : [],
  ];
  const missing = wanted.filter(({ path }) => !states.has(path)).map(({ name }) => name);
  const findings = [
    ...missing.length === 0 ? [] : [change(
      `GitHub does not know ${missing.join(", ")}`,
      `run "${formatCommand("update-template")}", and push what it writes to the default branch`,
    )],
    ...wanted.flatMap(({ path, ...workflow }) =>
      disabledFindings(workflow, states.get(path) ?? "active")
    ),
  ];
  return findings.length === 0 ? well("each workflow exists and is enabled") : findings;
};

function disabledFindings(
  { name, isNeeded }: { name: string; isNeeded: boolean },
  state: string,
): Finding[] {
  if (state === "active") return [];
  const says = `${name} ${STATES[state] ?? `is ${state}`}`;
  const cure = `gh workflow enable "${name}"`;
  // Disabling may be deliberate, but without Uptime CI nothing is monitored.
  const isDeliberate = state === "disabled_manually" && !isNeeded;
  return [isDeliberate ? note(says, cure) : change(says, cure)];
}

/** Rules by which GitHub refuses the program's commits, in words. */
const REFUSING: Readonly<Record<string, string>> = {
  pull_request: "pull requests",
  required_status_checks: "status checks",
  required_deployments: "deployments",
  required_signatures: "signed commits",
  merge_queue: "a merge queue",
  update: "no pushes at all",
  workflows: "passed workflows",
};

export const branch: Examination = ({ rules, isProtected, repository }) => {
  if (rules.value === undefined) return unexamined(rules.why);
  const name = repository.value?.branch ?? "the default branch";
  if (rules.value.length === 0 && isProtected.value === true) {
    return [note(
      `${name} is protected by a rule whose terms can't be read`,
      "check in Settings > Branches that the account of HOST_PAT may push and bypass pull requests",
    )];
  }
  const refusing = rules.value.flatMap((type) => REFUSING[type] ?? []);
  return refusing.length === 0 ? well(`no known rule refuses pushes to ${name}`) : [change(
    `a ruleset for ${name} requires ${refusing.join(", ")}`,
    "let the account of HOST_PAT bypass it in Settings > Rules > Rulesets, unless it does already",
  )];
};

const CHOOSE = `choose the branch ${PAGES_BRANCH} and the folder / in Settings > Pages`;

export const pages: Examination = ({ config, pages: { value, why }, repository, addresses }) => {
  if (config === undefined || config.skipGeneratingWebsite) return [];
  const isPrivate = repository.value?.isPrivate === true;
  if (isPrivate && config["status-website"]?.publish !== true) {
    return well("a private repository publishes no page without status-website.publish: true");
  }
  if (why !== undefined) return [...unexamined(why), ...addressFindings(addresses)];
  if (value === undefined) {
    const plan = isPrivate ? " (a private repository needs a paid plan)" : "";
    return [change("GitHub Pages is off", `${CHOOSE}, once Static Site CI has run${plan}`)];
  }
  const findings = [
    ...sourceFindings(value),
    ...domainFindings(value, config["status-website"]?.cname),
  ];
  if (findings.length > 0) return findings;
  return [...well(`the page is published from ${PAGES_BRANCH}`), ...addressFindings(addresses)];
};

function addressFindings(addresses: PageAddresses): Finding[] {
  return Object.entries(addresses).flatMap(([purpose, address]) =>
    well(`${purpose} at ${address}`)
  );
}

function sourceFindings({ source }: PagesFacts): Finding[] {
  if (source === undefined) return [change("GitHub Pages waits for a workflow of its own", CHOOSE)];
  const { branch, path } = source;
  return branch === PAGES_BRANCH && path === "/"
    ? []
    : [change(`GitHub Pages publishes ${path} of the branch ${branch}`, CHOOSE)];
}

function domainFindings({ cname, isHttps }: PagesFacts, wanted: string | undefined): Finding[] {
  if (cname?.toLowerCase() === wanted?.toLowerCase()) {
    return isHttps
      ? []
      : [note("the page is also served over http", "choose Enforce HTTPS in Settings > Pages")];
  }
  return [
    wanted === undefined
      ? change(
        `GitHub serves the page at ${cname}, and the configuration names no domain`,
        `set status-website: { cname: ${cname} }, or remove the domain in Settings > Pages`,
      )
      : change(
        `the configuration wants the page at ${wanted}, and GitHub serves it at ${
          cname ?? "its default address"
        }`,
        "run Static Site CI; if that does not help, set the domain in Settings > Pages",
      ),
  ];
}

/** Days without a push after which GitHub stops the schedules of a public repository, and after which a note says so. */
const [LIMIT, NEAR] = [60, 45];

export const activity: Examination = ({ repository: { value, why, isWrong }, now }) => {
  if (value === undefined) return unexamined(isWrong ? NOT_SEEN : why);
  if (value.isPrivate) return [];
  if (value.pushed === undefined) {
    return [change("the repository is empty", "push the configuration and workflows")];
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
