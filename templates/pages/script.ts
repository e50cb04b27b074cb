import script from "./script.js" with { type: "text" };

/** What is text of the script, and the blanks beside signs, which it does without: no two of `+` or `-` stand apart in it. */
const TEXT_OR_BLANKS = /("[^"]*"|`[^`]*`)|\s*([^\w\s"`$])\s*/g;

/** What the pages run, where they may: it keeps them fresh. */
export const SCRIPT = script.replaceAll(/^ *\/\/.*\n/gm, "").replaceAll(TEXT_OR_BLANKS, "$1$2");
