import { isMap } from "../config/document.ts";
import { parseConfig } from "../config/parse.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";
import type { Problem } from "../io/problem.ts";
import { type Change, type Removal, switchOff } from "./comment_out.ts";

/** Keys that Upptime reads, by the part of the configuration. */
const READ: Readonly<Record<string, ReadonlySet<string>>> = {
  top: new Set([
    ..."owner repo user-agent userAgent PAT sites assignees delay status-website runner".split(" "),
    ..."workflowSchedule commitMessages summaryStartHtmlComment summaryEndHtmlComment".split(" "),
    ..."commitPrefixStatusUp commitPrefixStatusDown commitPrefixStatusDegraded i18n".split(" "),
    ..."liveStatusHtmlComment skipDeleteIssues skipDescriptionUpdate skipTopicsUpdate".split(" "),
    ..."skipHomepageUpdate skipPoweredByReadme skipGeneratingWebsite secrets".split(" "),
    ..."customStatusWebsitePackage graphBackgroundColor graphBorderColor".split(" "),
    "hasDisabledAutomatedIssues",
  ]),
  site: new Set([
    ..."name slug url type location check method headers body port ipv6 assignees tags".split(" "),
    ..."expectedStatusCodes maxResponseTime maxRedirects maxRetries connectTimeout".split(" "),
    ..."requestTimeout icon verbose".split(" "),
  ]),
  "status-website": new Set([
    ..."name cname baseUrl logoUrl logoHref hideNavLogo hideNavTitle navbar navbarGitHub".split(
      " ",
    ),
    ..."introTitle introMessage theme themeUrl favicon faviconSvg publish singleCommit".split(" "),
    ..."apiBaseUrl userContentBaseUrl customHeadHtml customBodyHtml customFootHtml".split(" "),
    ..."js css scripts links metaTags robotsText productionCacheTime localhostCacheTime".split(" "),
  ]),
  workflowSchedule: new Set(
    "graphs responseTime staticSite summary updateTemplate updates uptime".split(" "),
  ),
  commitMessages: new Set(
    "readmeContent summaryJson statusChange graphsUpdate commitAuthorName commitAuthorEmail signoff"
      .split(" "),
  ),
};

interface DeadKey extends Removal {
  site?: string;
  /** True if it would have an effect here. */
  isKnown: boolean;
}

/**
 * Switches off the keys that Upptime never read, except those that the import itself has `added`: unknown ones, those
 * that only this program reads, and channels.
 */
export async function withoutDeadKeys(
  source: string,
  added: readonly string[],
): Promise<{ text: string; changes: Change[] }> {
  const { document } = await readYaml(source);
  const { problems } = await parseConfig(source);
  const idle = problems.filter(({ message, severity }) =>
    severity !== "notice" && /^(?:unknown key|has no effect)/.test(message)
  ).map(({ path }) => path);
  const idleNames = new Set(idle.map(String));
  const unread = isMap(document) ? listUnread(document, added) : [];
  const names = new Set(unread.map(String));
  const isInside = (path: Problem["path"]) =>
    path.some((_, index) => names.has(String(path.slice(0, index + 1))));
  const dead = [...unread, ...idle.filter((path) => !isInside(path))].map((path): DeadKey => ({
    path,
    note: path[0] === "PAT" ? TOKEN : NOTE,
    isKnown: !idleNames.has(String(path)),
    ...nameSite(path, document),
  }));
  const { text, commented, renamed, left } = await switchOff(source, dead);
  const describe = (keys: readonly DeadKey[], fact: (key: DeadKey) => string) =>
    keys.map((key): Change => ({
      ...key.site === undefined ? {} : { site: key.site },
      describe: (of) => `${formatKey(key.path)}${of} ${fact(key)}`,
    }));
  const changes = [
    ...describe(
      dead.filter((key) => commented.includes(key)),
      ({ note, isKnown }) =>
        note === TOKEN
          ? "is commented out: others can read a token in a file; revoke it, and save a new one as the secret HOST_PAT"
          : `is commented out: Upptime never read it, ${
            isKnown ? "and here it would have an effect" : "so it never had an effect"
          }`,
    ),
    ...describe(
      renamed,
      () => "now starts with x-: Upptime never read it, but other keys refer to it",
    ),
    ...describe(left, () => "can't be commented out: Upptime never read it, so remove it by hand"),
  ];
  return { text, changes };
}

const NOTE = "Upptime never read this, so it is switched off:";
const TOKEN = "A token does not belong in a file: revoke it.";

function listUnread(document: Record<string, unknown>, added: readonly string[]) {
  const list = (part: string, map: unknown, path: Problem["path"]) =>
    (isMap(map) ? Object.keys(map) : []).filter((key) =>
      !READ[part]!.has(key) && !/^(?:x-|<<$|__dangerous__)/.test(key)
    ).map((key) => [...path, key]);
  const parts = ["status-website", "workflowSchedule", "commitMessages"];
  const sites = Array.isArray(document["sites"]) ? document["sites"] : [];
  return [
    ...list("top", document, []).filter(([key]) => !added.includes(String(key))),
    ...parts.flatMap((part) => list(part, document[part], [part])),
    ...sites.flatMap((site, index) => list("site", site, ["sites", index])),
  ];
}

/** The site that a path leads into, by its name. */
function nameSite(path: Problem["path"], document: unknown): { site?: string } {
  const [top, index] = path;
  if (top !== "sites" || typeof index !== "number" || !isMap(document)) return {};
  const site = Array.isArray(document["sites"]) ? document["sites"][index] : undefined;
  return { site: JSON.stringify(isMap(site) ? String(site["name"] ?? site["url"]) : "") };
}

/** The key that a path leads to, for a sentence: without the site. */
function formatKey(path: Problem["path"]): string {
  return path.slice(path[0] === "sites" ? 2 : 0).join(".");
}
