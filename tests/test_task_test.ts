import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { cleanEnvironment, output, PROJECT, TESTS_CONFIG } from "./helpers/program.ts";
import { makeScratch } from "./helpers/scratch.ts";

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
