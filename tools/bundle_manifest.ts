/** The parts of `deno.json` that run commands. */
interface Manifest {
  permissions: Record<string, unknown>;
  tasks: Record<string, { description: string; command: string }>;
}

/** Flags of the sources, and what they are in the bundle. */
const FLAGS: Record<string, string> = {
  // Without its own configuration named, one in `node_modules` is not found.
  " --cached-only": " --config deno.json --no-lock --no-npm --no-remote",
  " --allow-ffi": "",
  " main.ts ": " monitor/main.js ",
};

/**
 * Writes the configuration of the bundle from that of the sources: the same commands with the same
 * permissions, without packages and native code.
 */
export function bundleManifest({ permissions, tasks }: Manifest): Manifest {
  const commands = Object.entries(tasks).filter(([, { command }]) => command.includes(" main.ts "));
  const bundled = commands.map(([name, { description, command }]) => {
    const changed = Object.entries(FLAGS).reduce(
      (text, [flag, other]) => text.replace(flag, other),
      command,
    );
    return [name, { description, command: changed }] as const;
  });
  const demo = {
    description: tasks["demo"]!.description,
    command:
      "deno run -q --config deno.json --no-lock --no-npm --no-remote --allow-all monitor/demo.js",
  };
  return { permissions, tasks: { ...Object.fromEntries(bundled), demo } };
}
