import { output, spawnTask } from "../helpers/program.ts";

/** The cost of one run of a task. */
export interface TaskMeasure {
  /** Milliseconds from the start of the process to its end, the commit included. */
  wall: number;
  /** Milliseconds of a processor, those of git included; absent if the system does not report it. */
  processor?: number;
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
  const usage = measureUsage(child.pid, ended.signal);
  const { code, stdout, stderr } = await output(child);
  const wall = performance.now() - start;
  ended.abort();
  if (code !== 0) throw new Error(`Cannot measure: ${task} ended with ${code}\n${stderr}`);
  return { wall, stdout, ...await usage };
}

/** The last values of what only grows: processor time, and the high-water mark of memory. */
async function measureUsage(
  pid: number,
  ended: AbortSignal,
): Promise<Pick<TaskMeasure, "processor" | "memory">> {
  const usage: Pick<TaskMeasure, "processor" | "memory"> = {};
  while (!ended.aborted) {
    try {
      const status = await Deno.readTextFile(`/proc/${pid}/status`);
      const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
      if (kilobytes !== undefined) usage.memory = Number(kilobytes) / 1024;
      // After the name in brackets: the time of the process and of its children, in user and system mode.
      const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
      const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 15);
      usage.processor = 10 * ticks.reduce((sum, one) => sum + Number(one), 0);
    } catch {
      return usage; // The process is gone, or this system has no /proc.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return usage;
}
