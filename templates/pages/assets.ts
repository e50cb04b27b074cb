import about from "./style/about.css" with { type: "text" };
import base from "./style/base.css" with { type: "text" };
import incidents from "./style/incidents.css" with { type: "text" };
import live from "./style/live.css" with { type: "text" };
import overview from "./style/overview.css" with { type: "text" };
import print from "./style/print.css" with { type: "text" };
import site from "./style/site.css" with { type: "text" };
import script from "./script.js" with { type: "text" };
import serviceWorker from "./service_worker.js" with { type: "text" };
import { shortHash } from "../../lib/text/words.ts";

export const STYLE = [base, live, overview, incidents, about, site, print].join("");

/** Strings, and blanks around signs, which the script doesn't need: `+` and `-` never follow themselves in it. */
const TEXT_OR_BLANKS = /("[^"]*"|`[^`]*`)|\s*([^\w\s"`$])\s*/g;

export const SCRIPT = script.replaceAll(/^ *\/\/.*\n/gm, "").replaceAll(TEXT_OR_BLANKS, "$1$2");

export const SERVICE_WORKER = serviceWorker;

const versions = new Map<string, string>();

/** Adds the version of a file to its link, so that browsers load it again after a change. */
export function versioned(link: string, text: string): string {
  const version = versions.get(text) ?? shortHash(text).slice(0, 8);
  versions.set(text, version);
  return `${link}?v=${version}`;
}
