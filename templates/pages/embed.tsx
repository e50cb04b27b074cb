import { PAGE_PATHS } from "../../lib/config/page_path.ts";
import { OVERALL_STATES } from "../../lib/page/overall.ts";
import { plainText, shorten } from "../../lib/text/plain_text.ts";
import { formatTime } from "../../lib/time.ts";
import { describeOverall } from "./describe_overall.tsx";
import { EMBED_STYLE, versioned } from "./files.ts";
import { nameStatus } from "./more_script.ts";
import { SHAPES } from "./parts.tsx";
import { EMBED_SCRIPT } from "./scripts.ts";
import type { Page, PageView, View } from "./view.ts";

/** The strip for a frame in other sites: the overall status as a link to the page. */
export const embed: Page = () => [[PAGE_PATHS.embed, Strip]];

/** Longest time after a check for which its states are shown elsewhere: the page is built once a day at least. */
const LONGEST = { hours: 26 };

const LONGEST_NAME = 80;

function Strip(view: PageView) {
  const { settings: { lang, direction, theme, policy }, language: { say }, link } = view;
  const { state, title, elements, isOwn, name, until } = describeStatus(view);
  const style = versioned(link(PAGE_PATHS.embedStyle), EMBED_STYLE);
  return (
    <html lang={lang} dir={direction} data-theme={theme === "auto" ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={policy} />
        <title>{name}</title>
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href={style} />
        <noscript>
          <meta http-equiv="refresh" content="300" />
        </noscript>
        <script src={versioned(link(PAGE_PATHS.embedScript), EMBED_SCRIPT)} />
      </head>
      <body>
        <a
          class={state}
          href={link(PAGE_PATHS.overview)}
          target="_blank"
          rel="noopener"
          data-until={until}
          data-late={say("nothingCurrent")}
        >
          <svg class="shape" viewBox="0 0 16 16" aria-hidden="true">
            <path fill-rule="evenodd" d={SHAPES[state]} />
          </svg>
          <span>
            <strong>{title}</strong>
            <span dir={isOwn ? "auto" : undefined}>{elements}</span>
          </span>
          <small dir="auto">{name}</small>
        </a>
      </body>
    </html>
  );
}

/** Renders the file that the banner in other sites reads. Only outages and degradations have `until`, the time at which it disappears. */
export function renderBannerState(view: View, redact: (text: string) => string): string {
  const { settings: { lang, direction: dir }, language: { say } } = view;
  const { state, title, line, name, until } = describeStatus(view);
  const isWrong = state === "down" || state === "degraded";
  const words = {
    title: redact(title),
    line: redact(line),
    name: redact(name),
    close: say("close"),
  };
  return `${JSON.stringify({ state, until: isWrong ? until : undefined, ...words, lang, dir })}\n`;
}

function describeStatus(view: View) {
  const { settings, language: { say }, checks } = view;
  const { overall, sentence: title, ...words } = describeOverall(view);
  const until = checks && formatTime(checks.add(LONGEST));
  const name = shorten(nameStatus(plainText(settings.name), say), LONGEST_NAME);
  return { state: OVERALL_STATES[overall], title, ...words, name, until };
}
