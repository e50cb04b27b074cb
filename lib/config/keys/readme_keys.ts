import * as v from "valibot";
import { about, expected, flag } from "./values.ts";

/** Keys that say where the README tells how sites are, and what else the repository tells of itself. */
export const README_KEYS = {
  summaryStartHtmlComment: v.optional(
    about(
      "README comment before the summary. Default: `<!--start: status pages-->`; `<!-- monitor: summary -->` always works.",
      comment(),
    ),
  ),
  summaryEndHtmlComment: v.optional(
    about(
      "README comment after the summary. Default: `<!--end: status pages-->`.",
      comment(),
    ),
  ),
  liveStatusHtmlComment: v.optional(
    about("README comment before the live status. Default: `<!--live status-->`.", comment()),
  ),
  skipDescriptionUpdate: v.optional(
    about("Leave an empty repository description empty.", flag()),
    false,
  ),
  skipTopicsUpdate: v.optional(
    about("Add no topics to a repository without topics.", flag()),
    false,
  ),
  skipHomepageUpdate: v.optional(
    about("Leave an empty repository homepage empty.", flag()),
    false,
  ),
};

/** A comment of HTML on one line. */
function comment() {
  const message = expected("a comment such as <!-- sites -->");
  const pattern = /^\s*<!--(?!-?>)(?:(?!-->)[^\r\n])*\S(?:(?!-->)[^\r\n])*-->\s*$/;
  return v.pipe(v.string(message), v.regex(pattern, message));
}
