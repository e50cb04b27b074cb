import * as v from "valibot";
import { about, expected, flag } from "./values.ts";

/** Keys that say where the README tells how sites are, and what else the repository tells of itself. */
export const README_KEYS = {
  summaryStartHtmlComment: v.optional(
    about(
      "Comment in the README before the summary; <!--start: status pages--> where it is not given. <!-- monitor: summary --> always is one.",
      comment(),
    ),
  ),
  summaryEndHtmlComment: v.optional(
    about(
      "Comment in the README after the summary; <!--end: status pages--> otherwise.",
      comment(),
    ),
  ),
  liveStatusHtmlComment: v.optional(
    about("Comment in the README before the live status; <!--live status--> otherwise.", comment()),
  ),
  skipDescriptionUpdate: v.optional(
    about("Whether an empty description of the repository stays empty.", flag()),
    false,
  ),
  skipTopicsUpdate: v.optional(
    about("Whether a repository without topics is given none.", flag()),
    false,
  ),
  skipHomepageUpdate: v.optional(
    about("Whether an empty homepage of the repository stays empty.", flag()),
    false,
  ),
};

/** A comment of HTML on one line. */
function comment() {
  const message = expected("a comment such as <!-- sites -->");
  const pattern = /^\s*<!--(?!-?>)(?:(?!-->)[^\r\n])*\S(?:(?!-->)[^\r\n])*-->\s*$/;
  return v.pipe(v.string(message), v.regex(pattern, message));
}
