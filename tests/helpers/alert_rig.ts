import { join } from "node:path";
import { githubServer } from "./github_server.ts";
import { type ProgramResult, type RunOptions, runProcess, runTask } from "./program.ts";
import { cloneRemote, commitFile, configText } from "./repositories.ts";
import { git, makeRemote, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import type { VendorServer } from "./vendors/vendor_server.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";

type Keys = Record<string, unknown>;

export interface Alerting {
  /** The sites' further keys, by name. */
  sites?: Readonly<Record<string, Keys>>;
  notifications?: readonly Notification[];
  /** Further keys of the top level. */
  top?: Keys;
  /** Values of secrets, if there are any. */
  secrets?: Readonly<Record<string, string>>;
}

/** A folder, with sites that are turned up and down between runs. */
export interface FolderRig extends AsyncDisposable {
  folder: string;
  /** Makes the sites of some names answer with a status, or all of them. */
  turn(code: number, ...names: string[]): void;
  /** Runs a whole `update`. */
  update(options?: Partial<RunOptions>): Promise<ProgramResult>;
  /** Runs a whole `update` in a process of its own, which can be killed. */
  updateProcess(options: Partial<RunOptions>): Promise<ProgramResult>;
  /** Runs another command in the folder. */
  run(task: string, options?: Partial<RunOptions>): Promise<ProgramResult>;
  /** Gives the runs from now on these secrets. */
  give(secrets: Readonly<Record<string, string>>): void;
  /** Backdates the run state of channels and messages by some seconds. */
  age(seconds: number): Promise<void>;
  /** Changes the configuration, and pushes it to a remote. */
  configure(alerting: Omit<Alerting, "secrets">): Promise<void>;
}

/** The same in a clone of a remote. */
export interface AlertRig extends FolderRig {
  remote: string;
}

const FILE = ".monitorrc.yml";

/** Sites that are all up, and runs in a folder; `textOf` makes a configuration for them. */
function serveSites(folder: string, alerting: Alerting) {
  const codes = new Map<string, number>();
  const server = httpServer((request) => {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    return new Response(null, { status: codes.get(name) ?? 200 });
  });
  let { secrets = {} } = alerting;
  let sites = alerting.sites ?? { Shop: {} };
  const inRig = ({ env, ...options }: Partial<RunOptions> = {}): RunOptions => ({
    folder,
    ...options,
    env: { SECRETS_CONTEXT: JSON.stringify(secrets), ...env },
  });
  const run: AlertRig["run"] = (task, options) => runTask(task, inRig(options));
  return {
    folder,
    textOf(own: Alerting) {
      sites = own.sites ?? sites;
      return configOf({ ...own, sites }, server.url);
    },
    turn(code: number, ...names: string[]) {
      for (const name of names.length === 0 ? Object.keys(sites) : names) codes.set(name, code);
    },
    update: (options?: Partial<RunOptions>) => run("update", options),
    updateProcess: (options: Partial<RunOptions>) => runProcess("update", inRig(options)),
    run,
    give: (others: Readonly<Record<string, string>>) => void (secrets = others),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Creates healthy sites without earlier runs, monitored from a clone of a remote. */
export async function alertRig(scratch: Scratch, alerting: Alerting): Promise<AlertRig> {
  const folder = join(scratch.path, "clone");
  const served = serveSites(folder, alerting);
  const remote = await makeRemote(scratch.path, { [FILE]: served.textOf(alerting) });
  await cloneRemote(remote, folder);
  return {
    ...served,
    remote,
    async configure(other) {
      await git(folder, "pull", "--quiet", "--rebase", "origin", "main");
      await commitFile(folder, FILE, served.textOf(other));
      await git(folder, "push", "--quiet", "origin", "HEAD:main");
    },
    age: (seconds) => ageMemory(scratch, remote, seconds),
  };
}

/** Does the same in a folder without git, in which runs take a third of the time. */
export async function folderRig(scratch: Scratch, alerting: Alerting): Promise<FolderRig> {
  const served = serveSites(scratch.path, alerting);
  await scratch.write(FILE, served.textOf(alerting));
  return {
    ...served,
    configure: (other) => scratch.write(FILE, served.textOf(other)),
    async age(seconds) {
      const path = "history/state/memory.json";
      await scratch.write(path, makeOlder(await scratch.read(path), seconds));
    },
  };
}

function configOf({ sites = {}, notifications = [], top = {} }: Alerting, url: string): string {
  return JSON.stringify({
    retry: { delays: [0.05] },
    recheckDelay: 0.05,
    reopenWithin: 0,
    canaries: [],
    history: { commitEvery: "1d" },
    ...top,
    notifications,
    sites: Object.entries(sites).map(([name, keys]) => ({
      name,
      url: `${url}/${encodeURIComponent(name)}`,
      ...keys,
    })),
  });
}

const TIME = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g;

/** The text of a run state that is so many seconds older. */
function makeOlder(text: string, seconds: number): string {
  const older = (value: unknown) =>
    JSON.parse(
      JSON.stringify(value).replace(TIME, (time) =>
        JSON.stringify(`${Temporal.Instant.from(JSON.parse(time)).subtract({ seconds })}`)),
    );
  const { channels, outbox, ...memory } = JSON.parse(text);
  return JSON.stringify({ ...memory, channels: older(channels), outbox: older(outbox) });
}

async function ageMemory(scratch: Scratch, remote: string, seconds: number): Promise<void> {
  const path = "main/memory.json";
  const text = await git(remote, "cat-file", "blob", `${PENDING_REF}:${path}`);
  await scratch.write("memory.json", makeOlder(text, seconds));
  const blob = await git(remote, "hash-object", "-w", join(scratch.path, "memory.json"));
  await git(remote, "read-tree", PENDING_REF);
  await git(remote, "update-index", "--cacheinfo", `100644,${blob},${path}`);
  const tree = await git(remote, "write-tree");
  const commit = await git(remote, "commit-tree", tree, "-m", "Grow older");
  await git(remote, "update-ref", PENDING_REF, commit);
}

/** The messages of a webhook, one text each: `shop down, post up`. */
export function listMessages({ seen }: VendorServer): string[] {
  return seen.map(({ json }) =>
    // deno-lint-ignore no-explicit-any
    json.events.map((event: any) =>
      `${event.site.slug} ${event.reminder ? "still " : ""}${event.type}`
    ).join(", ")
  );
}

/** A clone that monitors one site, which is turned up and down, with GitHub for its issues. */
export async function issueRig(scratch: Scratch, top = "") {
  let code = 200;
  const site = httpServer(() => new Response(null, { status: code }));
  const github = await githubServer();
  const config = configText({ Shop: site.url }, top);
  const remote = await makeRemote(scratch.path, { ".monitorrc.yml": config });
  const folder = await cloneRemote(remote, join(scratch.path, "clone"));
  return {
    github,
    remote,
    folder,
    turn: (to: number) => code = to,
    update: (env: Record<string, string> = {}, ...args: string[]) =>
      runTask("update", { folder, args, env: { ...github.env, ...env } }),
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await github[Symbol.asyncDispose]();
    },
  };
}
