import { isAbsolute, relative, resolve } from "node:path";
import {
  type Beat,
  formatBeat,
  LONGEST_JOB,
  parseBeat,
  parseResult,
} from "../lib/checks/heartbeat/beat.ts";
import { type Config, findSite, type Site, whyNoSite } from "../lib/config/config.ts";
import { readRepositoryInfo } from "../lib/git/repository.ts";
import { GitHubError } from "../lib/github/github.ts";
import { openRepositoryVariables } from "../lib/github/repository_variables.ts";
import { folderWorkspace } from "../lib/io/workspace.ts";
import { UsageError } from "../lib/text/arguments.ts";
import { type Command, type Context, loadReported } from "./shared/context.ts";
import { githubOptions, whyNoGitHub } from "./shared/reach_github.ts";

interface Place {
  name: string;
  /** Reads the last beat; `undefined` or empty if there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

export const beat: Command = async (context) => {
  const { clock, json, log } = context;
  const { config } = await loadReported(context);
  if (config === undefined) return 2;
  const { name, result } = parseWords(context.words);
  const site = findSite(config.sites, name);
  if (site === undefined) throw new UsageError(whyNoSite(config.sites, name));
  const place = await findPlace(site, config, context);
  const now = clock.now();
  const text = formatBeat({ ...result, at: now, duration: await measure(place, result, now) });
  await place.write(text);
  log.line(`Saved "${text}" in ${place.name}.`);
  if (json) log.data({ site: site.slug, beat: text, place: place.name, saved: true });
  return 0;
};

function parseWords(
  [name, word = "ok", ...others]: readonly string[],
): { name: string; result: Pick<Beat, "kind" | "code"> } {
  if (name === undefined) {
    throw new UsageError("Cannot save a beat: name a site, as in: beat Backup ok");
  }
  const result = parseResult(word);
  if (result !== undefined && others.length === 0) return { name, result };
  const found = [word, ...others].join(" ");
  throw new UsageError(
    `Cannot save a beat: expected ok, start, fail or an exit code from 0 to 255 after the site, found "${found}"; quote a name with spaces`,
  );
}

async function findPlace(site: Site, config: Config, context: Context): Promise<Place> {
  const { target } = site;
  if (target.check !== "heartbeat") {
    throw new UsageError(
      `Cannot save a beat of ${site.name}: it has check: ${site.check}, not check: heartbeat`,
    );
  }
  if (target.file !== undefined) return openFile(target.file, context);
  if (target.variable !== undefined) return await openVariable(target.variable, config, context);
  throw new UsageError(
    `Cannot save a beat of ${site.name}: it has neither file nor variable; add file: beats/${site.slug}.txt to the site`,
  );
}

function openFile(file: string, { root }: Pick<Context, "root">): Place {
  const path = relative(root, resolve(root, file));
  if (isAbsolute(path) || /^\.\.(?:[/\\]|$)/.test(path)) {
    throw new Error(
      `Cannot write ${file}: it is outside of ${root}, where this command may write; name a file in that folder, or let the job write the line`,
    );
  }
  const workspace = folderWorkspace(root);
  return {
    name: file,
    read: () => workspace.read(path),
    write: (text) => workspace.write(path, `${text}\n`),
  };
}

async function openVariable(
  variable: string,
  config: Config,
  context: Pick<Context, "root" | "environment" | "clock" | "log">,
): Promise<Place> {
  const { remoteUrl } = await readRepositoryInfo(context.root);
  const options = githubOptions({ config, remoteUrl }, context);
  if (options === undefined) {
    throw new UsageError(`Cannot save a beat: ${whyNoGitHub(context.environment)}`);
  }
  const variables = openRepositoryVariables(options);
  return {
    name: `the variable ${variable} of ${options.repository}`,
    // Without its start, only the duration is unknown.
    read: () => variables.list().then((values) => values.get(variable), () => undefined),
    async write(text) {
      try {
        await variables.save(variable, text);
      } catch (error) {
        if (!(error instanceof GitHubError) || error.kind !== "misconfigured") throw error;
        throw new Error(`${error.message}; ${VARIABLES_NEED}`, { cause: error });
      }
    },
  };
}

const VARIABLES_NEED =
  "a beat needs a token with Variables: read and write, which the token of a job never has: in GitHub Actions use dispatch";

/** Computes how many milliseconds a job took that has ended, if its last beat is its start. */
async function measure(
  place: Place,
  { kind }: Pick<Beat, "kind">,
  now: Temporal.Instant,
): Promise<number | undefined> {
  if (kind === "start") return undefined;
  const before = parseBeat((await place.read())?.trim().split("\n").at(-1) ?? "");
  if (typeof before === "string" || before.kind !== "start") return undefined;
  const duration = before.at.until(now).total("milliseconds");
  return duration >= 0 && duration <= LONGEST_JOB ? duration : undefined;
}
