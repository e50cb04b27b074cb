import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { CHANNEL_TYPES } from "../lib/config/channels/keys.ts";
import { CHECK_NAMES } from "../lib/config/checks/mod.ts";
import { VERSION } from "../lib/version.ts";
import { generatedDocs } from "../schema/generate.ts";
import { blocksOf, readDoc, readDocs } from "./helpers/docs.ts";
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

/** Commands and addresses that exist only from the first release on. */
const FROM_FIRST_RELEASE = [
  "`npx monitor-action@latest`",
  "[template]",
  "`v1`",
  `\`v${VERSION}\``,
  "[releases]",
];

Deno.test("one note of the README marks everything that needs the first release", async () => {
  const readme = (await readDoc("README.md")).replaceAll(/^\[\w+\]: .*$/gm, "");
  const notes = readme.match(/^(?:> .*\n)+/gm) ?? [];
  assertEquals(notes.length, 1);
  for (const one of FROM_FIRST_RELEASE) assert(notes[0]!.includes(one), one);
  // Nothing else of the README comes from npm, a release, a tag or a repository made by one.
  const needing =
    /`npx (?!-y deno@)[^`]*`|https:\/\/github\.com\/new\S*|`v\d[\d.]*`|\[(?:template|releases)\]/g;
  const found = [...new Set(readme.match(needing))];
  assertEquals(found.toSorted(), FROM_FIRST_RELEASE.toSorted());
  assert(!/(?:docker|podman|brew|apt|pip|npm) (?:run|pull|install)|@v\d/.test(readme));
});

/** Places in which each command of the README is tried, besides those of its blocks, which the tests of a newcomer run. */
const TRIED_COMMANDS: Readonly<Record<string, string>> = {
  "npx -y deno@2.9.5 task demo": ".ci/run",
  "npx -y deno@2.9.5 task test": ".ci/run",
  "monitor init https://example.com --action monitor-action/monitor-action@main":
    "tests/system/newcomer_test.ts",
};

Deno.test("every command of the README is tried by a test, or needs the first release", async () => {
  const readme = await readDoc("README.md");
  const spans = [...readme.matchAll(/`((?:npx|deno|monitor|bin\/monitor|gh|git) [^`]*)`/g)]
    .map(([, command]) => command!.replaceAll(/\s+/g, " "));
  const demo = blocksOf(readme, "sh").join("").split("\n").filter((line) => line.startsWith("npx"));
  const known = [...Object.keys(TRIED_COMMANDS), "npx monitor-action@latest"];
  assertEquals([...new Set([...spans, ...demo])].toSorted(), known.toSorted());
  for (const [command, place] of Object.entries(TRIED_COMMANDS)) {
    const text = await readDoc(place);
    assert(text.includes(command.replace("npx -y deno@2.9.5 ", "")), `${place}: ${command}`);
  }
});

Deno.test("every task that the docs name exists", async () => {
  const { tasks } = JSON.parse(await readDoc("deno.json"));
  const guides = [".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md"];
  const pages = await Promise.all(guides.map(async (path) => [path, await readDoc(path)] as const));
  for (const [path, text] of [...await readDocs(), ...pages]) {
    for (const [line, name] of text.matchAll(/(?:deno(?:@[\d.]+)? |`)task ([a-z][a-z:-]*)/g)) {
      assert(Object.hasOwn(tasks, name!), `${path}: ${line}`);
    }
  }
});
