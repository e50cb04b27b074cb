import { badgePath, endpointPath, statisticsPath } from "../../../lib/history/api_path.ts";
import { type Link, linkFrom, sitePagePath } from "../../../lib/config/page_path.ts";
import type { MessageKey } from "../../../lib/text/messages/messages.ts";
import { FILE_WINDOW_NAMES } from "../../../lib/history/windows.ts";
import { escapeMarkdown } from "../../markdown.ts";
import { type NamedSite, siteName } from "../../site_name.ts";
import type { View } from "../page.ts";
import { WINDOW_WORDS } from "../parts/windows.tsx";

const BADGES = [
  ["status", "badgeStatus"],
  ["uptime", "badgeUptime"],
  ["response-time", "badgeResponseTime"],
] as const satisfies readonly (readonly [string, MessageKey])[];

const ENDPOINTS = [
  ["uptime", "dataUptime"],
  ["response-time", "dataResponseTime"],
] as const satisfies readonly (readonly [string, MessageKey])[];

/** Pictures of how a site is, to be put elsewhere, and the same for programs. */
export function Badges({ view, site, link }: { view: View; site: NamedSite; link: Link }) {
  const { language, settings: { address } } = view;
  const { slug } = site;
  const name = siteName(slug, [site]);
  const absolute = (target: string) =>
    [...address === undefined ? [] : [address], linkFrom("", target)].join("/");
  return (
    <section>
      <h2>{language.say("badges")}</h2>
      <div class="card badges">
        <p class="muted">{language.say("badgeHint")}</p>
        {BADGES.map(([shown, key]) => {
          const picture = badgePath(slug, shown);
          const target = absolute(picture);
          const code = `[![${escapeMarkdown(name)}](${target})](${absolute(sitePagePath(slug))})`;
          return (
            <label>
              <img src={link(picture)} alt={language.say(key)} height="20" />
              <input type="text" readonly value={code} dir="ltr" />
            </label>
          );
        })}
        {ENDPOINTS.map(([measure, key]) => (
          <p>
            {language.say(key)}: {FILE_WINDOW_NAMES.flatMap((window, index) => [
              index === 0 ? "" : " · ",
              <a href={link(endpointPath(slug, measure, window))}>
                {language.say(WINDOW_WORDS[window])}
              </a>,
            ])}
          </p>
        ))}
        <p>
          <a href={link(statisticsPath(slug))}>{language.say("dataStatistics")}</a>
        </p>
      </div>
    </section>
  );
}
