#!/usr/bin/env node
/** The command of the npm package: runs the bundle by the Deno of the package `deno`. */
import { createRequire } from "node:module";
import { basename, dirname, join, sep } from "node:path";
import process from "node:process";
import { fail, prepare, run } from "./launch.mjs";

const { platform, arch } = process;
/** Package with the executable for this system. */
const NAME = `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`;

/** Path of the executable; the package's own wrapper would keep signals to itself. */
function findDeno() {
  const deno = createRequire(import.meta.url).resolve("deno/package.json");
  const folder = dirname(createRequire(deno).resolve(`${NAME}/package.json`));
  return join(folder, platform === "win32" ? "deno.exe" : "deno");
}

/** Reason why the executable is missing or can't be started. */
function missingReason() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  if (platform === "linux" && glibcVersionRuntime === undefined) {
    return "Deno needs glibc, and this system has musl: use a distribution such as Debian";
  }
  if (!["x64", "arm64"].includes(arch) || !["linux", "darwin", "win32"].includes(platform)) {
    return `Deno does not run on ${platform} with ${arch}`;
  }
  return `the package ${NAME} is missing: install without --omit=optional, on this system`;
}

let deno;
try {
  deno = findDeno();
} catch {
  fail(missingReason());
}
const [, script, ...args] = process.argv;
// npx and a dependency of a project put no command on PATH.
const isLocal = process.env.npm_command === "exec" || script.includes(`node_modules${sep}.bin`);
const name = basename(script, ".mjs");
run(prepare(deno, args, isLocal ? "npx monitor-action" : name === "npm" ? "monitor" : name));
