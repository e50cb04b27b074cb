import { join } from "node:path";
import { checkOut, type CheckoutOptions } from "../helpers/checkout.ts";
import { jobOf, madeWorkflow } from "../helpers/made_workflows.ts";
import { runTask } from "../helpers/program.ts";
import { git, makeScratch } from "../helpers/scratch.ts";
import { makeBigHistory } from "./big_history.ts";
import { median } from "./figures.ts";
import type { BenchPart } from "./part.ts";

const SITES = 50;
const MB = 1_000_000;

/** The cost of the checkout of Uptime CI, next to a full one. */
export const checkouts: BenchPart = {
  title: "The checkout of a job",
  note: `the history of ${SITES} sites over a year, 35 days of it check by check, from a disk`,
  async measure({ runs, progress }) {
    await using scratch = await makeScratch();
    progress("making a history");
    const size = { sites: SITES, years: 1, incidents: 12 };
    const full = await makeBigHistory(join(scratch.path, "full"), size);
    await runTask("response-time", { folder: full });
    const remote = join(scratch.path, "remote.git");
    await git(scratch.path, "clone", "--quiet", "--bare", full, remote);
    const sparse = await sparseOfUptime();
    const ways: Record<string, CheckoutOptions> = {
      "everything, depth 1": {},
      "as Uptime CI does": sparse,
      "the same, without any file at first": { ...sparse, filter: "blob:none" },
    };
    const rows = [["checkout", "fetched", "files", "time"]];
    for (const [name, options] of Object.entries(ways)) {
      const seen: Measured[] = [];
      for (let run = 1; run <= runs; run++) {
        progress(`${name}, run ${run}`);
        seen.push(await measureCheckout(remote, join(scratch.path, `run-${run}`), options));
      }
      const figure = (key: keyof Measured) => median(seen.map((one) => one[key]));
      const megabytes = (bytes: number) => `${(bytes / MB).toFixed(1)} MB`;
      rows.push([
        name,
        megabytes(figure("fetched")),
        megabytes(figure("files")),
        `${figure("time").toFixed(0)} ms`,
      ]);
    }
    return rows;
  },
};

/** The inputs of the workflow's checkout. */
async function sparseOfUptime(): Promise<CheckoutOptions> {
  const [step] = jobOf(await madeWorkflow("uptime")).steps;
  const folders = String(step!.with!["sparse-checkout"]).trim().split("\n");
  return { sparse: folders, filter: String(step!.with!["filter"]) };
}

interface Measured {
  /** Bytes of the objects that came. */
  fetched: number;
  /** Bytes of the files that lie in the folder. */
  files: number;
  /** Milliseconds. */
  time: number;
}

async function measureCheckout(
  remote: string,
  folder: string,
  options: CheckoutOptions,
): Promise<Measured> {
  const from = performance.now();
  await checkOut(remote, folder, options);
  const time = performance.now() - from;
  const fetched = await sizeOf(join(folder, ".git", "objects"));
  const files = await sizeOf(folder) - await sizeOf(join(folder, ".git"));
  await Deno.remove(folder, { recursive: true });
  return { fetched, files, time };
}

/** Bytes of all files in a folder and its folders. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    bytes += isDirectory ? await sizeOf(path) : (await Deno.stat(path)).size;
  }
  return bytes;
}
