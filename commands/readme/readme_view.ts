import type { Context } from "../shared/context.ts";
import { messagesOf } from "../../lib/text/messages.ts";
import { openAssets } from "../../lib/page/assets.ts";
import { redactTexts } from "../../lib/page/redact.ts";
import { iconOf } from "../../lib/page/place.ts";
import { linksOfReadme } from "../../lib/setup/readme_links.ts";
import type { ReadmeWorld } from "../shared/readme_world.ts";
import type { Report } from "../../lib/statistics/report/report.ts";
import { languageOf } from "../../templates/pages/language.ts";
import type { ReadmeView } from "../../templates/markdown/readme.ts";

/** Everything that a README shows of a report, without secrets; `path` is that of the README. */
export function viewOf(
  report: Report,
  path: string,
  { config, settings, repository }: ReadmeWorld,
  { root, secrets }: Pick<Context, "root" | "secrets">,
): ReadmeView {
  const redact = (text: string) => secrets.redact(text);
  const sites = report.sites.map((one) => ({ ...one, site: redactTexts(one.site, redact) }));
  const words = Object.entries(config.i18n).map(([key, text]) => [key, redact(text)]);
  const messages = messagesOf(Object.fromEntries(words));
  const { paths: assets } = openAssets(root);
  return {
    report: { ...report, sites },
    language: languageOf(messages, settings.lang, settings.timezone),
    links: linksOfReadme({ readme: path, repository, graphs: config.graphs }),
    page: settings.address,
    hasDarkGraphs: config.graphs.dark,
    iconOf: ({ icon }) => icon === undefined ? undefined : iconOf(icon, { assets, home: settings }),
  };
}
