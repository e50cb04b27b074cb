import type { Problem } from "../../io/problem.ts";
import { slugOf } from "../slug.ts";
import { isMap } from "../document.ts";
import { textsIn } from "../document.ts";
import { findCredentials } from "../../io/secrets/url_credentials.ts";

/** Keys whose values are addresses that the program connects to, and those that it only shows. */
const ADDRESS_KEYS = new Set(["url", "proxy", "webhook-url", "heartbeat-url"]);
const SHOWN_KEYS = new Set(["link", "icon"]);
/** Parts of a configuration that have such keys; all addresses of the last are only shown. */
const PAGE = "status-website";
const PARTS = ["sites", "defaults", "notifications", "proxy", "heartbeat-url", PAGE];

/** Credentials that are written out in the addresses of a configuration. */
export interface WrittenCredentials {
  /** Their values, which must be redacted. */
  values: string[];
  /** A warning for each address, with the cure. */
  problems: Problem[];
}

/** Finds addresses of a configuration that contain passwords, tokens or keys. */
export function writtenCredentials(
  document: Readonly<Record<string, unknown>>,
): WrittenCredentials {
  const parts = Object.fromEntries(PARTS.map((part) => [part, document[part]]));
  const values: string[] = [];
  const problems: Problem[] = [];
  for (const [path, text] of textsIn(parts)) {
    const key = path.findLast((part) => typeof part === "string");
    const isShown = path[0] === PAGE
      ? /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)
      : SHOWN_KEYS.has(key ?? "");
    const isAddress = isShown || ADDRESS_KEYS.has(key ?? "");
    const found = isAddress ? findCredentials(text.trim()) : undefined;
    if (found === undefined) continue;
    values.push(...found.values);
    const cure = isShown
      ? `remove them: ${found.publicUrl}`
      : `save them as secrets and write ${found.withSecrets(prefixFor(path, document))}`;
    problems.push({
      severity: "warning",
      path,
      offset: found.offset + text.length - text.trimStart().length,
      message: `contains credentials that everybody who can read the repository can see: ${cure}`,
    });
  }
  return { values, problems };
}

/** Start of the names of secrets for an address, such as `SHOP` for the site Shop. */
function prefixFor(path: Problem["path"], document: Readonly<Record<string, unknown>>): string {
  const [part, index] = path;
  const { sites } = document;
  const site: unknown = part === "sites" && Array.isArray(sites) ? sites[Number(index)] : undefined;
  const isOwn = path.length === 3 && path[2] !== "proxy";
  const name = isOwn && isMap(site) && typeof site["name"] === "string" ? slugOf(site["name"]) : "";
  const words = name.normalize("NFKD").replaceAll(/[^A-Za-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  const prefix = words === "" ? String(path.at(-1)).replace(/-?url$/, "") || "WEBHOOK" : words;
  return prefix.toUpperCase().replace(/^(?=\d)/, "SITE_");
}
