/** Prints, before the tests run, how long they take, what they skip, and their seed. */
import { SEED } from "./helpers/property.ts";
import { isThorough } from "./helpers/thorough.ts";
import { missingPackages } from "./helpers/tools.ts";

const USUAL = "All tests take about 6 minutes on 2 cores.";
const THOROUGH = "All tests with THOROUGH=1 take about 12 minutes on 2 cores.";
const SLOW =
  "the slow kinds (a kill at every step, more races, every fault of git and of servers, Lighthouse): THOROUGH=1 runs them, in about 12 minutes";

const skipped = [
  ...isThorough() ? [] : [SLOW],
  ...missingPackages().map((name) => `what needs ${name}, which is not installed`),
];
const lines = [
  isThorough() ? THOROUGH : USUAL,
  `Random tests use the seed ${SEED}; PROPERTY_SEED=NUMBER takes another one.`,
  skipped.length === 0 ? "Skipped: nothing." : "Skipped, and counted as ignored:",
  ...skipped.map((what) => `- ${what}`),
];
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
