import type { Servers } from "./servers.ts";

/** The context of a part of the benchmark. */
export interface BenchContext {
  servers: Servers;
  /** The number of runs for each figure. */
  runs: number;
  /** True if a rough figure is enough. */
  quick: boolean;
  /** Reports the current measurement. */
  progress(text: string): void;
}

/** A part of the benchmark: its topic, and the rows of its table. */
export interface BenchPart {
  title: string;
  note: string;
  measure(context: BenchContext): Promise<string[][]>;
}
