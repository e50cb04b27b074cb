import { RUNNER_TOOLS, testWith } from "../tools.ts";

/** A test of scripts that need the tools of a runner. */
export function withTools(name: string, fn: () => Promise<void>): void {
  testWith(RUNNER_TOOLS, { name, fn });
}
