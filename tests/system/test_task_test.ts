import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cleanEnvironment, output, PROJECT, TESTS_CONFIG } from "../helpers/program.ts";
import { makeScratch } from "../helpers/scratch.ts";
import { moduleOf, TestReport } from "../helpers/test_report.ts";

const { NO_COLOR: _, ...PLAIN } = cleanEnvironment();

/** Runs deno in the project, in a user's plain environment and some more variables. */
function deno(args: readonly string[], env: Record<string, string> = {}) {
  return output(
    new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: PROJECT,
      clearEnv: true,
      env: { ...PLAIN, INIT_CWD: PROJECT, ...env },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
}

Deno.test("the test tasks run the files they are given and print the seed", async () => {
  const env = { PROPERTY_SEED: "-77" };
  const thorough = await deno(["task", "--quiet", "test:thorough", "tests/std_test.ts"], env);
  assertEquals(thorough.code, 0, thorough.stdout + thorough.stderr);
  assertMatch(thorough.stdout, /^The thorough tests take about \d+ minutes? on 2 cores\.$/m);
  assertMatch(thorough.stdout, /^Random tests use the seed -77; PROPERTY_SEED=NUMBER /m);
  assertMatch(plain(thorough.stdout), /^ok \| [1-9]\d* passed \| 0 failed/m);
});

Deno.test("a random test that fails prints its seed and path", async () => {
  await using scratch = await makeScratch();
  const property = join(PROJECT, "tests/helpers/property.ts");
  await scratch.write(
    "failing_test.ts",
    `import fc from ${JSON.stringify(property)};
    Deno.test("fails", () => fc.assert(fc.property(fc.nat(), (number) => number < 1000)));`,
  );
  const failure = async (env: Record<string, string>) => {
    const flags = ["--no-check", "--frozen", "--cached-only", "--allow-env", "--config"];
    const path = join(scratch.path, "failing_test.ts");
    const { stdout } = await deno(["test", ...flags, TESTS_CONFIG, path], env);
    return /seed: -?\d+, path: "[\d:]+"/.exec(plain(stdout))?.[0] ?? plain(stdout);
  };
  assertStringIncludes(await failure({ PROPERTY_SEED: "7" }), "seed: 7, path: ");
  assertStringIncludes(await failure({ PROPERTY_SEED: "x" }), 'PROPERTY_SEED is "x": set it to');
});

const TEST_FILES = {
  "good_test.ts": `
    Deno.test("one", () => {});
    Deno.test("two", async (t) => void await t.step("step", () => {}));
    Deno.test.ignore("three", () => {});`,
  "wrong_test.ts": `
    Deno.test("four", () => {});
    Deno.test("five", async (t) => void await t.step("step", () => { throw new Error("wrong"); }));`,
  "late_test.ts": `
    Deno.test("six", () => {});
    Deno.test("seven", () => new Promise(() => setTimeout(() => { throw new Error("late"); })));`,
  "after_test.ts": `Deno.test("eight", () => {});`,
  "broken_test.ts": `throw new Error("broken");`,
};

/** Runs modules of some test files, and returns the lines about them. */
async function reported(modules: readonly (keyof typeof TEST_FILES)[][], listsFiles = true) {
  await using scratch = await makeScratch();
  const files = new Map(modules.map((own, index) => [`part_${index + 1}`, own]));
  for (const [name, text] of Object.entries(TEST_FILES)) await scratch.write(name, text);
  const toUrl = (file: string) => pathToFileURL(join(scratch.path, file)).href;
  for (const [part, own] of files) {
    await scratch.write(`${part}.ts`, moduleOf(own, { toUrl, hasEnds: listsFiles }));
  }
  const paths = [...files.keys()].map((part) => join(scratch.path, `${part}.ts`));
  const { stdout } = await deno(["test", "--no-check", "--no-config", "--parallel", ...paths]);
  const lines: string[] = [];
  const options = listsFiles ? { files, now: () => 0 } : {};
  const report = new TestReport((line) => lines.push(plain(line)), options);
  for (const line of stdout.split("\n")) report.take(line);
  report.end();
  return lines.join("\n").replaceAll(/\S*(?=\b\w+_test\.ts:\d)/g, "").replace(
    / \([^()]*\)\n*$/,
    "",
  );
}

Deno.test("a run of all tests prints a line for each file", async () => {
  assertEquals(
    await reported([["good_test.ts"]]),
    `three ... ignored (0ms)
ok good_test.ts: 2 passed, 1 ignored (0 ms)

ok | 2 passed (1 step) | 0 failed | 1 ignored`,
  );
});

Deno.test("a failure in a run of all tests names its file and line, inside of a test or outside", async () => {
  const wrong = await reported([["good_test.ts", "wrong_test.ts", "after_test.ts"]]);
  assertMatch(wrong, /^five \.\.\. step \.\.\. FAILED/m);
  assertMatch(wrong, /^FAILED wrong_test\.ts: 1 passed, 1 failed \(0 ms\)$/m);
  assertMatch(wrong, /^five \.\.\. step => wrong_test\.ts:3:\d+\nerror: Error: wrong$/m);
  assertMatch(wrong, /^ok after_test\.ts: 1 passed \(0 ms\)$/m);
  assertMatch(wrong, /^FAILED \| 4 passed \(1 step\) \| 1 failed \(1 step\) \| 1 ignored$/m);

  const late = await reported([["good_test.ts", "late_test.ts", "after_test.ts"]]);
  assertMatch(late, /^Uncaught error in part_1, while \.\/late_test\.ts ran$/m);
  assertMatch(late, /^FAILED late_test\.ts: 1 passed, 1 not run \(0 ms\)$/m);
  assertMatch(late, /^FAILED after_test\.ts: 0 passed, 1 not run \(0 ms\)$/m);
  assertMatch(
    late,
    /^part_1, while \.\/late_test\.ts ran \(uncaught error\)\nerror: Error: late$/m,
  );
  assertMatch(late, /^FAILED \| 3 passed \(1 step\) \| 3 failed \| 1 ignored$/m);

  const broken = await reported([["good_test.ts"], ["wrong_test.ts", "broken_test.ts"]]);
  assertMatch(
    broken,
    /^part_2 \(uncaught error\)\nerror: .*Error: Cannot import broken_test\.ts$/m,
  );
  assertMatch(broken, /^Caused by: Error: broken\n\s+at broken_test\.ts:1:7$/m);
  assertMatch(broken, /^ok good_test\.ts: 2 passed, 1 ignored \(0 ms\)$/m);
});

Deno.test("a run of all tests that ends early names the file that ran", () => {
  const lines: string[] = [];
  const files = new Map([["part_1", ["good_test.ts", "late_test.ts"]]]);
  const report = new TestReport((line) => lines.push(line), { files, now: () => 0 });
  for (const file of ["imports", "good_test.ts"]) {
    report.take(`../x/part_1.ts => end of ${file} ... ok (0ms)`);
  }
  report.end();
  assertEquals(lines, [
    "ok good_test.ts: 0 passed (0 ms)",
    "Ended early: part_1, while ./late_test.ts ran",
  ]);
});

Deno.test("a run of some tests prints the name of each", async () => {
  assertEquals(
    (await reported([["good_test.ts"]], false)).replaceAll(/\([\dµm.]+s\)/g, "(0ms)"),
    `one ... ok (0ms)
two ... step ... ok (0ms)
two ... ok (0ms)
three ... ignored (0ms)

ok | 2 passed (1 step) | 0 failed | 1 ignored`,
  );
});

Deno.test("random tests take their seed from one place", async () => {
  const importing: string[] = [];
  const search = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) await search(path);
      else if (/\.tsx?$/.test(name)) {
        const text = await Deno.readTextFile(join(PROJECT, path));
        if (/^import .* from "fast-check";$/m.test(text)) importing.push(path);
      }
    }
  };
  await search("tests");
  assertEquals(importing, ["tests/helpers/property.ts"]);
});

Deno.test("library code colors nothing, whatever the environment says", async () => {
  const module = JSON.stringify(join(PROJECT, "lib/text/paint.ts"));
  const script = `import { paint } from ${module}; console.log(paint.red("down"));`;
  for (const name of ["FORCE_COLOR", "CI"]) {
    const { stdout } = await deno(["eval", "--quiet", "--cached-only", script], { [name]: "true" });
    assertEquals(stdout, "down\n");
  }
});

function plain(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}
