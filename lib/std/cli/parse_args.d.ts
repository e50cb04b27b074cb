/** Which arguments are text, which are switches, and what to do with others. */
export interface ParseOptions {
  string?: readonly string[];
  boolean?: readonly string[];
  collect?: readonly string[];
  alias?: Record<string, string>;
  unknown?: (arg: string, key?: string, value?: unknown) => unknown;
}
/** Switches and texts by name, the rest under `_`. */
export interface Args {
  [name: string]: unknown;
  _: (string | number)[];
}
export function parseArgs(args: string[], options?: ParseOptions): Args;
