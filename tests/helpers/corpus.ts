import { assert } from "@std/assert";
import { join } from "node:path";
import { PROJECT } from "./program.ts";

const CORPUS = join(PROJECT, "..", "shared", "corpus");

/** True if real configurations and histories of other monitors lie beside the project; they are not part of it. */
export const hasCorpus = await Deno.stat(CORPUS).then(() => true, () => false);

/** Makes a folder a repository with a real history of Upptime, and `{folder}.api` what it had published. */
export async function unpackHistory(number: string, folder: string): Promise<void> {
  const { success, stderr } = await new Deno.Command("sh", {
    args: [join(CORPUS, "unpack"), number, folder],
    env: {
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      // The script needs gzip and tar.
      PATH: `${Deno.env.get("PATH")}:/usr/bin:/bin`,
    },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
}
