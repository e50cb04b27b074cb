import type { Context } from "../shared/context.ts";
import { randomName } from "../../lib/io/chance.ts";
import type { KeepReadmeOptions } from "../../lib/setup/readme.ts";
import { toMarkers } from "../../lib/setup/readme_markers.ts";
import type { ReadmeWorld } from "../shared/readme_world.ts";
import { commitAuthor, readmeMessage } from "../../templates/commit_message.ts";
import { liveStatus, readmeSummary } from "../../templates/markdown/readme.ts";
import { type NewReadme, newReadme } from "../../templates/markdown/new_readme.ts";
import { viewOf } from "./readme_view.ts";

/** What a README is made with, and how it is committed. */
export function keepOptions(
  world: ReadmeWorld,
  named: Pick<NewReadme, "file" | "workflows">,
  context: Context,
): KeepReadmeOptions {
  const { config, repository } = world;
  const markers = toMarkers(config);
  return {
    run: { id: randomName(), time: context.clock.now() },
    isAtTop: (repository?.prefix ?? "") === "",
    message: readmeMessage(config),
    author: commitAuthor(config),
    optionsOf: (report) => ({
      markers,
      addsMarkers: context.options.has("add-markers"),
      textsOf(path) {
        const view = viewOf(report, path, world, context);
        return { summary: readmeSummary(view), live: liveStatus(view) };
      },
      fresh: (path) => newReadme({ ...world, ...named, path }),
    }),
  };
}
