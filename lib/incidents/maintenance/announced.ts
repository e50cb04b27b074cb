import type { Site } from "../../config/config.ts";
import type { Issue } from "../../github/github.ts";
import { takeApart } from "../../text/hidden_part.ts";
import { plainText } from "../../text/plain_text.ts";
import { readKeys } from "./announced_keys.ts";
import { announcedSites, misspelt, sitesOfList, unknownWords } from "./announced_sites.ts";
import { announcedTimes, EXAMPLE } from "./announced_times.ts";
import type { PlannedWindow } from "../../evaluation/window.ts";

/** The label of issues that announce maintenance. */
export const MAINTENANCE_LABEL = "maintenance";

/** What an announcement is read with. */
export interface AnnouncementSurroundings {
  sites: readonly Pick<Site, "name" | "slug">[];
  /** Whether there are others, which can't be read: what names no known site may be one of them. */
  lacksSites?: boolean;
  /** Whether the repository may have other monitored folders: what names no site may be one of theirs. */
  isPart?: boolean;
  /** Of times without an offset. */
  timezone: string;
}

/** What an issue announces. */
export interface Announcement {
  /** Absent where it can't be told when it is. */
  window?: PlannedWindow;
  /** Present where it is about sites of another folder. */
  isElsewhere?: true;
  /** What its author should look at: what is wrong, in which line, and the cure. */
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
    // Nobody else might know them either.
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

/** Whether a label is the one of announcements: GitHub knows no capitals in labels. */
export function isMaintenanceLabel(label: string): boolean {
  return label.toLowerCase() === MAINTENANCE_LABEL;
}

function untold(number: number): string {
  return `Cannot tell when the maintenance of issue #${number} is`;
}
