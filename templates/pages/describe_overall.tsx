import { type Clause, type Line, MOST_NAMES, planLine } from "../../lib/page/headline.ts";
import { listSlugs } from "../../lib/history/stored_incidents.ts";
import { computeOverall, listImpacts, type Overall } from "../../lib/page/overall.ts";
import type { Report, SiteReport } from "../../lib/statistics/report/report.ts";
import type { PluralKey } from "../../lib/text/messages.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { siteName } from "../words.ts";
import type { Content } from "./html.ts";
import type { Language } from "./language.ts";
import { Time } from "./parts.tsx";
import type { View } from "./view.ts";

/** The overall status of sites, as headline, previews and the titles of windows show it. */
export interface OverallWords {
  overall: Overall;
  /** `Partial outage` */
  sentence: string;
  /** The sites that are not operational, by state; empty if nothing is known. */
  line: string;
  /** The same with elements in place of names and times. */
  elements: Content;
  /** True if people have written it, so that no state changes it. */
  isOwn: boolean;
}

/** Makes names and times in the line: elements, or texts. */
interface LineParts {
  name(name: string): Content;
  time(at: Temporal.Instant): Content;
}

/** Describes all sites, or some of them: their overall status, and which of them are not operational. */
export function describeOverall(
  { report, incidents, language }: Pick<View, "report" | "incidents" | "language">,
  sites: Report["sites"] = report.sites,
): OverallWords {
  const isWhole = sites === report.sites;
  const { impacts, time, lastCheck } = report;
  const slugs = new Set(sites.map(({ site }) => site.slug));
  const own = [...incidents].filter(([, one]) =>
    isWhole || listSlugs(one).some((slug) => slugs.has(slug))
  );
  const all = isWhole ? impacts?.all ?? [] : listImpacts(sites, report);
  const bySite = impacts?.bySite ?? new Map();
  const overall = computeOverall({ sites, impacts: { all, bySite } });
  const { line, external } = planLine(overall, { sites, impacts, incidents: own, time, lastCheck });
  const isPaused = overall === "nothingMonitored" && sites.length > 0;
  const write = (parts: LineParts) => writeLine({ line, external, language, ...parts });
  return {
    overall,
    sentence: language.say(isPaused ? "paused" : overall),
    line: toText(write({ name: language.isolate, time: language.dayTime })),
    elements: write({
      name: (name) => <b dir="auto">{name}</b>,
      time: (at) => <Time at={at} language={language} of="dayTime" />,
    }),
    isOwn: line.kind === "words",
  };
}

function toText(content: Content): string {
  return Array.isArray(content) ? content.map(toText).join("") : String(content ?? "");
}

interface Writing extends LineParts {
  language: Language;
}

function writeLine(
  { line, external, ...writing }: Writing & { line: Line; external: readonly Clause[] },
): Content {
  const others = writeClauses(external, OTHERS, writing);
  // Nothing else is worth a word if all is well but what others operate.
  const own = line.kind === "calm" && others.length > 0 ? [] : writeOwn(line, writing);
  return [...own, ...others].flatMap((one, index) =>
    index === 0 ? [one] : [writing.language.gap, one]
  );
}

/** Longest words of people, and longest name of a site, in the line. */
const [LONGEST_WORDS, LONGEST_NAME] = [200, 80];

/** Sentences about the sites of the page's owner. */
function writeOwn(line: Line, writing: Writing): Content[] {
  const { language: { say, sayElements, ago }, time, name } = writing;
  switch (line.kind) {
    case "nothing":
      return [];
    case "words":
      return [shorten(plainText(line.title), LONGEST_WORDS)];
    case "stopped": {
      const { up, total, at, only } = line;
      const TIME = time(at);
      if (only !== undefined) {
        const NAME = name(nameOf(only));
        return [sayElements("stoppedOne", { TIME, NAME, STATE: say(only.condition ?? "unknown") })];
      }
      return [
        up === total
          ? sayElements("stoppedAll", { TIME, COUNT: total })
          : sayElements("stoppedSome", { TIME, COUNT: up, TOTAL: total }),
      ];
    }
    case "calm": {
      const { total, quiet } = line;
      return [
        say("calm", { COUNT: total }),
        quiet === undefined ? say("noIncidentsYet") : say("lastIncident", { TIME: ago(quiet) }),
      ];
    }
    case "problems": {
      const { clauses, up, total } = line;
      const key = up === 0 ? "servicesUpNone" : "servicesUp";
      return [
        ...writeClauses(clauses, OWN, writing),
        ...total === 1 ? [] : [say(key, { COUNT: up, TOTAL: total })],
      ];
    }
  }
}

type Words = Readonly<Record<Clause["state"], PluralKey>>;

const OWN: Words = {
  down: "areDown",
  degraded: "areDegraded",
  maintenance: "areInMaintenance",
  unknown: "areUnknown",
};

const OTHERS: Words = {
  down: "othersAreDown",
  degraded: "othersAreDegraded",
  maintenance: "othersAreInMaintenance",
  unknown: "areUnknown",
};

/** One sentence of clauses: `Cards and Queue are down, Search is degraded.` */
function writeClauses(
  clauses: readonly Clause[],
  words: Words,
  { language, name }: Writing,
): Content[] {
  if (clauses.length === 0) return [];
  const all = clauses.map(({ state, named, more }) => {
    const names = named.map((one) => name(nameOf(one)));
    const rest = more === 0 ? [] : [language.say("countMore", { COUNT: more })];
    const NAMES = language.listElements([...names, ...rest]);
    return language.sayElements(words[state], { NAMES, COUNT: named.length + more });
  });
  return [language.sayElements("sentence", { TEXT: language.clauses(all) })];
}

function nameOf({ site }: SiteReport): string {
  return shorten(siteName(site.slug, [site]), LONGEST_NAME);
}

/** Texts with which the script writes the line anew. */
export function listLineTexts({ say, listForms, gap }: Language) {
  const texts = (words: Words) =>
    Object.fromEntries(Object.entries(words).map(([state, key]) => [state, listForms(key)]));
  return {
    most: MOST_NAMES,
    more: listForms("countMore"),
    comma: say("commaBetween", { ONE: "", OTHER: "" }),
    sentence: say("sentence"),
    gap,
    own: texts(OWN),
    others: texts(OTHERS),
    up: listForms("servicesUp"),
    none: say("servicesUpNone"),
    calm: listForms("calm"),
  };
}
