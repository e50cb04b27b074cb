import * as v from "valibot";
import { language } from "./languages.ts";
import { duration, timezone } from "./times.ts";
import { WORKFLOW_SETTINGS } from "./workflow_keys.ts";
import {
  accounts,
  expected,
  flag,
  integer,
  list,
  map,
  optional,
  pattern,
  text,
  textOrNumber,
  withoutEffect,
  word,
} from "./values.ts";
import { DAY, HOUR, MINUTE } from "../../time.ts";

/** Longest a job of GitHub may run, in milliseconds. */
const LONGEST_JOB = 21_600_000;

/** Most jobs that a matrix of GitHub may have. */
const MOST_SHARDS = 256;

/** Shortest gap between runs that can be an alarm, in milliseconds. */
const ALARM_RANGE = { min: HOUR, max: 7 * DAY };
const ALARM = "true, false, or a length of time from 1 h to 7 d, such as 90m or 4h";

/** Names that stand for something in `commitMessages.statusChange`. `$EMOJI` is Upptime's newer word for `$PREFIX`. */
export const COMMIT_PLACEHOLDERS = [
  "PREFIX",
  "EMOJI",
  "SITE_NAME",
  "SITE_URL",
  "SITE_METHOD",
  "STATUS",
  "RESPONSE_CODE",
  "RESPONSE_TIME",
] as const;

const RECORD_KEYS = {
  history: optional(
    "How history is stored.",
    map({
      commitEvery: optional(
        "Hours between commits while no state changes; 0 commits every run. A change of state is committed at once.",
        duration("h", { max: DAY }),
        "1h",
      ),
      keepDays: optional(
        "Days to keep individual checks; older ones are removed after their daily roll-up.",
        integer(1, 36_500),
        35,
      ),
      maxGap: optional(
        "Minutes a check covers at most; later time is unknown until the next check. Default: three times the longest interval of Uptime CI or of a site, at least 30.",
        duration("m", { min: MINUTE, max: 7 * DAY }),
      ),
    }),
    {},
  ),
  commitMessages: optional(
    "Messages and author of commits.",
    map({
      statusChange: optional(
        "Message of a change of state. Placeholders: $PREFIX or $EMOJI, $SITE_NAME, $SITE_URL, $SITE_METHOD, $STATUS, $RESPONSE_CODE, $RESPONSE_TIME. A code or time of 0 is left out of ($RESPONSE_CODE in $RESPONSE_TIME ms).",
        text(),
      ),
      commitAuthorName: optional("Name of the commit author.", person()),
      commitAuthorEmail: optional("Email address of the commit author.", person()),
      summaryJson: optional("Message of a commit with new statistics.", text()),
      graphsUpdate: optional("Message of a commit with new graphs.", text()),
      readmeContent: optional("Message of a commit with a new README summary.", text()),
      signoff: optional("Add a Signed-off-by line to commits.", flag()),
    }),
    {},
  ),
  commitPrefixStatusUp: optional("Prefix of the commit message of a recovery.", text(), "🟩"),
  commitPrefixStatusDown: optional("Prefix of the commit message of an outage.", text(), "🟥"),
  commitPrefixStatusDegraded: optional(
    "Prefix of the commit message of a degraded site.",
    text(),
    "🟨",
  ),
  graphs: optional(
    "How graphs are drawn and stored.",
    map({
      branch: optional(
        "Branch that holds the graphs as its only commit; `same` commits them to the main branch.",
        branch(),
        "monitor-graphs",
      ),
      svg: optional("Also write each graph as SVG.", flag(), false),
      dark: optional("Also draw each graph for dark pages, as `*-dark.png`.", flag(), true),
    }),
    {},
  ),
  language: optional(
    "Language of all that people read outside of the terminal: page, README, feeds, issues and messages. Default: English.",
    language(),
  ),
  timezone: optional(
    "Time zone of graphs, reports, messages and the page, such as Europe/Berlin.",
    timezone(),
    "UTC",
  ),
};

/** Part of the name of who commits: git leaves angle brackets out of it. */
function person() {
  return pattern(/[^<>\s]/, "a text with more in it than < and >");
}

/** Name of a branch; rules of git-check-ref-format, without those nobody meets by chance. */
function branch() {
  const name = /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|[/.]$|\.lock$|\/\.))[^\s~^:?*[\\\p{C}]+$/u;
  return pattern(name, "the name of a branch");
}

