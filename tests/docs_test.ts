import { validateWorkflow } from "@action-validator/core";
import { assert, assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { COMMANDS } from "../commands/mod.ts";
import { CHANNEL_KINDS, findKind } from "../lib/config/channels/kinds.ts";
import { CHANNELS } from "./helpers/senders.ts";
import { CHECK_NAMES } from "../lib/config/checks/mod.ts";
import { parseConfig } from "../lib/config/parse.ts";
import { VERSION } from "../lib/version.ts";
import { WORKFLOWS } from "../lib/config/workflows.ts";
import { generatedDocs } from "../schema/generate.ts";
import { blocksOf, readDoc, readDocs } from "./helpers/docs.ts";
import { PROJECT } from "./helpers/program.ts";
import { git } from "./helpers/scratch.ts";
import { TRIED } from "./helpers/vendors/vendors.ts";

const DOCS = await readDocs();
const YAML = [...DOCS].flatMap(([path, text]) =>
  blocksOf(text, "yaml").map((block) => ({ path, block }))
);
const SHOWN_WORKFLOWS = YAML.filter(({ block }) => block.includes("runs-on:"));
const CONFIGS = await Promise.all(
  YAML.filter((one) => !SHOWN_WORKFLOWS.includes(one)).map(async ({ path, block }) => ({
    path,
    ...await parseConfig(block),
  })),
);

Deno.test("the README has at most 150 lines, and its configuration eight", () => {
  const readme = DOCS.get("README.md")!;
  assert(readme.trimEnd().split("\n").length <= 150);
  assertEquals(blocksOf(readme, "yaml").map((block) => block.trimEnd().split("\n").length), [8]);
});

Deno.test("a cell of a table in the docs has at most 100 characters", () => {
  for (const [path, text] of DOCS) {
    for (
      const line of text.split("\n").filter((line) =>
        line.startsWith("|") && !/^[|\s:-]+$/.test(line)
      )
    ) {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      assertEquals(cells.filter((cell) => cell.length > 100), [], path);
    }
  }
});

Deno.test("links between documents lead to files and headings", async () => {
  const anchors = (text: string) =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
      title!.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-")
    );
  const pages = [
    ...DOCS,
    ...await Promise.all(
      [".github/ARCHITECTURE.md", ".github/CONTRIBUTING.md", ".github/CHANGELOG.md"]
        .map(async (path) => [path, await readDoc(path)] as const),
    ),
  ];
  for (const [path, text] of pages) {
    const plain = text.replaceAll(/^( *)```[^]*?^\1```$/gm, "");
    const links = [...plain.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
      .map(([, link, image]) => (link ?? image)!).filter((link) => !/^https?:/.test(link));
    for (const link of links) {
      const [file, anchor] = link.split("#") as [string, string?];
      const target = file === "" ? path : join(dirname(path), file);
      const there = await Deno.stat(join(PROJECT, target)).catch(() => undefined);
      assert(there !== undefined, `${path}: ${link} leads nowhere`);
      if (anchor === undefined) continue;
      assert(anchors(await readDoc(target)).includes(anchor), `${path}: ${link} has no heading`);
    }
  }
});

Deno.test("every page that a file of the project names by its path exists", async () => {
  const listed = (await git(PROJECT, "ls-files")).split("\n")
    .filter((path) => /\.(?:ts|tsx|mjs|sh|yml|json|service|timer|plist|md)$/.test(path));
  for (const path of listed) {
    const text = await readDoc(path).catch(() => "");
    for (const [page] of text.matchAll(/(?<![\w./-])docs\/[\w/-]+\.md\b/g)) {
      const there = await Deno.stat(join(PROJECT, page)).catch(() => undefined);
      assert(there !== undefined, `${path}: ${page}`);
    }
  }
});

Deno.test("the navigation links to every page, and the README to those outside of the reference", () => {
  const navigation = DOCS.get("docs/README.md")!;
  const readme = DOCS.get("README.md")!;
  const pages = [...DOCS.keys()].filter((path) =>
    path.startsWith("docs/") && path !== "docs/README.md"
  );
  assertEquals(
    pages.filter((path) => !navigation.includes(`](${path.slice("docs/".length)})`)),
    [],
  );
  const own = pages.filter((path) => !path.startsWith("docs/reference/"));
  const [, list] = readme.split("## Documentation\n");
  assertEquals(own.filter((path) => !list!.includes(`](${path})`)), []);
  const groups = (text: string) =>
    [...text.matchAll(/^(?:## |- \*\*)(Start|Configure|Alerts|Results|Run)\b/gm)].map(([, name]) =>
      name
    );
  assertEquals(groups(list!), ["Start", "Configure", "Alerts", "Results", "Run"]);
  assertEquals(groups(navigation), groups(list!));
});

Deno.test("the generated parts of docs/ are up to date (deno task schema)", async () => {
  const words = (text: string) => text.replaceAll(/[\s-]+/g, " ").trim();
  for (const { before, after } of await generatedDocs()) assertEquals(words(before), words(after));
});

Deno.test("every configuration in the docs is free of problems", () => {
  for (const { path, config, problems } of CONFIGS) {
    const faults = problems.filter(({ severity }) => severity !== "notice");
    assertEquals(faults, [], path);
    assert(config!.sites.length > 0, path);
  }
});

Deno.test("the docs show every check type", () => {
  const shown = CONFIGS.flatMap(({ config }) => config?.sites.map(({ check }) => check) ?? []);
  assertEquals(CHECK_NAMES.filter((name) => !shown.includes(name)), []);
});

Deno.test("the docs show every channel with the keys it needs, and with its events", () => {
  const shown = CONFIGS.flatMap(({ config }) => config?.notifications ?? []);
  for (const name of Object.keys(CHANNEL_KINDS)) {
    const examples = shown.filter(({ type }) => type === name);
    assert(examples.length > 0, name);
    for (const example of examples) {
      assertEquals(
        ["on" as const, ...findKind(example).needs].filter((key) => example[key] === undefined),
        [],
        name,
      );
    }
  }
});

Deno.test("the docs say of each channel how often a message arrives if an answer is lost", async () => {
  const rows = (await readDoc("docs/notifications.md")).split("\n").flatMap((line) => {
    const [, type, arrives] = /^\| `(\S+)` .*\| (once|at .+? once) +\|$/.exec(line) ?? [];
    return type === undefined ? [] : [[type, arrives]];
  });
  const once = TRIED.flatMap(({ type, repeatKey }) => repeatKey === undefined ? [] : [type]);
  const arrivals = Object.keys(CHANNELS)
    .map((type) => [type, once.includes(type) ? "once" : "at least once"]);
  assertEquals(rows.toSorted(), arrivals.toSorted());
});

Deno.test("a workflow in the docs is valid by GitHub's schema, and pins this version", () => {
  assert(SHOWN_WORKFLOWS.length > 0);
  for (const { block } of SHOWN_WORKFLOWS) {
    assertEquals(validateWorkflow(block).errors, []);
    assert(block.includes(`monitor-action@v${VERSION}`));
  }
});

Deno.test("the docs describe each workflow: its name, event and command", () => {
  const lines = DOCS.get("docs/operations.md")!.split("\n");
  for (const { name, file, event, command } of Object.values(WORKFLOWS)) {
    const row = lines.find((line) => line.startsWith(`| \`${file}\` `))!;
    const cells = row.split("|").slice(2, -1).map((cell) => cell.trim());
    assertEquals(cells.slice(0, 2), [name, `\`${event}\``]);
    assert(cells[2]!.startsWith(`\`${command}\``), row);
  }
});

Deno.test("every command line in the docs names a command and options that exist", async () => {
  const reference = await readDoc("docs/reference/commands.md");
  const options = [...reference.matchAll(/^\| `(--[a-z-]+)/gm)].map(([, option]) => option!);
  assert(options.length > 10);
  for (const [path, text] of DOCS) {
    const code = [
      ...blocksOf(text, "sh").flatMap((block) => block.split("\n")),
      ...[...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line!),
      ...[...text.matchAll(/`([^`\n]*\bmonitor [^`\n]*)`/g)].map(([, line]) => line!),
    ];
    for (const line of code) {
      const [, command, rest] = /(?:^|[ |…])monitor ([a-z-]+)(.*)$/.exec(line) ?? [];
      if (command === undefined || line.includes("monitor()")) continue;
      assert(Object.hasOwn(COMMANDS, command), `${path}: ${line}`);
      const used = rest!.replace(/#.*/, "").match(/(?<= )--[a-z-]+/g) ?? [];
      assertEquals(used.filter((option) => !options.includes(option)), [], `${path}: ${line}`);
    }
  }
});

Deno.test("every version of the program in the docs is this one", () => {
  for (const [path, text] of DOCS) {
    const own = text.replaceAll(/@[0-9a-f]{40} # v[\d.]+/g, "");
    const versions = [...own.matchAll(/\bv(\d+\.\d+\.\d+)\b|\bmonitor-action\/(\d+\.\d+\.\d+)/g)];
    for (const [found, tag, agent] of versions) {
      assertEquals(tag ?? agent, VERSION, `${path}: ${found}`);
    }
  }
});

Deno.test("the architecture has at most 180 lines, and every path that guides name exists", async () => {
  const architecture = await readDoc(".github/ARCHITECTURE.md");
  assert(architecture.trimEnd().split("\n").length <= 180);
  const texts = [architecture, await readDoc(".github/CONTRIBUTING.md")];
  const paths = texts.flatMap((text) =>
    text.match(/(?<=`)(?:lib|commands|templates|tests|docs)\/[\w./-]+(?=`)/g)
  );
  assert(paths.length > 40);
  for (const path of paths) {
    const there = await Deno.stat(join(PROJECT, path!)).catch(() => undefined);
    assert(there !== undefined, path!);
  }
});
