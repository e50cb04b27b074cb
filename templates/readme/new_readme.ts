import { HISTORY_FOLDER } from "../../lib/history/record.ts";
import type { Markers } from "../../lib/readme/markers.ts";
import type { ReadmeLinks } from "../../lib/readme/readme_links.ts";
import { markerLines } from "../../lib/readme/add_markers.ts";
import { escapeMarkdown, markdownLink } from "../markdown.ts";

/** A workflow, by the name that people know it by and the name of its file. */
export interface NamedWorkflow {
  name: string;
  file: string;
}

/** What a new README tells of. */
export interface NewReadme {
  /** What the monitor is called. */
  title: string;
  markers: Markers;
  /** Name of the configuration's file. */
  config: string;
  /** Workflows with a badge each. */
  workflows: readonly NamedWorkflow[];
  /** Address of the status page, without a slash at its end; absent where nobody knows. */
  page?: string;
  links: Pick<ReadmeLinks, "file" | "page">;
}

/** The README of a repository that has none: all of it with markers that are still empty. */
export function newReadme(
  { title, markers, config, workflows, page: address, links }: NewReadme,
): string {
  const badges = workflows.map(({ name, file }) => {
    const runs = links.page(`actions/workflows/${file}`);
    return `[![${escapeMarkdown(name)}](${runs}/badge.svg)](${runs})`;
  });
  const places = [
    ...address === undefined ? [] : [`- ${markdownLink("Status page", new URL(address))}`],
    `- [Incidents](${links.page("issues")}?q=label%3Astatus)`,
    `- [Every check so far](${links.file(HISTORY_FOLDER)})`,
    `- [What the workflows do](${links.page("actions")})`,
  ];
  const sections = [
    `# ${escapeMarkdown(title)}`,
    ...badges.length === 0 ? [] : [badges.join("\n")],
    "This repository watches sites and keeps the history of how they are: no server, only scheduled workflows.",
    markerLines(markers),
    "## Links",
    places.join("\n"),
    "## What is monitored",
    `Sites, notifications and everything else are set up in [\`${config}\`](${
      links.file(config)
    }). A push of that file is enough: the workflows follow it. What stands above between the comments is written anew by itself, all else in this file is yours.`,
  ];
  return `${sections.join("\n\n")}\n`;
}
