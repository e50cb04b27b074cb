import * as v from "valibot";
import { duration } from "./duration.ts";
import { pageKeys } from "./page_keys.ts";
import { schedule } from "./schedule.ts";
import {
  about,
  expected,
  flag,
  integer,
  later,
  laterKeys,
  list,
  map,
  names,
  text,
  textOrNumber,
  withoutEffect,
} from "./values.ts";

/** Longest a job of the platform may run, in milliseconds. */
const LONGEST_JOB = 21_600_000;
/** A day, in milliseconds. */
const DAY = 86_400_000;

/** Keys of the top level that aren't keys of sites too. */
export const TOP_KEYS = {
  owner: v.optional(
    about(
      "Owner of the repository; taken from the job or the git remote where it is not given.",
      textOrNumber("a name"),
    ),
  ),
  repo: v.optional(
    about(
      "Name of the repository; taken from the job or the git remote where it is not given.",
      textOrNumber("a name"),
    ),
  ),
  concurrency: v.optional(about("Checks at once.", integer(1, 1000)), 64),
  runDeadline: v.optional(
    about(
      "Seconds; what is unfinished then is judged by the attempts made.",
      duration("s", { min: 1, max: LONGEST_JOB }),
    ),
    240,
  ),
  canaries: v.optional(
    about(
      "Hosts with ports that tell whether the monitor's own network works: asked only where a site can't be reached, and none with []. Three well-known ones and the platform's where nothing is said.",
      list(canary(), "a list of hosts with ports, or [] for none"),
    ),
  ),
  "heartbeat-url": v.optional(
    about(
      "Address that is fetched at the end of each run, so that a service such as healthchecks.io notices when runs stop coming.",
      text("an address or a $SECRET"),
    ),
  ),
  issues: v.optional(
    about("Whether incidents become issues of the repository; false keeps them in files.", flag()),
    true,
  ),
  lockIssues: v.optional(
    about("Whether only collaborators may comment on the issues of incidents.", flag()),
    true,
  ),
  assignees: v.optional(
    about("Accounts that the issues of all incidents are assigned to.", names("an account")),
    [],
  ),
  history: v.optional(
    about(
      "How the history is kept.",
      map({
        commitEvery: v.optional(
          about(
            "Hours between two commits in which nothing changed; 0 commits every run. A change is committed at once.",
            duration("h", { max: DAY }),
          ),
          "1h",
        ),
        keepDays: v.optional(
          about(
            "Days that single checks are kept for; older ones go once they are rolled up into days.",
            integer(1, 36_500),
          ),
          35,
        ),
        ...laterKeys({ maxGap: "Longest time that a check speaks for" }),
      }),
    ),
    {},
  ),
  commitMessages: v.optional(
    about(
      "Texts of our commits.",
      map({
        statusChange: v.optional(about(
          "Of a change, with $PREFIX, $SITE_NAME, $SITE_URL, $SITE_METHOD, $STATUS, $RESPONSE_CODE and $RESPONSE_TIME.",
          text(),
        )),
        commitAuthorName: v.optional(about("Name of the author.", person())),
        commitAuthorEmail: v.optional(about("Mail address of the author.", person())),
        ...laterKeys({
          readmeContent: "Text of the commit of the README",
          summaryJson: "Text of the commit of the summary",
          graphsUpdate: "Text of the commit of the graphs",
          signoff: "Whether commits are signed off",
        }),
      }),
    ),
    {},
  ),
  commitPrefixStatusUp: v.optional(about("Begins the commit of a recovery.", text()), "🟩"),
  commitPrefixStatusDown: v.optional(about("Begins the commit of an outage.", text()), "🟥"),
  commitPrefixStatusDegraded: v.optional(
    about("Begins the commit of a slow site.", text()),
    "🟨",
  ),
  workflowSchedule: v.optional(
    about(
      "When the workflows run, each a schedule of five fields in UTC; validate counts what they cost.",
      map({
        uptime: v.optional(about("Uptime CI.", schedule()), "*/5 * * * *"),
        responseTime: v.optional(about("Response Time CI.", schedule()), "0 23 * * *"),
        graphs: v.optional(about("Graphs CI.", schedule()), "0 0 * * *"),
        site: v.optional(about("Static Site CI.", schedule()), "0 1 * * *"),
        staticSite: v.optional(about("Another spelling of site.", schedule())),
        summary: v.optional(about("Summary CI.", schedule()), "0 0 * * *"),
        ...withoutEffect({
          updateTemplate: "workflows are brought up to date when the configuration changes",
          updates: "workflows are brought up to date when the configuration changes",
        }),
      }),
    ),
    {},
  ),
  runner: v.optional(
    about(
      "Where the jobs run: a label of the platform, or a list of labels with self-hosted among them.",
      v.union([text(), list(text())], expected("a label or a list of labels")),
    ),
    "ubuntu-latest",
  ),
  "status-website": v.optional(later(pageKeys())),
};

/** Keys of the top level that a later version uses; until then they load without effect. */
export const LATER_TOP_KEYS = laterKeys({
  maintenance: "Times in which sites may be down",
  graphs: "How graphs are drawn and kept",
  i18n: "Words of README and page",
  pages: "Pages of the status page",
  timezone: "Time zone of graphs and page",
  secrets: "Secrets that the workflows hand over",
  actionVersion: "Version that the workflows are held at",
  summaryStartHtmlComment: "Comment in the README before the summary",
  summaryEndHtmlComment: "Comment in the README after the summary",
  liveStatusHtmlComment: "Comment in the README before the live status",
  skipDescriptionUpdate: "true: the repository's description stays",
  skipTopicsUpdate: "true: the repository's topics stay",
  skipHomepageUpdate: "true: the repository's homepage stays",
  skipGeneratingWebsite: "true: no status page",
});

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

/** Part of the name of who commits: git leaves angle brackets out of it. */
function person() {
  const message = expected("a text with more in it than < and >");
  return v.pipe(v.string(message), v.regex(/[^<>\s]/, message));
}
