import { output, spawnTask } from "../helpers/program.ts";
import { makeRepository } from "../helpers/repositories.ts";
import { makeScratch } from "../helpers/scratch.ts";
import type { Scheme, Servers } from "./servers.ts";

/** The sites of one run, all of one kind. */
export interface Load {
  scheme: Scheme;
  sites: number;
  /** Milliseconds that each site takes to answer. */
  delay: number;
  concurrency: number;
}

/** What one run of `update` took. */
export interface UpdateMeasure {
  /** Milliseconds from the start of the process to its end, the commit included. */
  wall: number;
  /** Most memory that the process held, in MB; absent where the system does not tell. */
  memory?: number;
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
  const start = performance.now();
  const child = spawnTask("update", { folder, args: ["--json"] });
  const ended = new AbortController();
  const peak = peakMemory(child.pid, ended.signal);
  const { code, stdout, stderr } = await output(child);
  const wall = performance.now() - start;
  ended.abort();
  if (code !== 0) throw new Error(`Cannot measure: update ended with ${code}\n${stderr}`);
  const answers: { state: string; error: string; responseTime: number }[] =
    JSON.parse(stdout).sites;
  const broken = answers.find(({ state }) => state !== "up");
  if (broken !== undefined) throw new Error(`Cannot measure: a site is not up (${broken.error})`);
  const errors = answers.map(({ responseTime }) => responseTime - delay);
  return { wall, memory: await peak, errors };
}

/** The high-water mark of a process in MB: it only ever grows, so the last look at it tells. */
async function peakMemory(pid: number, ended: AbortSignal): Promise<number | undefined> {
  let peak: number | undefined;
  while (!ended.aborted) {
    try {
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
      if (kilobytes !== undefined) peak = Number(kilobytes) / 1024;
    } catch {
      return peak; // The process is gone, or this system has no /proc.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return peak;
}
