import * as v from "valibot";
import { DAY, MINUTE } from "../../time.ts";
import { duration } from "./duration.ts";
import { timezone } from "./timezone.ts";
import { about, expected, flag, integer, map, text } from "./values.ts";

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

/** Keys that say how what is found is kept, committed and drawn. */
export const RECORD_KEYS = {
  history: v.optional(
    about(
      "How history is stored.",
      map({
        commitEvery: v.optional(
          about(
            "Hours between commits while no state changes; 0 commits every run. A change of state is committed at once.",
            duration("h", { max: DAY }),
          ),
          "1h",
        ),
        keepDays: v.optional(
          about(
            "Days to keep individual checks; older ones are removed after their daily roll-up.",
            integer(1, 36_500),
          ),
          35,
        ),
        maxGap: v.optional(
          about(
            "Minutes a check covers at most; later time is unknown until the next check. Default: three times the interval of Uptime CI, at least 30.",
            duration("m", { min: MINUTE, max: 7 * DAY }),
          ),
        ),
      }),
    ),
    {},
  ),
  commitMessages: v.optional(
    about(
      "Messages and author of commits.",
      map({
        statusChange: v.optional(about(
          "Message of a change of state. Placeholders: $PREFIX or $EMOJI, $SITE_NAME, $SITE_URL, $SITE_METHOD, $STATUS, $RESPONSE_CODE, $RESPONSE_TIME.",
          text(),
        )),
        commitAuthorName: v.optional(about("Name of the commit author.", person())),
        commitAuthorEmail: v.optional(about("Email address of the commit author.", person())),
        summaryJson: v.optional(about("Message of a commit with new statistics.", text())),
        graphsUpdate: v.optional(about("Message of a commit with new graphs.", text())),
        readmeContent: v.optional(about("Message of a commit with a new README summary.", text())),
        signoff: v.optional(
          about("Add a Signed-off-by line to commits.", flag()),
        ),
      }),
    ),
    {},
  ),
  commitPrefixStatusUp: v.optional(
    about("Prefix of the commit message of a recovery.", text()),
    "🟩",
  ),
  commitPrefixStatusDown: v.optional(
    about("Prefix of the commit message of an outage.", text()),
    "🟥",
  ),
  commitPrefixStatusDegraded: v.optional(
    about("Prefix of the commit message of a degraded site.", text()),
    "🟨",
  ),
  graphs: v.optional(
    about(
      "How graphs are drawn and stored.",
      map({
        branch: v.optional(
          about(
            "Branch that holds the graphs as its only commit; `same` commits them to the main branch.",
            branch(),
          ),
          "monitor-graphs",
        ),
        svg: v.optional(about("Also write each graph as SVG.", flag()), false),
        dark: v.optional(
          about("Also draw each graph for dark pages, as `*-dark.png`.", flag()),
          true,
        ),
      }),
    ),
    {},
  ),
  timezone: v.optional(
    about("Time zone of graphs, reports and the page, such as Europe/Berlin.", timezone()),
    "UTC",
  ),
};

/** Part of the name of who commits: git leaves angle brackets out of it. */
function person() {
  const message = expected("a text with more in it than < and >");
  return v.pipe(v.string(message), v.regex(/[^<>\s]/, message));
}

/** Name of a branch; rules of git-check-ref-format, without those nobody meets by chance. */
function branch() {
  const message = expected("the name of a branch");
  return v.pipe(
    v.string(message),
    v.regex(/^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|[/.]$|\.lock$|\/\.))[^\s~^:?*[\\\p{C}]+$/u, message),
  );
}
