import { STATE_ORDER } from "../../../lib/page/impact.ts";
import { OVERALL_RULES } from "../../../lib/page/overall.ts";
import { linksOf, PAGE_PATHS } from "../../../lib/config/page_path.ts";
import { formatTime } from "../../../lib/time.ts";
import { elementOf } from "../html.ts";
import type { View } from "../page.ts";
import { rememberedMarkup } from "../remembered_markup.ts";
import { SCRIPT } from "../script.ts";
import { versioned } from "../versioned.ts";

/** What the script is told, in `data-live` of its tag. */
export interface Told {
  /** Where it reads how sites are; absent where it must not ask, or there is nothing. */
  summary?: string;
  /** Address of the file with the build time. */
  build: string;
  /** Zone of the page. */
  zone: string;
  /** The last check that the page tells of. */
  checked?: string;
  /** Minutes for which checks may fail to come once it has read a summary; without one it is a day and two hours. */
  most?: number;
  /** What it then says, with `$TIME` for the last check. */
  late: string;
  /** Of each state a site may be shown in. */
  words: readonly (readonly [state: string, word: string])[];
  /** States from the best to the worst. */
  order: readonly string[];
  /** Sentences for all sites: state, sentence, and of more than which share; the last where none holds. */
  overall: readonly (readonly [state: string, sentence: string, more: number])[];
}

const SHOWN = ["up", "degraded", "down", "maintenance", "unknown", "paused"] as const;

/** Where the script says what has changed, and that checks have stopped. */
export function LiveNote({ view: { checks, report, language } }: { view: View }) {
  const isLate = checks !== undefined && report.isOutdated;
  return (
    <p class="live" role="status">
      {isLate && language.say("notReported", { TIME: language.moment(checks) })}
    </p>
  );
}

/**
 * The script. It paints what has `data-slug`, or `.state` in it, and `data-overall`: a shape and a `.word` stand
 * in each, which is never better than `data-least`: a state, or the place of a sentence. `[dir]` is what a site is called, `.since` goes when it changes, `.newest` has the time of the last
 * check, and what has `data-incident` is `.gone` once the site `data-of` it has that no more.
 */
export function Live({ view, path }: { view: View; path: string }) {
  const { settings: { live, base } } = view;
  const link = linksOf(path, base);
  const summary = live === undefined || live.summary.startsWith("https:")
    ? live?.summary
    : link(live.summary);
  const build = link(PAGE_PATHS.build);
  const source = versioned(link(PAGE_PATHS.script), SCRIPT);
  const tag = tags(
    view,
    `${source} ${summary}`,
    () => (
      <script
        src={source}
        defer
        {...BEFORE_PAINT}
        data-live={JSON.stringify(toldOf(view, { summary, build }))}
      />
    ),
  );
  return elementOf(tag);
}

/** Delays the first paint: the times that the script rewrites would otherwise shift the layout. */
const BEFORE_PAINT = { blocking: "render" };

/** By their links: pages that are as deep as each other have the same. */
const tags = rememberedMarkup<View>();

function toldOf(
  { settings: { live, timezone }, language: { say }, checks }: View,
  { summary, build }: Pick<Told, "summary" | "build">,
): Told {
  return {
    summary,
    build,
    zone: timezone,
    checked: checks && formatTime(checks),
    most: live?.lateMinutes,
    late: say("notReported"),
    words: SHOWN.map((state) => [state, say(state)] as const),
    order: STATE_ORDER,
    overall: [
      ...OVERALL_RULES.map(([state, more, key]) => [state, say(key), more] as const),
      ["unknown", say("nothingKnown"), 1],
    ],
  };
}
