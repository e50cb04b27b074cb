import type { Problem } from "../problem.ts";
import { slugOf } from "../slug.ts";
import { isMap } from "../yaml/maps.ts";
import { textsIn } from "../yaml/texts_in.ts";
import { findCredentials } from "./url_credentials.ts";

/** Keys whose values are addresses that the program connects to or shows. */
const ADDRESS_KEYS = new Set(["url", "link", "proxy", "webhook-url", "heartbeat-url"]);
/** Parts of a configuration that have such keys. */
const PARTS = ["sites", "defaults", "notifications", "proxy", "heartbeat-url"];

/** Credentials that are written out in the addresses of a configuration. */
export interface WrittenCredentials {
  /** Their values, which nothing may show. */
  values: string[];
  /** A warning for each address, which proposes secrets. */
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
    const found = ADDRESS_KEYS.has(key ?? "") ? findCredentials(text.trim()) : undefined;
    if (found === undefined) continue;
    values.push(...found.values);
    const proposal = found.withSecrets(prefixFor(path, document));
    problems.push({
      severity: "warning",
      path,
      offset: found.offset + text.length - text.trimStart().length,
      message:
        `contains credentials, which everybody who can read the repository sees: save them as secrets and write ${proposal}`,
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
