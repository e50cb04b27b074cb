/**
 * Writes the bundle, which runs without packages, and the configuration that runs it:
 * `bundle.ts [FOLDER]`, by default into `dist`.
 */
import { Buffer } from "node:buffer";
import { join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";
import manifest from "../deno.json" with { type: "json" };
import { bundleManifest } from "./bundle_manifest.ts";

const PROJECT = join(import.meta.dirname!, "..");

/** Modules that tasks start. */
const ENTRIES = { program: "main.ts", demo: "tests/demo/main.ts" };

/** The native renderer, which exists for some systems only; WebAssembly replaces it. */
const NATIVE = "@resvg/resvg-js";

/**
 * Writes `monitor/` and `deno.json` into the folder.
 *
 * @throws {Error} If the program starts a worker: its module would have to be an entry as well.
 */
export async function writeBundle(folder: string): Promise<void> {
  const output = join(folder, "monitor");
  await Deno.remove(output, { recursive: true }).catch(ignoreMissing);
  // Not minified: with --minify, `update` and `response-time` never end.
  await bundle("deno.json", ["--code-splitting", "--outdir", output, ENTRIES.program]);
  await bundle("tests/deno.json", ["--output", join(output, "demo.js"), ENTRIES.demo]);
  for await (const { name } of Deno.readDir(output)) {
    const path = join(output, name);
    const text = await Deno.readTextFile(path);
    const found = /new Worker\(\s*new URL\(([^,]*)/.exec(text);
    if (found !== null) throw new Error(`The worker ${found[1]} needs an entry: ${name} starts it`);
    const data = await findData(text);
    const made = data ?? withoutMachine(withoutDocs(compressed(withoutNative(text))));
    await Deno.writeTextFile(path, made);
  }
  const text = JSON.stringify(bundleManifest(manifest), null, 2);
  await Deno.writeTextFile(join(folder, "deno.json"), `${text}\n`);
}

async function bundle(config: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--frozen", "--config", config, `--external=${NATIVE}`, ...args],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
  }).output();
  if (!success) throw new Error(`deno bundle: ${new TextDecoder().decode(stderr)}`);
}

/** The module of a JSON file that is loaded alone: half of what the bundler writes, which names each key three times. */
async function findData(text: string): Promise<string | undefined> {
  const [, path] = /^(?:import [^\n]*\n)?\s*\/\/ (lib\/\S+\.json)\n/.exec(text) ?? [];
  return path && `export default ${await Deno.readTextFile(join(PROJECT, path))}`;
}

/** Lets the import of the native renderer fail at once, so that nothing looks for a package. */
function withoutNative(text: string): string {
  return text.replaceAll(
    `import("${NATIVE}")`,
    `Promise.reject(new Error("The bundle has no ${NATIVE}"))`,
  );
}

/** Compresses embedded files, which are base64 in the bundle: a third less to download. */
function compressed(text: string): string {
  const replaced = text.replaceAll(/__toBinary\("([^"]+)"\)/g, (_, base64) => {
    const bytes = brotliCompressSync(Buffer.from(base64, "base64"));
    return `new Uint8Array(brotliDecompressSync(Buffer.from("${
      bytes.toString("base64")
    }", "base64")))`;
  });
  if (replaced === text) return text;
  return `import { Buffer } from "node:buffer";\nimport { brotliDecompressSync } from "node:zlib";\n${replaced}`;
}

/** Removes doc comments, except licenses: 2 % less to download. */
function withoutDocs(text: string): string {
  return text.replaceAll(
    /^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/\n/gm,
    (comment) => /license|copyright/i.test(comment) ? comment : "",
  );
}

/** Shortens comments that name paths of the machine that builds. */
function withoutMachine(text: string): string {
  return text.replaceAll(/^(\s*\/\/ )\S*\/registry\.npmjs\.org\//gm, "$1npm:");
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

if (import.meta.main) {
  const folder = Deno.args[0] ?? join(PROJECT, "dist");
  await Deno.mkdir(folder, { recursive: true });
  await writeBundle(folder);
  const shown = relative(Deno.cwd(), join(folder, "monitor"));
  Deno.stdout.writeSync(new TextEncoder().encode(`Wrote ${shown}/\n`));
}
