/** Runs one kind of tests: `run.ts default|system|thorough [FILE…] [OPTION…]`. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { calendarFlags, calendarVariable, startOfTests } from "./helpers/calendar.ts";
import { SEED } from "./helpers/property.ts";
import { moduleOf, TestReport } from "./helpers/test_report.ts";
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
  // Tests make many objects that live only for a moment: fewer collections take a tenth less time.
  "--v8-flags=--min-semi-space-size=32,--max-semi-space-size=32",
];

const [kind, ...args] = Deno.args;
if (kind === undefined || !Object.hasOwn(KINDS, kind)) {
  throw new Error(`Cannot run tests of the kind "${kind}": use ${Object.keys(KINDS).join(", ")}`);
}

const missing = missingPackages();
// Browsers, mail servers and validators have the machine's date.
const calendar = kind === "system" ? {} : calendarVariable();
const start = startOfTests().toString({ smallestUnit: "minute" });
const lines = [
  KINDS[kind as keyof typeof KINDS],
  ...kind === "system" ? [] : [`Their clock starts at ${start}; TEST_DATE=TIME takes another one.`],
  `Random tests use the seed ${SEED}; PROPERTY_SEED=NUMBER takes another one.`,
  ...missing.map((name) => `Skipped, and counted as ignored: what needs ${name}, not installed`),
];
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));

/** Tests that mostly wait: started first, in modules of their own, they overlap with all others. */
const WAITING = ["watch_ends", "watch", "kills"]
  .map((name) => `tests/thorough/${name}_test.ts`);

/** Number of modules that import the test files: each file alone would load the program anew. */
const PARTS = { default: 3, system: 4, thorough: 12 };

/** System tests that share something expensive, such as a bundle, or a browser and the pages that it shows. */
const SHARING = [/\/(?:bundle|package)_test\.ts$/, /\/page\/[a-k]/, /\/page\//];

const folder = await Deno.makeTempDir();
// The tests end on Ctrl-C, then this removes the modules.
Deno.addSignalListener("SIGINT", () => {});
/** A failure outside of a test names the module as well: `part_2` as a path repeats its tests. */
const isPart = (arg: string) => /^part_\d+$/.test(arg);
const takesValue = (arg?: string) => arg === "--filter" || arg === "--reporter";
const hasPaths = args.some((arg, index) => !arg.startsWith("-") && !takesValue(args[index - 1]));
/** With these options, Deno's own lines tell more than one line for each file. */
const isOwnReport = args.some((arg) => arg.startsWith("--reporter"));
const listsFiles = !args.some((arg) => /^--(?:filter|shuffle)\b/.test(arg));
const selection: Record<string, () => Promise<string[][]>> = {
  default: async () => deal(await defaultTests(), PARTS.default),
  system: async () => {
    let tests = await testsIn("tests/system");
    const groups = SHARING.map((pattern) => {
      const own = tests.filter((path) => pattern.test(path));
      tests = tests.filter((path) => !own.includes(path));
      return own;
    });
    return [...groups, ...deal(tests, PARTS.system)];
  },
  thorough: async () => {
    const own = (await testsIn("tests/thorough")).filter((path) => !WAITING.includes(path));
    const others = deal([...own, ...await propertyTests()], PARTS.thorough);
    return [...WAITING.map((path) => [path]), ...others];
  },
};
const isAlone = hasPaths && !args.some(isPart);
const groups = isAlone ? [] : await selection[kind]!();
const parts = new Map(groups.map((files, index) => [`part_${index + 1}`, files]));
const pathOf = (part: string) => join(folder, `${part}.ts`);
await writeParts(parts);
const child = new Deno.Command(Deno.execPath(), {
  args: [
    "test",
    ...FLAGS,
    ...calendarFlags(Object.values(calendar)[0]),
    "--parallel",
    ...hasPaths ? [] : [...parts.keys()].map(pathOf),
    ...args.map((arg) => parts.has(arg) ? pathOf(arg) : arg),
  ],
  env: {
    ...calendar,
    // Under faketime, waits of threads hang if this clock is moved as well.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DENO_JOBS: Deno.env.get("DENO_JOBS") ?? "4",
    ...kind === "thorough" ? { THOROUGH: "1" } : {},
  },
  stdout: isAlone || isOwnReport ? "inherit" : "piped",
}).spawn();
if (!isAlone && !isOwnReport) await report(child.stdout);
const { code } = await child.status;
await Deno.remove(folder, { recursive: true });
Deno.exit(code);

/** Prints the results of the modules as results of the files in them. */
async function report(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  const files = listsFiles ? parts : undefined;
  const encoder = new TextEncoder();
  const writer = Deno.stdout.writable.getWriter();
  let written = Promise.resolve();
  const testReport = new TestReport((line) => {
    written = writer.write(encoder.encode(`${line}\n`));
  }, { files });
  let rest = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop()!;
    for (const line of lines) testReport.take(line);
  }
  testReport.end();
  await written;
}

/** Deals test files out to some groups, so that slow neighbors get different ones. */
function deal(tests: readonly string[], count: number): string[][] {
  return Array.from(
    { length: count },
    (_, group) => tests.filter((_, index) => index % count === group),
  );
}

/** Writes a module for each group of test files, which imports them. */
async function writeParts(groups: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const toUrl = (file: string) => pathToFileURL(file).href;
  for (const [part, files] of groups) {
    await Deno.writeTextFile(pathOf(part), moduleOf(files, { toUrl, hasEnds: listsFiles }));
  }
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
