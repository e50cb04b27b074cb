import { validateWorkflow } from "@action-validator/core";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { generatedDocs } from "../schema/generate.ts";
import { OPTIONS } from "../lib/text/arguments.ts";
import { CHANNEL_KINDS } from "../lib/config/channels/kinds.ts";
import { parseConfig } from "../lib/config/parse.ts";
import { VERSION } from "../lib/version.ts";
import { WORKFLOWS } from "../lib/config/workflows.ts";
import { COMMANDS } from "../commands/mod.ts";
import { PROJECT } from "./helpers/program.ts";
import { rules } from "./bench/rules.ts";

const README = await Deno.readTextFile(join(PROJECT, "README.md"));
const BLOCKS = [...README.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
const SHOWN_WORKFLOWS = BLOCKS.filter((text) => text.includes("runs-on:"));

Deno.test("the README has a row for every command and option", () => {
  const rows = new Set([...README.matchAll(/^\| `([^`]+)`/gm)].map(([, word]) => word!));
  const options = [...README.matchAll(/`(--[a-z-]+)(?: [A-Z]+)?`/g)].map(([, option]) => option!);
  assertEquals(Object.keys(COMMANDS).filter((name) => !rows.has(name)), []);
  assertEquals(
    Object.keys(OPTIONS).map((option) => option.split(" ")[0]!).filter((option) =>
      !options.includes(option)
    ),
    [],
  );
});

Deno.test("the generated parts of docs/ are up to date (deno task schema)", async () => {
  const words = (text: string) => text.replaceAll(/[\s-]+/g, " ").trim();
  for (const { before, after } of await generatedDocs()) assertEquals(words(before), words(after));
});

Deno.test("the configurations of the README have no problem", async () => {
  for (const text of BLOCKS.filter((text) => !SHOWN_WORKFLOWS.includes(text))) {
    const { config, problems } = await parseConfig(text);
    assertEquals(problems, []);
    assert(config!.sites.length > 0);
  }
});

Deno.test("the README shows every channel with what it needs, and with the events it is told of", async () => {
  const configs = await Promise.all(BLOCKS.map((text) => parseConfig(text)));
  const shown = configs.flatMap(({ config }) => config?.notifications ?? []);
  for (const [name, { needs }] of Object.entries(CHANNEL_KINDS)) {
    const examples = shown.filter(({ type }) => type === name);
    assert(examples.length > 0, name);
    for (const example of examples) {
      assertEquals(["on" as const, ...needs].filter((key) => example[key] === undefined), [], name);
    }
  }
});

Deno.test("the README's first configuration has six lines", () => {
  assertEquals(BLOCKS[0]!.trimEnd().split("\n").length, 6);
});

Deno.test("the workflow that the README shows is valid by GitHub's schema, and pins this version", () => {
  assertEquals(SHOWN_WORKFLOWS.length, 1);
  for (const text of SHOWN_WORKFLOWS) {
    assertEquals(validateWorkflow(text).errors, []);
    assert(text.includes(`monitor-action@v${VERSION}`));
  }
});

Deno.test("the README tells of each workflow what it is, when it runs and what it is started by", () => {
  for (const { name, file, event, command } of Object.values(WORKFLOWS)) {
    const row = README.split("\n").find((line) => line.startsWith(`| \`${file}\` `));
    const cells = row!.split("|").slice(2, -1).map((cell) => cell.trim());
    assertEquals(cells.slice(0, 2), [name, `\`${event}\``]);
    assert(cells[2]!.startsWith(`\`${command}\``), row);
  }
});

Deno.test("links within the README lead to its headings", () => {
  const headings = [...README.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-")
  );
  const links = [...README.matchAll(/\]\(#([^)]*)\)/g)].map(([, place]) => place!);
  assert(links.length > 10);
  assertEquals(links.filter((place) => !headings.includes(place)), []);
});

Deno.test("the README's table of rules is what playing them gives (deno task bench rules)", async () => {
  const played = await rules.measure({ progress() {} });
  const [, table] = README.split(/<!-- \/?rules -->/);
  const lines = table!.trim().split("\n").filter((line) => !/^\| -/.test(line));
  const shown = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(shown, played);
});
