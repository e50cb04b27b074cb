import { makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { measureTask, type TaskMeasure } from "./measure_task.ts";
import type { Scheme, Servers } from "./servers.ts";

/** The sites of one run, all of one kind. */
export interface Load {
  scheme: Scheme;
  sites: number;
  /** Response time of each site in milliseconds. */
  delay: number;
  concurrency: number;
}

/** The cost of one run of `update`. */
export interface UpdateMeasure extends Omit<TaskMeasure, "stdout"> {
  /** Measured time less the delay of the server, in ms, in the order in which the sites were looked at. */
  errors: number[];
}

/** A repository with the sites of a load, which no run has seen yet. */
export interface BenchRepository extends AsyncDisposable {
  /** Runs the real program once. Every site must be found up. */
  update(): Promise<UpdateMeasure>;
}

/** Makes the repository for a load. */
export async function makeBenchRepository(
  { scheme, sites, delay, concurrency }: Load,
  servers: Servers,
): Promise<BenchRepository> {
  const scratch = await makeScratch("monitor-bench-");
  const ca = scheme === "https" ? { ca: servers.authority } : {};
  const site = { url: servers.url(scheme, delay), ...ca };
  const config = {
    concurrency,
    retry: { delays: [] },
    canaries: [],
    sites: Array.from({ length: sites }, (_, index) => ({ name: `Site ${index + 1}`, ...site })),
  };
  const folder = await makeRepository(`${scratch.path}/status`, {
    ".monitorrc.yml": JSON.stringify(config),
  });
  return {
    update: () => measure(folder, delay),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

async function measure(folder: string, delay: number): Promise<UpdateMeasure> {
  const { wall, memory, stdout } = await measureTask("update", folder, ["--json"]);
  const answers: { state: string; error: string; responseTime: number }[] =
    JSON.parse(stdout).sites;
  const broken = answers.find(({ state }) => state !== "up");
  if (broken !== undefined) throw new Error(`Cannot measure: a site is not up (${broken.error})`);
  const errors = answers.map(({ responseTime }) => responseTime - delay);
  return { wall, memory, errors };
}
