/** Runs one kind of tests: `run.ts default|system|thorough [FILE…] [OPTION…]`. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SEED } from "./helpers/property.ts";
import { missingPackages } from "./helpers/tools.ts";

const KINDS = {
  default: "All tests take about 1 minute on 2 cores.",
  system: "The system tests take about 4 minutes on 2 cores.",
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

/** Tests that mostly wait: started first, in modules of their own, they overlap with all others. */
const WAITING = ["tests/thorough/watch_ends_test.ts", "tests/thorough/watch_test.ts"];

/** Number of modules that import the test files: each file alone would load the program anew. */
const PARTS = { default: 8, system: 4, thorough: 12 };

/** System tests that share something expensive, such as a bundle, or a browser and the pages that it shows. */
const SHARING = [/\/(?:bundle|package)_test\.ts$/, /\/page\/[a-k]/, /\/page\//];

const parts = await Deno.makeTempDir();
// The tests end on Ctrl-C, then this removes the modules.
Deno.addSignalListener("SIGINT", () => {});
const hasPaths = args.some((arg) => !arg.startsWith("-"));
/** A failure outside of a test names only the module: `part_2` as a path repeats its tests. */
const isPart = (arg: string) => /^part_\d+$/.test(arg);
const selection: Record<string, () => Promise<string[]>> = {
  default: async () => await writeParts(deal(await defaultTests(), PARTS.default)),
  system: async () => {
    let tests = await testsIn("tests/system");
    const groups = SHARING.map((pattern) => {
      const own = tests.filter((path) => pattern.test(path));
      tests = tests.filter((path) => !own.includes(path));
      return own;
    });
    return await writeParts([...groups, ...deal(tests, PARTS.system)]);
  },
  thorough: async () => {
    const own = (await testsIn("tests/thorough")).filter((path) => !WAITING.includes(path));
    const others = await writeParts(deal([...own, ...await propertyTests()], PARTS.thorough));
    return [...WAITING, ...others];
  },
};
const all = !hasPaths || args.some(isPart) ? await selection[kind]!() : [];
const { code } = await new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    ...FLAGS,
    "--parallel",
    ...hasPaths ? [] : all,
    ...args.flatMap((arg) => isPart(arg) ? all.filter((path) => path.endsWith(`${arg}.ts`)) : arg),
  ],
  env: {
    DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "4",
    ...kind === "thorough" ? { THOROUGH: "1" } : {},
  },
}).spawn().status;
await Deno.remove(parts, { recursive: true });
Deno.exit(code);

/** Deals test files out to some groups, so that slow neighbors get different ones. */
function deal(tests: readonly string[], count: number): string[][] {
  return Array.from(
    { length: count },
    (_, group) => tests.filter((_, index) => index % count === group),
  );
}

/** Writes a module for each group of test files, which imports them. */
async function writeParts(groups: readonly (readonly string[])[]): Promise<string[]> {
  return await Promise.all(groups.map(async (tests, index) => {
    const path = join(parts, `part_${index + 1}.ts`);
    const urls = tests.map((test) => pathToFileURL(test).href);
    await Deno.writeTextFile(path, urls.map((url) => `import "${url}";\n`).join(""));
    return path;
  }));
}

async function testsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await testsIn(path));
    else if (name.endsWith("_test.ts")) found.push(path);
  }
  return found.sort();
}

async function defaultTests(): Promise<string[]> {
  return (await testsIn("tests")).filter((path) => !/^tests\/(?:system|thorough)\//.test(path));
}

/** Default tests whose properties are repeated with many runs. */
async function propertyTests(): Promise<string[]> {
  const paths = await defaultTests();
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(path)));
  const repeats = /^import (?:fc\b|\{.*\bruns\b).* from ".*helpers\/property\.ts"/m;
  return paths.filter((_, index) => repeats.test(texts[index]!));
}
