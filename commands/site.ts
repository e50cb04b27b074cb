import type { Command } from "../lib/context.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import { readStoredIncidents } from "../lib/history/stored_incidents.ts";
import { messagesOf } from "../lib/messages/messages.ts";
import { EXPORT_FOLDER } from "../lib/page/page_path.ts";
import { openReport } from "../lib/report/open_report.ts";
import { languageOf } from "../templates/pages/language.ts";
import { renderPages } from "../templates/pages/render.ts";

/** Builds the status page. */
export const site: Command = async (context) => {
  const { root, clock, log } = context;
  const opened = await openReport(context, { isShown: true });
  if (opened === undefined) return 2;
  const { config, report, snapshot } = opened;
  const messages = messagesOf();
  const { timezone } = config;
  const files = renderPages({
    report,
    incidents: (await readStoredIncidents(snapshot)).incidents,
    assets: new Set(),
    settings: {
      ...{ name: "Status", lang: "en", direction: "ltr", theme: "auto", showsName: true },
      ...{ messages, timezone, links: [], imageHosts: [] },
    },
    language: languageOf(messages, "en", timezone),
    built: clock.now(),
  });
  const workspace = folderWorkspace(root);
  for (const [path, text] of files) await workspace.write(`${EXPORT_FOLDER}/${path}`, text);
  log.line(`${files.size} pages in ${EXPORT_FOLDER}`);
  return 0;
};
