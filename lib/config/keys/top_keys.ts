import * as v from "valibot";
import { duration } from "./duration.ts";
import { README_KEYS } from "./readme_keys.ts";
import { RECORD_KEYS } from "./record_keys.ts";
import { WORKFLOW_SETTINGS } from "./workflow_keys.ts";
import {
  about,
  accounts,
  expected,
  flag,
  integer,
  list,
  text,
  textOrNumber,
  withoutEffect,
} from "./values.ts";

/** Longest a job of GitHub may run, in milliseconds. */
const LONGEST_JOB = 21_600_000;

/** Keys of the top level that aren't keys of sites too. */
export const TOP_KEYS = {
  owner: v.optional(
    about(
      "Owner of the repository. Default: from the job, else from the git remote.",
      textOrNumber("a name"),
    ),
  ),
  repo: v.optional(
    about(
      "Name of the repository. Default: from the job, else from the git remote.",
      textOrNumber("a name"),
    ),
  ),
  concurrency: v.optional(
    about(
      "Number of checks that run at the same time. A check that hangs gives up its slot after 5 seconds, or sooner if there are many sites.",
      integer(1, 1000),
    ),
    64,
  ),
  runDeadline: v.optional(
    about(
      "Seconds a run may take; checks unfinished by then are evaluated from the attempts made.",
      duration("s", { min: 1, max: LONGEST_JOB }),
    ),
    240,
  ),
  canaries: v.optional(
    about(
      "Addresses (host:port) that prove the monitor's own network works; [] for none. They are contacted only when a site can't be reached. Default: three well-known hosts and GitHub's API.",
      list(canary(), "a list of hosts with ports, or [] for none"),
    ),
  ),
  "heartbeat-url": v.optional(
    about(
      "Address fetched at the end of each run, so that a service notices when runs stop. A run without any result sends a failure if the service accepts one, else nothing.",
      text("an address or a $SECRET"),
    ),
  ),
  issues: v.optional(
    about("Open a GitHub issue for each incident; false keeps incidents in files only.", flag()),
    true,
  ),
  lockIssues: v.optional(
    about("Lock incident issues, so that only collaborators can comment.", flag()),
    true,
  ),
  assignees: v.optional(
    about("Accounts assigned to every incident issue.", accounts()),
    [],
  ),
  ...RECORD_KEYS,
  ...WORKFLOW_SETTINGS,
  ...README_KEYS,
  skipGeneratingWebsite: v.optional(
    about("Don't build a status page.", flag()),
    false,
  ),
};

/** Keys of the top level that mean something to other programs only. */
export const FOREIGN_TOP_KEYS = {
  ...withoutEffect({
    delay: "checks are paced by themselves",
    skipDeleteIssues: "no incident is ever deleted",
    skipPoweredByReadme: "nothing is added to the README but the summary",
    customStatusWebsitePackage: "the page is built in",
    graphBackgroundColor: "graphs have colours of their own",
    graphBorderColor: "graphs have colours of their own",
    hasDisabledAutomatedIssues: "issues: false keeps incidents in files only",
  }),
  ...withoutEffect({
    PAT:
      "a token in a file can be read by others: revoke it, and make the new one a secret named HOST_PAT",
  }, "warning"),
};

const TOP = v.object(TOP_KEYS);
/** {@linkcode TOP_KEYS} as read; lengths of time in milliseconds. */
export type TopKeys = v.InferOutput<typeof TOP>;

/** A host and a port. */
function canary() {
  const message = expected("a host with a port, such as one.one.one.one:443");
  const pattern =
    /^(?:\[[\da-f:.]+\]|[^\s:/@]+):(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/i;
  return v.pipe(v.string(message), v.regex(pattern, message));
}
