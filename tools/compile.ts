/**
 * Compiles the bundle to programs of one file: `compile.ts [FOLDER] [TARGET…]`, from the bundle in
 * the folder, by default `dist`, into its `bin`.
 */
import { join } from "node:path";
import manifest from "../deno.json" with { type: "json" };
import { type Permissions, taskPermissions, WITH_PING } from "../schema/permissions.ts";

const PROJECT = join(import.meta.dirname!, "..");

/** Names of programs, by Deno's names of systems; those of Linux need glibc. */
const TARGETS: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-gnu": "linux-x64",
  "aarch64-unknown-linux-gnu": "linux-arm64",
  "x86_64-apple-darwin": "macos-x64",
  "aarch64-apple-darwin": "macos-arm64",
  "x86_64-pc-windows-msvc": "windows-x64",
  "aarch64-pc-windows-msvc": "windows-arm64",
};

/** File name of the program for a system. */
export function programName(target: string): string {
  const name = TARGETS[target];
  if (name === undefined) {
    throw new Error(`Cannot compile for "${target}": use ${Object.keys(TARGETS).join(", ")}`);
  }
  const end = name.startsWith("windows") ? ".exe" : "";
  return `monitor-${manifest.version}-${name}${end}`;
}

/** Flags that grant what any command may do: a program of one file has one set for all of them. */
function allPermissions(): string[] {
  const union: Permissions = {};
  for (const [task, { ffi: _, ...permissions }] of taskPermissions(manifest)) {
    if (WITH_PING.test(task)) continue;
    for (const [name, allowed] of Object.entries(permissions)) {
      const kind = name as keyof Permissions;
      const before = union[kind] ?? [];
      union[kind] = allowed === true || before === true
        ? true
        : [...new Set([...before, ...allowed])];
    }
  }
  return Object.entries(union).map(([kind, allowed]) =>
    // "." is the folder that the program is started in.
    allowed === true
      ? `--allow-${kind}`
      : `--allow-${kind}=${allowed.join(",").replace("$INIT_CWD", ".")}`
  );
}

/** Compiles for one system. @throws {Error} If it fails, with what Deno prints. */
async function compileProgram(folder: string, target: string): Promise<string> {
  const output = join(folder, "bin", programName(target));
  const flags = [
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-remote",
    "--no-check",
    "--no-prompt",
  ];
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["compile", "--quiet", ...flags, "--ignore-env", ...allPermissions()],
      ...["--app-name", "monitor-action", "--target", target, "--output", output],
      join(folder, "monitor", "main.js"),
    ],
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  if (success) return output;
  const reason = new TextDecoder().decode(stderr).trim();
  const missing = /dl\.deno\.land\S*\/(denort\S*\.zip)/.exec(reason)?.[1];
  throw new Error(
    missing === undefined
      ? `Cannot compile for ${target}: ${reason}`
      : `Cannot compile for ${target} without ${missing}, the runtime that Deno fetches from dl.deno.land: allow that host, or name a file of it in DENORT_BIN`,
  );
}

if (import.meta.main) {
  const [folder = join(PROJECT, "dist"), ...targets] = Deno.args;
  const write = (to: typeof Deno.stdout, text: string) =>
    to.writeSync(new TextEncoder().encode(`${text}\n`));
  try {
    for (const target of targets.length === 0 ? Object.keys(TARGETS) : targets) {
      write(Deno.stdout, `Wrote ${await compileProgram(folder, target)}`);
    }
  } catch (error) {
    write(Deno.stderr, error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
