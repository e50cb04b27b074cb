/** Runs one kind of tests: `run.ts default|system|thorough [FILE…] [OPTION…]`. */
import { SEED } from "./helpers/property.ts";
import { missingPackages } from "./helpers/tools.ts";

const KINDS = {
  default: "All tests take about 1 minute on 2 cores.",
  system: "The system tests take about 5 minutes on 2 cores.",
  thorough: "The thorough tests take about 4 minutes on 2 cores.",
};

const FLAGS = [
  "--config=tests/deno.json",
  "--no-check",
  "--no-prompt",
  "--frozen",
  "--cached-only",
  "--allow-all",
];

const [kind, ...args] = Deno.args;
if (kind === undefined || !Object.hasOwn(KINDS, kind)) {
  throw new Error(`Cannot run tests of the kind "${kind}": use ${Object.keys(KINDS).join(", ")}`);
}

const missing = missingPackages();
const lines = [
  KINDS[kind as keyof typeof KINDS],
  `Random tests use the seed ${SEED}; PROPERTY_SEED=NUMBER takes another one.`,
  ...missing.map((name) => `Skipped, and counted as ignored: what needs ${name}, not installed`),
];
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));

/** Tests that mostly wait; started first, they overlap with all others. */
const WAITING = ["tests/thorough/watch_ends_test.ts", "tests/thorough/watch_test.ts"];

const hasPaths = args.some((arg) => !arg.startsWith("-"));
const selection: Record<string, () => Promise<string[]>> = {
  default: () => Promise.resolve(["--ignore=tests/system,tests/thorough"]),
  system: () => Promise.resolve(["tests/system"]),
  thorough: async () => [...WAITING, "tests/thorough", ...await propertyTests("tests")],
};
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["test", ...FLAGS, "--parallel", ...hasPaths ? [] : await selection[kind]!(), ...args],
  env: {
    DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "4",
    ...kind === "thorough" ? { THOROUGH: "1" } : {},
  },
}).spawn().status;
Deno.exit(code);

/** Paths of the default tests that are repeated with many runs. */
async function propertyTests(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (path === "tests/system" || path === "tests/thorough") continue;
    if (isDirectory) found.push(...await propertyTests(path));
    else if (name.endsWith("_test.ts")) {
      const text = await Deno.readTextFile(path);
      if (/helpers\/property\.ts"/.test(text)) found.push(path);
    }
  }
  return found.sort();
}
