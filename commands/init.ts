import { UsageError } from "../lib/arguments.ts";
import { column, textWidth } from "../lib/columns.ts";
import { type FirstSite, firstSite, withDistinctNames } from "../lib/config/first_site.ts";
import { CONFIG_FILES } from "../lib/config/load.ts";
import type { Command, Context } from "../lib/context.ts";
import { folderWorkspace } from "../lib/doors/workspace.ts";
import { firstConfig } from "../templates/first_config.ts";

const EXAMPLE = "init --url https://example.com";

/** Writes a first configuration, and never over one that is there. */
export const init: Command = async (context) => {
  const { root, log, dryRun } = context;
  const workspace = folderWorkspace(root);
  const [ours] = CONFIG_FILES;
  for (const file of CONFIG_FILES) {
    if (await workspace.read(file) !== undefined) {
      throw new UsageError(`Cannot begin anew: there is a ${file} already, and it stays as it is`);
    }
  }
  const sites = withDistinctNames(context.urls.length > 0 ? given(context) : asked(context));
  const text = firstConfig(sites);
  if (dryRun) {
    log.line(text.trimEnd());
    return 0;
  }
  await workspace.create(ours, text);
  const steps = {
    [`check ${JSON.stringify(sites[0]!.name)}`]: "looks at it once, and writes nothing",
    "validate": "says what would be monitored, how often, and what that costs",
    "update": "checks everything and keeps the history",
  };
  const width = Math.max(...Object.keys(steps).map(textWidth));
  log.line(`Wrote ${ours}. Next:`);
  for (const [step, what] of Object.entries(steps)) log.line(`  ${column(step, width)}  ${what}`);
  return 0;
};

function given({ urls }: Context): FirstSite[] {
  return urls.map((address) => {
    const site = firstSite(address);
    if (site === undefined) throw new UsageError(notAnAddress(address));
    return site;
  });
}

/** Asks for addresses and names until an answer is empty. */
function asked({ environment, ask, log }: Context): FirstSite[] {
  if (!environment.interactive) {
    throw new UsageError(
      `Cannot ask what to monitor, there is no terminal: say it as in ${EXAMPLE}`,
    );
  }
  const sites: FirstSite[] = [];
  while (true) {
    const question = sites.length === 0
      ? "What shall be monitored? An address such as https://example.com:"
      : "And what else? (enter: that is all)";
    const address = ask(question);
    if (address === undefined) break;
    const site = firstSite(address);
    if (site === undefined) {
      log.line(notAnAddress(address));
      continue;
    }
    sites.push({ ...site, name: ask("What is it called?", site.name) ?? site.name });
  }
  if (sites.length === 0) throw new UsageError("Nothing was written: there is nothing to monitor");
  return sites;
}

function notAnAddress(address: string): string {
  return `Cannot tell what to monitor from ${
    JSON.stringify(address)
  }: expected an address such as https://example.com or db.example.com:5432`;
}
