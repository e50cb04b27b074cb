import type { Config } from "../../lib/config/config.ts";
import type { Repository } from "../../lib/git/repository.ts";
import { HISTORY_FOLDER } from "../../lib/config/record_path.ts";
import { STATUS_LABEL } from "../../lib/incidents/issue_labels.ts";
import type { PageSettings } from "../../lib/page/settings.ts";
import { markerLines, toMarkers } from "../../lib/setup/readme_markers.ts";
import { type ReadmeLinks, toReadmeLinks } from "../../lib/setup/readme.ts";
import { DOCS } from "../../lib/version.ts";
import { escapeMarkdown, markdownLink } from "./markdown.ts";

export interface NewReadme {
  repository?: Repository;
  config: Config;
  file: string;
  settings: Pick<PageSettings, "name" | "address">;
  workflows: readonly { name: string; file: string }[];
  /** True for the template, whose copies still have to be set up. */
  isTemplate?: true;
}

/** The README of a repository that has none: all of it with markers that are still empty. */
export function newReadme(
  { config, file, settings: { name: title, address }, repository, workflows, isTemplate }:
    NewReadme,
): string {
  const links = toReadmeLinks(repository, config.graphs);
  const badges = workflows.map(({ name, file }) => {
    const runs = links.page(`actions/workflows/${file}`);
    return `[![${escapeMarkdown(name)}](${runs}/badge.svg)](${runs})`;
  });
  const places = [
    ...address === undefined ? [] : [`- ${markdownLink("Status page", new URL(address))}`],
    `- [Incidents](${links.page("issues")}?q=label%3A${STATUS_LABEL})`,
    `- [All checks](${links.file(HISTORY_FOLDER)})`,
    `- [Workflow runs](${links.page("actions")})`,
  ];
  const sections = [
    `# ${escapeMarkdown(title)}`,
    ...badges.length === 0 ? [] : [badges.join("\n")],
    "Uptime monitor and status page, run by GitHub Actions without a server.",
    ...isTemplate ? [remainingClicks(links, file)] : [],
    markerLines(toMarkers(config)),
    "## Links",
    places.join("\n"),
    "## Configuration",
    `Everything is configured in [\`${file}\`](${
      links.file(file)
    }); Setup CI updates the workflows when that file is pushed.
The text between the comments above is generated; everything else in this file is yours.`,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Lists the remaining steps in a copy of the template, with links. */
function remainingClicks({ page }: ReadmeLinks, file: string): string {
  return `## Two clicks to start

1. [Edit \`${file}\`](${page(`edit/main/${file}`)}): replace the example with your sites, and
   commit. Setup CI then builds the page and starts the first checks, within a few minutes. Until
   then nothing is checked.
2. [Publish the page](${page("settings/pages")}): select the branch \`gh-pages\`, which Setup CI
   has created, and the folder \`/ (root)\`.

For alerts, add a channel to the same file, and save each name with a \`$\` as a
[secret](${page("settings/secrets/actions")}). GitHub can delay the scheduled checks of a new
repository by an hour; [Uptime CI](${page("actions/workflows/uptime.yml")}) also runs by hand.
[Getting started](${DOCS}/getting-started.md) explains the rest, such as a token for other settings
of workflows. When the page is there, delete this section.`;
}
