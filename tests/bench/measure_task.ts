import { output, spawnTask } from "../helpers/program.ts";

/** The cost of one run of a task. */
export interface TaskMeasure {
  /** Milliseconds from the start of the process to its end, the commit included. */
  wall: number;
  /** Peak memory of the process in MB; absent if the system does not report it. */
  memory?: number;
  stdout: string;
}

/** Runs a task of the real program once in a folder; fails if the task fails. */
export async function measureTask(
  task: string,
  folder: string,
  args: readonly string[] = [],
): Promise<TaskMeasure> {
  const start = performance.now();
  const child = spawnTask(task, { folder, args: [...args] });
  const ended = new AbortController();
  const peak = peakMemory(child.pid, ended.signal);
  const { code, stdout, stderr } = await output(child);
  const wall = performance.now() - start;
  ended.abort();
  if (code !== 0) throw new Error(`Cannot measure: ${task} ended with ${code}\n${stderr}`);
  return { wall, memory: await peak, stdout };
}

/** The high-water mark of a process in MB: it only grows, so the last value counts. */
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
