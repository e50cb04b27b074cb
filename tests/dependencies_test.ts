import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { PROJECT } from "./helpers/program.ts";

/** The parts of a lock file that are compared. */
interface Lock {
  npm: Record<string, { integrity: string }>;
  workspace: { dependencies: string[]; links: Record<string, unknown> };
}

const read = async (path: string) => JSON.parse(await Deno.readTextFile(join(PROJECT, path)));
const [program, tests] = [await read("deno.json"), await read("tests/deno.json")];
const locks: { program: Lock; tests: Lock } = {
  program: await read("deno.lock"),
  tests: await read("tests/deno.lock"),
};

/** Entries of one record that another lacks, or has with another value. */
function differing(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  return Object.keys(one).filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]));
}

/** Packages with their versions. A lock names the version of a dependency only if it has several of it. */
function versionsOf({ npm }: Lock): Record<string, string> {
  return Object.fromEntries(Object.entries(npm).map(([name, { integrity }]) => [name, integrity]));
}

/** The packages that a configuration names; a path is a module of ours. */
function packagesOf({ imports }: { imports: Record<string, string> }): Record<string, string> {
  return Object.fromEntries(Object.entries(imports).filter(([, from]) => !from.startsWith("./")));
}

Deno.test("the tests use the program's dependencies in the same versions", () => {
  assertEquals(differing(packagesOf(program), packagesOf(tests)), []);
  assertEquals(differing(versionsOf(locks.program), versionsOf(locks.tests)), []);
  assertEquals(locks.program.workspace.links, locks.tests.workspace.links);
});

Deno.test("the program's configuration has no dependency of types", () => {
  const isTypes = (name: string) => name.startsWith("@types/");
  assertEquals(Object.keys(program.imports).filter(isTypes), []);
});

Deno.test("both configurations have the same settings", () => {
  for (const key of ["nodeModulesDir", "unstable", "lint", "compilerOptions"]) {
    assertEquals(tests[key], program[key], key);
  }
  assertEquals(tests.links, program.links.map((path: string) => path.replace(/^\./, "..")));
  assertEquals(tests.fmt.lineWidth, program.fmt.lineWidth);
  const excluded = (one: string) => program.fmt.exclude.includes(`tests/${one}`);
  assertEquals(tests.fmt.exclude.filter((one: string) => !excluded(one)), []);
});
