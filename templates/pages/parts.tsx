import type { DisplayStatus } from "../../lib/page/overall.ts";
import { type Content, type Element, elementCache } from "./html.ts";
import { floorToMinute, formatTime } from "../../lib/time.ts";
import type { Language } from "./language.ts";
import type { IncidentWords } from "./incident_words.ts";
import type { Site } from "../../lib/config/config.ts";
import { findIcon } from "../../lib/page/place.ts";
import { sitePagePath } from "../../lib/config/page_path.ts";
import { describeSite, findSite, type PageView } from "./view.ts";
import { shorten } from "../../lib/text/plain_text.ts";
import { SHORT_WINDOW_WORDS } from "../../lib/statistics/api/badge.ts";
import type { Statistics } from "../../lib/statistics/statistics.ts";
import { WINDOW_NAMES, type WindowName } from "../../lib/history/windows.ts";
import type { MessageKey } from "../../lib/text/messages.ts";

/** Shapes of 16 x 16, which differ without their colors. */
export const SHAPES: Readonly<Record<DisplayStatus, string>> = {
  up: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m4.2 5.9-5 5.6L3.8 8.1l1.3-1.3 2 2 3.7-4.2z",
  degraded: "M8 0 0 15h16zm-1 5h2v5H7zm0 6h2v2H7z",
  down:
    "M4.7 0 0 4.7v6.6L4.7 16h6.6l4.7-4.7V4.7L11.3 0zm-.4 5.6 1.3-1.3L8 6.7l2.4-2.4 1.3 1.3L9.3 8l2.4 2.4-1.3 1.3L8 9.3l-2.4 2.4-1.3-1.3L6.7 8z",
  maintenance:
    "M15.6 3.2 12.9 5.9 10.6 5.4 10.1 3.1 12.8.4A4.9 4.9 0 0 0 6.5 6.6L.7 12.4a2 2 0 0 0 2.9 2.9L9.4 9.5A4.9 4.9 0 0 0 15.6 3.2",
  unknown:
    "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m0 1.7a6.3 6.3 0 1 1 0 12.6A6.3 6.3 0 0 1 8 1.7M4.5 7.2h7v1.6h-7z",
  paused: "M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0M5 4.5h2v7H5zm4 0h2v7H9z",
};

export const SHAPE_DEFINITIONS = (
  <svg class="away" aria-hidden="true">
    {Object.entries(SHAPES).map(([name, path]) => (
      <symbol id={`s-${name}`} viewBox="0 0 16 16">
        <path fill-rule="evenodd" d={path} />
      </symbol>
    ))}
  </svg>
);

/** Separator of facts in a line; where that breaks, it goes with the fact after it. */
export const DOT = " ·\u00a0";

/** The shape of a state in its color; a text has to follow it. */
export function Shape({ of }: { of: DisplayStatus }) {
  return (
    <svg class={`shape ${of}`} aria-hidden="true">
      <use href={`#s-${of}`} />
    </svg>
  );
}

const TIMES = {
  moment: elementCache<Language>(),
  dayTime: elementCache<Language>(),
  clock: elementCache<Language>(),
};

/** A moment in the page's time zone, which the script converts to the visitor's; a clock has no day. */
export function Time(
  { at, language, of = "moment" }: {
    at: Temporal.Instant;
    language: Language;
    of?: keyof typeof TIMES;
  },
): Element {
  return TIMES[of](
    language,
    at.epochMilliseconds,
    () => (
      <time class={of === "clock" ? "clock" : undefined} datetime={formatTime(at)}>
        {language[of](at)}
      </time>
    ),
  );
}

/** From one moment to another; within a minute it is one moment. */
export function Period(
  { from, to, language, isDated = true }: {
    from: Temporal.Instant;
    to?: Temporal.Instant;
    language: Language;
    isDated?: boolean;
  },
) {
  const FROM = <Time at={from} language={language} of={isDated ? "moment" : "clock"} />;
  if (to === undefined) return language.sayElements("sinceTime", { TIME: FROM });
  if (floorToMinute(from.epochMilliseconds) === floorToMinute(to.epochMilliseconds)) return [FROM];
  const isSameDay = language.dateOf(from) === language.dateOf(to);
  const TO = <Time at={to} language={language} of={isSameDay ? "clock" : "moment"} />;
  return language.sayElements("fromTo", { FROM, TO });
}

