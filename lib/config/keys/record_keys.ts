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
        maxGap: v.optional(
          about(
            "Minutes that a check speaks for at most; the time after is unknown until the next one. Three times the interval of Uptime CI and at least 30 where it is not given.",
            duration("m", { min: MINUTE, max: 7 * DAY }),
          ),
        ),
      }),
    ),
    {},
  ),
  commitMessages: v.optional(
    about(
      "Texts of our commits.",
      map({
        statusChange: v.optional(about(
          "Message of a change, with $PREFIX or $EMOJI, $SITE_NAME, $SITE_URL, $SITE_METHOD, $STATUS, $RESPONSE_CODE and $RESPONSE_TIME.",
          text(),
        )),
        commitAuthorName: v.optional(about("Name of the author.", person())),
        commitAuthorEmail: v.optional(about("Mail address of the author.", person())),
        summaryJson: v.optional(about("Of new statistics.", text())),
        graphsUpdate: v.optional(about("Of new graphs.", text())),
        readmeContent: v.optional(about("Of a new summary in the README.", text())),
        signoff: v.optional(
          about("Whether commits say that their author signs them off.", flag()),
        ),
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
  graphs: v.optional(
    about(
      "How graphs are drawn and kept.",
      map({
        branch: v.optional(
          about(
            "Branch that the graphs are published to, as its only commit; same commits them beside everything else.",
            branch(),
          ),
          "monitor-graphs",
        ),
        svg: v.optional(about("Whether each graph is written as SVG too.", flag()), false),
        dark: v.optional(
          about("Whether each graph is drawn for dark pages too, as *-dark.png.", flag()),
          true,
        ),
      }),
    ),
    {},
  ),
  timezone: v.optional(
    about("Time zone of graphs, reports and page, such as Europe/Berlin.", timezone()),
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
