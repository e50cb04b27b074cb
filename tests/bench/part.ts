import type { Servers } from "./servers.ts";

/** What a part of the benchmark is given. */
export interface BenchContext {
  servers: Servers;
  /** Whether there is a curl to compare with. */
  curl: boolean;
  /** Runs that each figure is taken from. */
  runs: number;
  /** Whether a rough figure will do. */
  quick: boolean;
  /** Says what is being measured. */
  progress(text: string): void;
}

/** A part of the benchmark: what it is about, and the rows of its table. */
export interface BenchPart {
  title: string;
  note: string;
  measure(context: BenchContext): Promise<string[][]>;
}
