import type { Site } from "../../config/config.ts";
import { nearest } from "../../text/nearest.ts";
import { slugOf } from "../../config/slug.ts";
import type { Expected, PlannedWindow } from "../../history/maintenance.ts";
import type { Issue } from "../../github/github.ts";
import { takeApart } from "../../text/hidden_part.ts";
import { joinFirst } from "../../text/words.ts";
import { plainText, shorten } from "../../text/plain_text.ts";
import { cutToLabel } from "../issue_labels.ts";
import { announcedTimes, EXAMPLE, readKeys } from "./announced_times.ts";

/** The label of issues that announce maintenance. */
export const MAINTENANCE_LABEL = "maintenance";

export interface AnnouncementSurroundings {
  sites: readonly Pick<Site, "name" | "slug">[];
  /** True if the configuration may have other sites, because a part of it can't be read. */
  lacksSites?: boolean;
  /** True if the repository may have other monitored folders, which an unknown site may belong to. */
  isPart?: boolean;
  /** Time zone of times without an offset. */
  timezone: string;
}

/** The maintenance window that an issue announces. */
interface Announcement {
  /** Absent if its times are not readable. */
  window?: PlannedWindow;
  /** Set if it is about sites of another folder. */
  isElsewhere?: true;
  /** Mistakes for its author, each with line and cure. */
  problems: string[];
}

/** Reads the maintenance window that an issue announces in the first HTML comment of its text, as Upptime's do. */
export function announced(
  { number, title, body, labels }: Pick<Issue, "number" | "title" | "body" | "labels">,
  { sites, lacksSites = false, isPart = false, timezone }: AnnouncementSurroundings,
): Announcement {
  const problems: string[] = [];
  const { hidden, shown } = takeApart(body);
  if (hidden === undefined) {
    const lines = `<!--, start: ${EXAMPLE.start}, end: ${EXAMPLE.end} and -->`;
    return {
      problems: [
        `${untold(number)}: its text has no HTML comment; begin it with four lines: ${lines}`,
      ],
    };
  }
  if (!hidden.isEnded) {
    problems.push(
      `Cannot see where the comment ends that begins in line ${hidden.line} of issue #${number}; write --> after it, because nothing that follows is shown`,
    );
  }
  const keys = readKeys(hidden.lines);
  const { times, problems: faults } = announcedTimes(keys, hidden.line, timezone);
  problems.push(...faults.map((fault) => `${untold(number)}: ${fault}`));
  if (times === undefined) return { problems };
  const strange: string[] = [];
  const [down, degraded] = (["expectedDown", "expectedDegraded"] as const).map((key) => {
    const { text = "", line } = keys.values.get(key) ?? {};
    const mistake = keys.mistakes.get(key);
    if (mistake !== undefined) {
      problems.push(`Cannot use line ${mistake.line} of issue #${number}: ${mistake.cure}`);
    }
    const { slugs, unknown } = sitesOfList(text, sites);
    const wrong = isPart ? misspelt(unknown, sites) : unknown;
    strange.push(...unknown.filter((word) => !wrong.includes(word)));
    if (wrong.length > 0 && !lacksSites) {
      const words = unknownWords(wrong, sites);
      const place = `issue #${number} names in line ${line}, ${key}`;
      const cure = "write slugs or names of sites, with commas between them";
      problems.push(`Cannot find what ${place}: ${words}; ${cure}`);
    }
    return slugs;
  });
  const siteLabels = labels.filter((label) => !isMaintenanceLabel(label));
  const concerned = announcedSites(sites, { down: down!, degraded: degraded!, labels: siteLabels });
  const isForOthers = strange.length > 0 || siteLabels.length > 0;
  if (isPart && !lacksSites && concerned.size === 0 && problems.length === 0 && isForOthers) {
    const words = unknownWords(strange, sites);
    const place = `a site of this folder among those that issue #${number} names: ${words}`;
    // No other folder may know them either.
    const hint = `Cannot find ${place}; write the slug or name of one if it is about it`;
    return { isElsewhere: true, problems: strange.length === 0 ? [] : [hint] };
  }
  const name = plainText(title.toWellFormed());
  return {
    window: {
      source: "issue",
      name: name === "" ? "Maintenance" : name,
      ...times,
      sites: concerned,
      issue: number,
      text: shown,
    },
    problems,
  };
}

