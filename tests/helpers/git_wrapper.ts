import { join } from "node:path";
import { cleanEnvironment } from "./program.ts";

/** A `git` that is first on the PATH and runs a script before the real one. */
interface GitWrapper {
  /** The environment in which it is found. */
  env: { PATH: string };
  /**
   * From now on runs a script before the real git, or instead of it if the script exits. It gets the
   * git command as `$command`, and the earlier ones in the file `$calls`, one a line.
   */
  before(script: string): Promise<void>;
  /** From now on kills the program before its git command of a number, from 1, among those that change something. */
  killBefore(number: number): Promise<void>;
  /**
   * Counts another write of the program along with these commands. Returns true if it has the number of
   * {@linkcode killBefore}: the program is to be killed.
   */
  noteWrite(what: string): boolean;
  /** The git commands since the last {@linkcode before}, in their order. */
  calls(): Promise<string[]>;
}

/** Kills the program together with all that it started, as the end of a machine does. */
const KILL = "kill -9 0";

/** The exit code of a program that was killed. */
export const KILLED = 137;

/** Git commands that change something, except objects that nothing refers to. */
const CHANGING = "fast-import|push|read-tree|update-ref";
const WRITES = new RegExp(`^(${CHANGING}|message|[A-Z]+ .*)$`, "gm");

/** Makes a wrapper in a folder. */
export async function wrapGit(folder: string): Promise<GitWrapper> {
  const bin = join(folder, "bin");
  const calls = join(folder, "calls");
  await Deno.mkdir(bin);
  const path = cleanEnvironment()["PATH"]!;
  let last = 0;
  const before = async (script: string) => {
    await Deno.writeTextFile(calls, "");
    const temporary = join(bin, "git.new");
    await Deno.writeTextFile(temporary, wrapper(calls, path, script), { mode: 0o755 });
    await Deno.rename(temporary, join(bin, "git"));
  };
  return {
    env: { PATH: `${bin}:${path}` },
    before,
    async killBefore(number) {
      last = number;
      await before(`case "$command" in ${CHANGING})
  if [ "$(grep -cE '${WRITES.source}' "$calls")" = ${number} ]; then ${KILL}; fi
esac`);
    },
    noteWrite: (what) => countWrites(calls, what) === last,
    calls: async () => (await Deno.readTextFile(calls)).trimEnd().split("\n"),
  };
}

/** Adds a write to those in a file, and counts them. */
function countWrites(calls: string, what: string): number {
  Deno.writeTextFileSync(calls, `${what}\n`, { append: true });
  return Deno.readTextFileSync(calls).match(WRITES)!.length;
}

function wrapper(calls: string, path: string, script: string): string {
  return `#!/bin/sh
PATH='${path}:/usr/bin:/bin'
value=
for word in "$@"; do
  if [ -n "$value" ]; then value=
  elif [ "$word" = -c ]; then value=next
  else command=$word; break
  fi
done
calls='${calls}'
echo "$command" >> "$calls"
${script}
exec git "$@"
`;
}
