import { assertEquals } from "@std/assert";
import { join } from "node:path";
import type { GitHubServer } from "./github_server.ts";
import { type ProgramResult, type RunOptions, runProcess, runTask } from "./program.ts";
import { commitFile, remoteAndClone } from "./repositories.ts";
import { git, type Scratch } from "./scratch.ts";
import { httpServer } from "./servers.ts";
import type { VendorServer } from "./vendors/vendor_server.ts";
import type { Notification } from "../../lib/config/channels/keys.ts";
import { PENDING_REF } from "../../lib/git/remote.ts";

type Keys = Record<string, unknown>;

/** What is monitored, and how. */
export interface Monitored {
  /** The sites' further keys, by name. @default One named Shop */
  sites?: Readonly<Record<string, Keys>>;
  notifications?: readonly Notification[];
  /** Further keys of the top level. */
  top?: Keys;
  /** Values of secrets, if there are any. */
  secrets?: Readonly<Record<string, string>>;
  /** The GitHub that has the issues. */
  github?: GitHubServer;
  /** False for a folder without git and without remote, in which runs take a third of the time. */
  git?: boolean;
}

/** A clone of a remote, with sites that are turned up and down between runs. */
export interface Rig extends AsyncDisposable {
  folder: string;
  remote: string;
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
  configure(monitored: Pick<Monitored, "sites" | "notifications" | "top">): Promise<void>;
}

const FILE = ".monitorrc.yml";

/** Creates healthy sites without earlier runs, and a folder that monitors them. */
export async function makeRig(scratch: Scratch, monitored: Monitored = {}): Promise<Rig> {
  const codes = new Map<string, number>();
  const server = httpServer((request) => {
    const name = decodeURIComponent(new URL(request.url).pathname.slice(1));
    return new Response(null, { status: codes.get(name) ?? 200 });
  });
  const { github, git: hasGit = true } = monitored;
  let { secrets = {}, sites = { Shop: {} } } = monitored;
  const textOf = (own: Monitored) => configOf({ ...own, sites }, server.url);
  let folder = scratch.path;
  let remote = "";
  if (hasGit) {
    ({ remote, folder } = await remoteAndClone(scratch, textOf(monitored)));
  } else await scratch.write(FILE, textOf(monitored));
  const inRig = ({ env, ...options }: Partial<RunOptions> = {}): RunOptions => ({
    folder,
    ...options,
    env: { SECRETS_CONTEXT: JSON.stringify(secrets), ...github?.env, ...env },
  });
  const run: Rig["run"] = (task, options) => runTask(task, inRig(options));
  return {
    folder,
    remote,
    turn(code, ...names) {
      for (const name of names.length === 0 ? Object.keys(sites) : names) codes.set(name, code);
    },
    update: (options) => run("update", options),
    updateProcess: (options) => runProcess("update", inRig(options)),
    run,
    give: (others) => void (secrets = others),
    async configure(other) {
      sites = other.sites ?? sites;
      const text = textOf(other);
      if (!hasGit) return await scratch.write(FILE, text);
      await git(folder, "pull", "--quiet", "--rebase", "origin", "main");
      await commitFile(folder, FILE, text);
      await git(folder, "push", "--quiet", "origin", "HEAD:main");
    },
    async age(seconds) {
      if (hasGit) return await ageMemory(scratch, remote, seconds);
      const path = "history/state/memory.json";
      await scratch.write(path, makeOlder(await scratch.read(path), seconds));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Runs a command that must succeed, and returns all that it prints. */
export async function succeed(
  task: string,
  folder: string,
  options: Partial<RunOptions> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runTask(task, { folder, ...options });
  assertEquals(code, 0, stdout + stderr);
  return stdout + stderr;
}

function configOf({ sites = {}, notifications = [], top = {} }: Monitored, url: string): string {
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
