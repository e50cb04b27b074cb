/** Writes the npm package from the bundle: `package.ts [FOLDER]`, into `npm` of it; by default `dist`. */
import { cp } from "node:fs/promises";
import { join, relative } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { ACTION_REPOSITORY } from "../lib/version.ts";

const PROJECT = join(import.meta.dirname!, "..");

/** The pinned version of Deno. */
const DENO = "2.9.5";

/** `package.json`; the package `deno` brings an executable for each system. */
const PACKAGE = {
  name: "monitor-action",
  version: manifest.version,
  description: "Uptime monitoring in a repository, without a server",
  license: manifest.license,
  repository: {
    type: "git",
    url: `git+https://github.com/${ACTION_REPOSITORY}.git`,
  },
  type: "module",
  bin: { "monitor-action": "bin/npm.mjs", "monitor": "bin/npm.mjs" },
  files: ["bin", "dist"],
  dependencies: { deno: DENO },
  engines: { node: ">=20" },
};

/** Writes the folder `npm` beside the bundle, ready for `npm pack` and `npm publish`. */
export async function writePackage(folder: string): Promise<void> {
  const target = join(folder, "npm");
  await Deno.remove(target, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
  const sources = {
    [join(folder, "monitor")]: "dist/monitor",
    [join(folder, "deno.json")]: "dist/deno.json",
    ...Object.fromEntries(
      ["bin/launch.mjs", "bin/npm.mjs", "LICENSE", "README.md"]
        .map((path) => [join(PROJECT, path), path]),
    ),
  };
  for (const [source, path] of Object.entries(sources)) {
    await cp(source, join(target, path), { recursive: true });
  }
  await Deno.writeTextFile(join(target, "package.json"), `${JSON.stringify(PACKAGE, null, 2)}\n`);
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? join(PROJECT, "dist");
  await writePackage(folder);
  const shown = relative(Deno.cwd(), join(folder, "npm"));
  Deno.stdout.writeSync(new TextEncoder().encode(`Wrote ${shown}/, for npm pack or publish\n`));
}
