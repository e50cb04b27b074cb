import { validateWorkflow } from "@action-validator/core";
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { OPTIONS } from "../lib/arguments.ts";
import { CHECKS } from "../lib/checks/mod.ts";
import { CHANNEL_TYPES, NOTIFICATION_KEYS } from "../lib/config/notification_keys.ts";
import { parseConfig } from "../lib/config/parse.ts";
import { SHARED_KEYS, SITE_KEYS } from "../lib/config/site_keys.ts";
import { TOP_KEYS } from "../lib/config/top_keys.ts";
import { VERSION } from "../lib/version.ts";
import { COMMANDS } from "../main.ts";
import { PROJECT } from "./helpers/program.ts";

const README = await Deno.readTextFile(join(PROJECT, "README.md"));
const BLOCKS = [...README.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text!);
const WORKFLOW = BLOCKS.find((text) => text.includes("runs-on:"))!;

function mentions(word: string): boolean {
  return new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`).test(README);
}

Deno.test("the README tells every key, check, channel, command and option", () => {
  const keys = [
    TOP_KEYS,
    SHARED_KEYS,
    SITE_KEYS,
    NOTIFICATION_KEYS,
    ...Object.values(CHECKS).map((check) => check.keys),
  ];
  const words = [
    ...keys.flatMap(Object.keys),
    ...Object.keys(CHECKS),
    ...CHANNEL_TYPES,
    ...Object.keys(COMMANDS),
  ];
  assertEquals(words.filter((word) => !mentions(word)), []);
  assertEquals(
    Object.keys(OPTIONS).map((option) => option.split(" ")[0]!).filter((option) =>
      !README.includes(option)
    ),
    [],
  );
});

Deno.test("the configurations of the README have no problem but keys of later versions", async () => {
  for (const text of BLOCKS.filter((text) => text !== WORKFLOW)) {
    const { config, problems } = await parseConfig(text);
    assertEquals(problems.filter(({ severity }) => severity !== "notice"), []);
    assert(config!.sites.length > 0);
  }
});

Deno.test("the README's first configuration has six lines", () => {
  assertEquals(BLOCKS[0]!.trimEnd().split("\n").length, 6);
});

Deno.test("the README's workflow is valid by the platform's schema, and pins this version", () => {
  assertEquals(validateWorkflow(WORKFLOW).errors, []);
  assert(WORKFLOW.includes(`monitor-action@v${VERSION}`));
});
