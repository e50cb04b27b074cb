import type { Git } from "./git.ts";

/** Objects that nothing refers to any more are packed too, where git knows how: each run leaves some. */
const SETTING = "gc.cruftPacks=true";

/**
 * Lets git pack what lies loose where there is much of it, as the user has set it, in the background. A
 * clone in which runs are made for years would otherwise fill with files of a few bytes.
 */
export async function keepHouse(git: Git): Promise<void> {
  await git.run(["-c", SETTING, "gc", "--auto", "--quiet"], { upkeep: true, accept: [1, 128] });
}