/** For how long an incident lasts or lasted, which the script keeps up to date while it lasts. */
export function Lasting({ words, of }: {
  words: IncidentWords;
  of: "length" | "lasting" | "sentence";
}) {
  const { ongoing } = words;
  const data = ongoing && `${Math.floor(ongoing.seconds)} ${ongoing[of]}`;
  return <bdi data-lasts={data}>{words[of]}</bdi>;
}

/** The time of the last check, which the script keeps up to date, and how often checks run. */
export function ChecksUpTo({ view: { checks, language, settings: { checkMinutes } } }: {
  view: PageView;
}) {
  if (checks === undefined) return null;
  const last = language.sayElements("checksUpTo", {
    TIME: (
      <span class="newest">
        <Time at={checks} language={language} />
      </span>
    ),
  });
  const every = checkMinutes === undefined ? [] : [DOT, sayInterval(checkMinutes, language)];
  return <p class="times">{[...last, ...every]}</p>;
}

/** `checked every 5 minutes`; longer times in hours if they are whole. */
function sayInterval(minutes: number, { say }: Language): string {
  return minutes > 60 && minutes % 60 === 0
    ? say("checkedEveryHours", { COUNT: minutes / 60 })
    : say("checkedEveryMinutes", { COUNT: minutes });
}

/** The icon of a site, unless it is on another host. */
export function SiteIcon({ view, site }: { view: PageView; site: Site }) {
  const { assets, settings, link } = view;
  const icon = site.icon === undefined
    ? undefined
    : findIcon(site.icon, { assets, home: settings });
  if (icon === undefined) return null;
  if ("sign" in icon) return <span class="icon" aria-hidden="true">{icon.sign}</span>;
  return <img class="icon" src={"file" in icon ? link(icon.file) : icon.data} alt="" />;
}

/** A fact; it is omitted without content. */
export type Fact = readonly [name: Content, content: Content];

export function Facts(
  { facts, className = "card known" }: { facts: readonly Fact[]; className?: string },
) {
  const known = facts.filter(([, content]) => Boolean(content));
  return (
    <dl class={className}>
      {known.map(([name, content]) => (
        <div>
          <dt>{name}</dt>
          <dd>{content}</dd>
        </div>
      ))}
    </dl>
  );
}

const LONGEST_NAME = 80;
const MOST_NAMES = 8;

export function SiteLink(
  { slug, view: { report, link } }: { slug: string; view: PageView },
) {
  const name = shorten(describeSite(slug, report), LONGEST_NAME);
  if (findSite(slug, report) === undefined) return <bdi>{name}</bdi>;
  return <a href={link(sitePagePath(slug))} dir="auto">{name}</a>;
}

export function SiteLinks(
  { slugs, view }: { slugs: readonly string[]; view: PageView },
) {
  const shown = slugs.slice(0, MOST_NAMES).map((slug) => <SiteLink slug={slug} view={view} />);
  const rest = slugs.length - shown.length;
  const { language } = view;
  return rest === 0
    ? language.clauses(shown)
    : language.listElements([...shown, language.say("countMore", { COUNT: rest })]);
}

export const WINDOW_WORDS = {
  day: "duration24H",
  week: "duration7D",
  month: "duration30D",
  quarter: "duration90D",
  year: "duration1Y",
  all: "durationAll",
} as const satisfies Record<WindowName, MessageKey>;

export const FIRST_WINDOW: WindowName = "quarter";

export const BAR_WINDOWS = WINDOW_NAMES.filter((name) => name !== "all");

/** The selection of a window, which the script shows; `of` labels it. */
export function WindowChoice(
  { language, of, names = WINDOW_NAMES, isDisabled = () => false }: {
    language: Language;
    of: MessageKey;
    names?: readonly WindowName[];
    isDisabled?(name: WindowName): boolean;
  },
) {
  return (
    <fieldset class="windows" hidden>
      <legend class="away">{language.say(of)}</legend>
      {names.map((name) => (
        <label>
          <input
            type="radio"
            name="window"
            id={`w-${name}`}
            aria-label={language.say(WINDOW_WORDS[name])}
            checked={name === FIRST_WINDOW}
            disabled={isDisabled(name)}
          />
          <span>{language.say(SHORT_WINDOW_WORDS[name])}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function PerWindow(
  { statistics, children }: {
    statistics: Readonly<Record<WindowName, Statistics>>;
    children(statistics: Statistics, name: WindowName): Content;
  },
) {
  return WINDOW_NAMES.map((name) => (
    <span class={`w w-${name}`}>{children(statistics[name], name)}</span>
  ));
}
