import { UsageError } from "../../lib/text/arguments.ts";
import {
  AddressError,
  type FirstSite,
  firstSite,
  problemOfLast,
  withDistinctNames,
} from "../../lib/config/first_site.ts";
import type { Context } from "../shared/context.ts";
import { plainText } from "../../lib/text/plain_text.ts";

const EXAMPLE = "init --url https://example.com";

/** What to begin with: the addresses given, or what somebody at the terminal answers. */
export function firstSites(context: Context): Promise<FirstSite[]> {
  return context.options.texts("url").length > 0 ? given(context) : asked(context);
}

async function given({ options }: Context): Promise<FirstSite[]> {
  const urls = options.texts("url");
  const sites = withDistinctNames(urls.map((address) => {
    const { site, problem } = tryAddress(address);
    if (site === undefined) throw new UsageError(problem);
    return site;
  }));
  for (const index of sites.keys()) {
    const problem = await problemOfLast(sites.slice(0, index + 1));
    if (problem !== undefined) throw new UsageError(`Cannot monitor ${urls[index]}: ${problem}`);
  }
  return sites;
}

/** Asks for addresses and names until an answer is empty. */
async function asked({ environment, ask, log, json }: Context): Promise<FirstSite[]> {
  if (!environment.interactive || json) {
    const why = json ? "the answer is to be JSON" : "there is no terminal";
    throw new UsageError(`Cannot ask what to monitor, ${why}: say it as in ${EXAMPLE}`);
  }
  const sites: FirstSite[] = [];
  while (true) {
    const question = sites.length === 0
      ? "What shall be monitored? An address such as https://example.com:"
      : "And what else? (enter: that is all)";
    const address = ask(question);
    if (address === undefined) break;
    const { site, problem } = tryAddress(address);
    if (site === undefined) {
      log.line(problem);
      continue;
    }
    const { name } = withDistinctNames([...sites, site]).at(-1)!;
    const called = { ...site, name: plainText(ask("What is it called?", name) ?? name) };
    const wrong = await problemOfLast([...sites, called]);
    if (wrong === undefined) sites.push(called);
    else log.line(`Cannot monitor that: ${wrong}`);
  }
  if (sites.length === 0) throw new UsageError("Nothing was written: there is nothing to monitor");
  return sites;
}

function tryAddress(
  address: string,
): { site: FirstSite; problem?: undefined } | { site?: undefined; problem: string } {
  try {
    return { site: firstSite(address) };
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    return { problem: error.message };
  }
}