const README_KEYS = {
  summaryStartHtmlComment: optional(
    "README comment before the summary. Default: `<!--start: status pages-->`; `<!-- monitor: summary -->` always works.",
    comment(),
  ),
  summaryEndHtmlComment: optional(
    "README comment after the summary. Default: `<!--end: status pages-->`.",
    comment(),
  ),
  liveStatusHtmlComment: optional(
    "README comment before the live status. Default: `<!--live status-->`.",
    comment(),
  ),
  skipDescriptionUpdate: optional("Leave an empty repository description empty.", flag(), false),
  skipTopicsUpdate: optional("Add no topics to a repository without topics.", flag(), false),
  skipHomepageUpdate: optional("Leave an empty repository homepage empty.", flag(), false),
};

function comment() {
  const line = /^\s*<!--(?!-?>)(?:(?!-->)[^\r\n])*\S(?:(?!-->)[^\r\n])*-->\s*$/;
  return pattern(line, "a comment such as <!-- sites -->");
}

/** Keys of the top level that aren't keys of sites too. */
export const TOP_KEYS = {
  owner: optional(
    "Owner of the repository. Default: from the job, else from the git remote.",
    textOrNumber("a name"),
  ),
  repo: optional(
    "Name of the repository. Default: from the job, else from the git remote.",
    textOrNumber("a name"),
  ),
  concurrency: optional(
    "Number of checks that run at the same time. A check that hangs gives up its slot after 5 seconds, or sooner if there are many sites.",
    integer(1, 1000),
    64,
  ),
  shards: optional(
    "Jobs over which the sites are divided: a number, or auto to keep each at about 90 seconds.",
    v.union(
      [integer(1, MOST_SHARDS), word(["auto"])],
      expected(`auto, or a number from 1 to ${MOST_SHARDS}`),
    ),
    1,
  ),
  runDeadline: optional(
    "Seconds a run may take; checks unfinished by then are evaluated from the attempts made.",
    duration("s", { min: 1, max: LONGEST_JOB }),
    240,
  ),
  canaries: optional(
    "Addresses (host:port) that prove the monitor's own network works; [] for none. A run contacts them only if a site can't be reached. Default: three well-known hosts and GitHub's API.",
    list(canary(), "a list of hosts with ports, or [] for none"),
  ),
  "heartbeat-url": optional(
    "Address fetched at the end of each run, so that a service notices when runs stop. A run without any result reports a failure if the service supports it, else nothing.",
    pattern(
      /^\s*(?:\$|https?:\/\/.)/i,
      "an address that starts with https:// or http://, or a $SECRET",
    ),
  ),
  driftAlarm: optional(
    "true: notify channels after a gap between runs that is far longer than usual. The gap must be more than three times the 90th percentile of the week before, and more than an hour, or the duration given instead of true.",
    v.pipe(
      v.union([flag(), duration("h", ALARM_RANGE)], expected(ALARM)),
      v.transform((value) => value === true ? ALARM_RANGE.min : value),
    ),
    false,
  ),
  issues: optional(
    "Open a GitHub issue for each incident; false keeps incidents in files only.",
    flag(),
    true,
  ),
  lockIssues: optional(
    "Lock incident issues, so that only collaborators can comment.",
    flag(),
    true,
  ),
  assignees: optional("Accounts assigned to every incident issue.", accounts(), []),
  ackFor: optional(
    "Hours an acknowledgement lasts; 0: until the incident ends. Then reminders start again.",
    duration("h", { max: 30 * DAY }),
    "4h",
  ),
  ...RECORD_KEYS,
  ...WORKFLOW_SETTINGS,
  ...README_KEYS,
  skipGeneratingWebsite: optional("Don't build a status page.", flag(), false),
};

/** Keys of the top level that mean something to other programs only. */
export const UNSUPPORTED_TOP_KEYS = {
  ...withoutEffect({
    delay: "checks are paced by themselves",
    skipDeleteIssues: "no incident is ever deleted",
    skipPoweredByReadme: "nothing is added to the README but the summary",
    customStatusWebsitePackage: "the page is built in",
    graphBackgroundColor: "graphs have colors of their own",
    graphBorderColor: "graphs have colors of their own",
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

function canary() {
  const address =
    /^(?:\[[\da-f:.]+\]|[^\s:/@]+):(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/i;
  return pattern(address, "a host with a port, such as one.one.one.one:443");
}
