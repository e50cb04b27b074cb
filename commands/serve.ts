import { join } from "node:path";
import { parsePort } from "../lib/text/arguments.ts";
import type { Command, Context } from "./shared/context.ts";
import { interruption } from "../lib/io/terminal.ts";
import { serveFolder, watchFolder } from "../lib/io/serve.ts";
import { EXPORT_FOLDER } from "../lib/config/page_path.ts";
import { pageSources } from "../lib/page/assets.ts";
import { buildPage, type BuiltPage, pageLine } from "./page/build_page.ts";

const USUAL_PORT = 8080;

export const serve: Command = async (context) => {
  const { root, log, json } = context;
  const port = context.options.text("port");
  const wanted = port === undefined ? USUAL_PORT : parsePort(port);
  using stop = interruption(context.signal);
  const { signal } = stop;
  const changes = watchFolder(root, pageSources(root, context.config), signal);
  const first = await buildPage(context, { isPreview: true });
  if (first === undefined) return 2;
  if (first === "unwanted") {
    log.line("No status page: skipGeneratingWebsite is true in the configuration.");
    return 0;
  }
  let base = "/";
  const show = (page: BuiltPage) => {
    base = page.settings.base ?? "/";
    for (const note of page.notes) log.warn(note);
    log.line(pageLine(page));
  };
  show(first);
  await using server = serveFolder(join(root, EXPORT_FOLDER), { port: wanted, base: () => base });
  const { address } = server;
  const also = base === "/" ? "" : ` and ${address.slice(0, -1)}${base}`;
  log.line(`Serving ${address}${also} (Ctrl-C stops it)`);
  if (json) log.data({ address });
  for await (const _ of changes) await rebuild(context, show);
  log.line("Stopped.");
  return 0;
};

/** Builds the page again; after a failure the old page stays. */
async function rebuild(context: Context, show: (page: BuiltPage) => void): Promise<void> {
  const { log } = context;
  try {
    const page = await buildPage(context, { isPreview: true });
    if (page === "unwanted") log.warn("The page was not rebuilt: skipGeneratingWebsite is true");
    else if (page === undefined) log.warn("The page was not rebuilt: see the problems above");
    else show(page);
  } catch (error) {
    log.endProgress();
    if (!(error instanceof Error)) throw error;
    log.error(`The page was not rebuilt: ${error.message}`);
  }
}
