import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { loadConfig } from "../../lib/config/load.ts";
import { Secrets } from "../../lib/io/secrets/secrets.ts";
import { folderWorkspace } from "../../lib/io/workspace.ts";
import { hasCorpus, unpackHistory } from "../helpers/corpus.ts";
import { runTask } from "../helpers/program.ts";
import { repetitions } from "../helpers/repetitions.ts";
import { status, tip } from "../helpers/repositories.ts";
import { git, makeScratch } from "../helpers/scratch.ts";

/** Number of sites without a file of Upptime's, by history: names without Latin letters shared one. */
const WITHOUT_FILES: Readonly<Record<string, number>> = { "033": 0, "035": 16, "060": 0, "067": 0 };

/** The history on which all commands are tried. */
const [FIRST] = Object.keys(WITHOUT_FILES);

// These files are not the project's: if they are missing, there is nothing to test.
const HISTORIES = Object.entries(WITHOUT_FILES).slice(0, repetitions(1, 4));
for (const [number, expected] of hasCorpus ? HISTORIES : []) {
  Deno.test(`history ${number} of Upptime: sites keep their files, and no command writes`, async () => {
    await using scratch = await makeScratch();
    const folder = join(scratch.path, number);
    await unpackHistory(number, folder);
    await git(folder, "-c", "core.bare=false", "add", "--all");
    const { config } = await loadConfig(folderWorkspace(folder), {
      root: folder,
      secrets: new Secrets({}),
    });
    const slugs = config!.sites.map(({ slug }) => slug);
    const records = (await Array.fromAsync(Deno.readDir(join(folder, "history"))))
      .flatMap(({ name }) => /^(.+)\.yml$/.exec(name)?.[1] ?? []);
    assertEquals(records.filter((slug) => !slugs.includes(slug)), []);
    assertEquals(slugs.filter((slug) => !records.includes(slug)).length, expected);

    const before = [await tip(folder), await git(folder, "diff", "HEAD", "--stat")];
    const others = number === FIRST ? ["response-time", "graphs", "site", "readme"] : [];
    for (const command of ["update", ...others]) {
      const { code, stderr } = await runTask(command, { folder });
      assertEquals([command, code], [command, 2]);
      assertMatch(stderr, /^error: Nothing was changed, because this folder holds what Upptime /);
    }
    assertEquals(await status(folder), "");
    assertEquals([await tip(folder), await git(folder, "diff", "HEAD", "--stat")], before);
  });
}
