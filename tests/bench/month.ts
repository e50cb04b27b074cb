import { join } from "node:path";
import { checkOut } from "../helpers/checkout.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { type ManySitesSize, writeManySites } from "./many_sites.ts";
import { measureTask } from "./measure_task.ts";
import { countEntries, packedSize, sizeOf } from "./packed_size.ts";
import type { BenchPart } from "./part.ts";

const SITES = 10_000;
/** A month as runs commit by default, and one with a third of the checks, a sixth of the records and a fifth of the statistics. */
const FULL = { days: 30, minutes: 5, hours: 1, statistics: 1 };
const QUICK = { days: 30, minutes: 15, hours: 6, statistics: 5 };
/** `response-time` runs again after a moment. */
const TASKS = [
  ...["response-time", "response-time", "graphs", "site"],
  ...["readme --add-markers", "status", "report"],
];
const MB = 1_000_000;

/** A month of many sites: the repository, and the commands that read all of it. */
export const month: BenchPart = {
  title: `${SITES} sites for ${FULL.days} days`,
  note:
    "checks every five minutes, records every hour, statistics every day; --quick writes a third, a sixth and a fifth" +
    " of them; sizes in MB of 10^6 bytes, those of a command are what it pushes; memory of the program",
  async measure({ quick, progress }) {
    await using scratch = await makeScratch("monitor-month-");
    const rig = await makeMonth(scratch.path, { sites: SITES, ...quick ? QUICK : FULL }, progress);
    const rows = [["", "number", "size", "time", "processor", "memory"], ...rig.rows];
    for (const task of TASKS) {
      progress(`${task} of ${SITES} sites`);
      const before = await sizeOf(rig.remote);
      const [name, ...args] = task.split(" ");
      const { wall, processor, memory } = await measureTask(name!, rig.folder, args);
      rows.push([
        task,
        "",
        inMegabytes(await sizeOf(rig.remote) - before),
        inSeconds(wall),
        inSeconds(processor),
        memory === undefined ? "" : `${memory.toFixed(0)} MB`,
      ]);
    }
    const page = join(rig.folder, "site/status-page/export");
    rows.push(["the page", await countFiles(page), inMegabytes(await sizeOf(page)), "", "", ""]);
    return rows;
  },
};

/** Makes a repository, packs it as a server does, and clones it as the workflows do. */
export async function makeMonth(
  scratch: string,
  size: Omit<ManySitesSize, "end">,
  progress: (text: string) => void,
): Promise<{ remote: string; folder: string; rows: string[][] }> {
  const remote = join(scratch, "remote");
  await Deno.mkdir(remote);
  const end = Temporal.Now.instant().round("minute");
  const [made, written] = await time(() => writeManySites(remote, { ...size, end }, progress));
  progress("the size of the repository");
  // Without the deltas of the stream: a server finds its own among what many pushes have brought.
  const [, packed] = await time(() => git(remote, "repack", "-adfq"));
  const { total, ...kinds } = await packedSize(remote);
  const objects = await git(remote, "count-objects", "-v");
  // Commands push to it; its branch is checked out nowhere.
  await git(remote, "config", "core.bare", "true");
  const folder = join(scratch, "status");
  const sparse = [".github", "assets"];
  const [, cloned] = await time(() =>
    checkOut(join(remote, ".git"), folder, { sparse, filter: "blob:limit=100m" })
  );
  const dotGit = await sizeOf(join(folder, ".git"));
  const row = (name: string, number: number | string, size = "", milliseconds?: number) => [
    ...[name, String(number), size],
    ...[milliseconds === undefined ? "" : inSeconds(milliseconds), "", ""],
  ];
  const rows = [
    row("history", `${made.checks} checks`, "", written),
    row("incidents", made.incidents),
    row("commits", made.commits),
    row("objects", /^in-pack: (\d+)/m.exec(objects)![1]!, inMegabytes(total * MB), packed),
    ...Object.entries(kinds).map(([kind, size]) => row(`  ${kind}`, "", inMegabytes(size * MB))),
    row("largest object", "", inMegabytes(await largestObject(remote))),
    row("largest folder", await countEntries(remote)),
    row("checkout of depth 1", await countFiles(folder), inMegabytes(dotGit), cloned),
  ];
  return { remote, folder, rows };
}

async function time<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

/** Bytes of the largest object that is no pack. */
async function largestObject(folder: string): Promise<number> {
  const { stdout } = await new Deno.Command("sh", {
    args: [
      "-c",
      "git cat-file --batch-all-objects --unordered --batch-check='%(objectsize)' | sort -n | tail -n 1",
    ],
    cwd: folder,
  }).output();
  return Number(new TextDecoder().decode(stdout));
}

async function countFiles(folder: string): Promise<string> {
  let files = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name === ".git") continue;
    files += isDirectory ? Number(await countFiles(join(folder, name))) : 1;
  }
  return String(files);
}

function inMegabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}

function inSeconds(milliseconds = NaN): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
