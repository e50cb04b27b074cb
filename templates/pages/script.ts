import script from "./script.js" with { type: "text" };

/** What the pages run, where they may: it keeps them fresh. */
export const SCRIPT = script.replaceAll(/^ +(?:\/\/.*\n)?/gm, "");
