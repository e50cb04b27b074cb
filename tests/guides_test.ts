import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { CHANNEL_TYPES } from "../lib/config/channels/keys.ts";
import { CHECK_NAMES } from "../lib/config/checks/mod.ts";
import { generatedDocs } from "../schema/generate.ts";
import { readDoc } from "./helpers/docs.ts";
import { PROJECT } from "./helpers/program.ts";
import { git } from "./helpers/scratch.ts";

Deno.test("the README has the numbers of channels and check types that the program has", async () => {
  const readme = await readDoc("README.md");
  const row = (name: string) => new RegExp(`^\\| ${name} +\\| (\\d+)\\b`, "m").exec(readme)?.[1];
  const kinds = [...readme.matchAll(/(\d+) kinds/g)].map(([, number]) => Number(number));
  assertEquals(kinds, [CHANNEL_TYPES.length]);
  assertEquals(Number(row("Notification channels")), CHANNEL_TYPES.length);
  assertEquals(Number(row("Check types")), CHECK_NAMES.length);
});

/** Files of the project in which each of these names is a word of its own. */
async function filesThatName(names: readonly string[]): Promise<string[]> {
  const words = names.map((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`));
  const listed = await git(PROJECT, "ls-files", "--", "lib", "commands", "tests", "docs", "schema");
  const found = await Promise.all(
    listed.split("\n").filter((path) => /\.(ts|tsx|md|json)$/.test(path)).map(async (path) => {
      const text = await Deno.readTextFile(join(PROJECT, path)).catch(() => "");
      return words.every((word) => word.test(text)) ? [path] : [];
    }),
  );
  return found.flat();
}

Deno.test("the architecture names each file that knows every channel or every check type", async () => {
  const architecture = await readDoc(".github/ARCHITECTURE.md");
  const generated = (await generatedDocs()).map(({ file }) => file.pathname);
  for (
    const [title, names, modules] of [
      ["A notification channel", CHANNEL_TYPES, ["lib/notifications/channels"]],
      ["A check type", CHECK_NAMES, ["lib/config/checks", "lib/checks"]],
    ] as const
  ) {
    const [, steps = ""] = new RegExp(`^- \\*\\*${title}\\*\\*: ([^]*?)\\n(?=- |\\n)`, "m")
      .exec(architecture) ?? [];
    for (const step of ["`task schema`", "`README.md`", ...modules.map((path) => `\`${path}/\``)]) {
      assert(steps.includes(step), `${title}: ${step}`);
    }
    const files = await filesThatName(names);
    assert(files.length > 3);
    for (const path of files) {
      const isGenerated = path.startsWith("schema/") || generated.includes(join(PROJECT, path));
      const isModule = modules.some((folder) => path === `${folder}/mod.ts`);
      assert(isGenerated || steps.includes(isModule ? "`mod.ts`" : path), `${title}: ${path}`);
    }
  }
});