/** True for the label of announcements; GitHub ignores case in labels. */
export function isMaintenanceLabel(label: string): boolean {
  return label.toLowerCase() === MAINTENANCE_LABEL;
}

function untold(number: number): string {
  return `Cannot tell when the maintenance of issue #${number} is`;
}

type Named = Pick<Site, "name" | "slug">;

/** More unknown words than these are only counted. */
const MOST_WORDS = 5;
/** Longer words are cut before something like them is looked for. */
const LONGEST_WORD = 60;

/**
 * Finds the expected state of each site, in the order of the sites. A site in both lists is expected to
 * be down; nothing is expected of a site that is only a label of the issue.
 */
function announcedSites(
  sites: readonly Named[],
  { down, degraded, labels }: {
    down: ReadonlySet<string>;
    degraded: ReadonlySet<string>;
    labels: readonly string[];
  },
): Map<string, Expected> {
  const labelled = new Set(labels.map((label) => label.toLowerCase()));
  const expected = ({ slug }: Named): Expected | undefined => {
    if (down.has(slug)) return "down";
    if (degraded.has(slug)) return "degraded";
    return labelled.has(cutToLabel(slug).toLowerCase()) ? "none" : undefined;
  };
  return new Map(sites.flatMap((site): [string, Expected][] => {
    const word = expected(site);
    return word === undefined ? [] : [[site.slug, word]];
  }));
}

/**
 * Splits a comma-separated list into the sites that it names, by slug or name, and unknown words. Names
 * may contain commas.
 */
function sitesOfList(
  list: string,
  sites: readonly Named[],
): { slugs: Set<string>; unknown: string[] } {
  const known = new Map([
    ...sites.map(({ name, slug }) => [plain(name), slug] as const).reverse(),
    ...sites.map(({ slug }) => [plain(slug), slug] as const),
  ]);
  const longest = Math.max(1, ...[...known.keys()].map((word) => word.split(",").length));
  const parts = list.split(",");
  const slugs = new Set<string>();
  const unknown: string[] = [];
  for (let from = 0; from < parts.length;) {
    let to = Math.min(parts.length, from + longest);
    let slug: string | undefined;
    for (; to > from; to--) {
      const word = parts.slice(from, to).join(",");
      slug = known.get(plain(word)) ?? known.get(slugOf(word));
      if (slug !== undefined) break;
    }
    if (slug !== undefined) slugs.add(slug);
    else if (parts[from]!.trim() !== "") unknown.push(parts[from]!.trim());
    from = Math.max(to, from + 1);
  }
  return { slugs, unknown };
}

/** Finds the unknown words that resemble a site. */
export function misspelt(unknown: readonly string[], sites: readonly Named[]): string[] {
  const known = sites.flatMap(({ slug, name }) => [slug, name]);
  return unknown.filter((word) => nearest(shorten(word, LONGEST_WORD), known) !== undefined);
}

/** Words that no site has, with what they are probably meant to be: `"shp" (did you mean "shop"?), "x" and 3 more`. */
function unknownWords(unknown: readonly string[], sites: readonly Named[]): string {
  const known = [...sites.map(({ slug }) => slug), ...sites.map(({ name }) => name)];
  return joinFirst(unknown, MOST_WORDS, (one) => {
    const word = shorten(plainText(one), LONGEST_WORD);
    const near = nearest(word, known);
    return near === undefined ? `"${word}"` : `"${word}" (did you mean "${near}"?)`;
  });
}

function plain(text: string): string {
  return text.normalize("NFC").trim().toLowerCase();
}
