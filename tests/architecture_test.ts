import { assert, assertEquals } from "@std/assert";
import { dirname, join, relative } from "node:path";
import { CHANNEL_TYPES } from "../lib/config/channels/keys.ts";
import { PROJECT } from "./helpers/program.ts";

/** A module of the program, without tests and stand-ins. */
interface Module {
  path: string;
  /** Without comments and imports, so that examples and prose don't count. */
  code: string;
  /** Its imports: paths inside the project, or names of packages. */
  imports: string[];
}

const MANIFEST = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
const MODULES = await Promise.all(
  ["main.ts", ...await files("commands"), ...await files("lib"), ...await files("templates")]
    .filter((path) => !path.startsWith("lib/std/")).map(read),
);

async function files(folder: string, pattern = /\.tsx?$/): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) found.push(...await files(path, pattern));
    else if (pattern.test(name)) found.push(path);
  }
  return found.sort();
}

async function read(path: string): Promise<Module> {
  const text = await Deno.readTextFile(join(PROJECT, path));
  const code = withoutComments(text)
    .replaceAll(/^import [\s\S]*? from ".*";$|\bimport\("[^"]*"\)/gm, "");
  const specifiers = [...withoutComments(text).matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((
    [, specifier],
  ) => specifier!);
  const imports = specifiers.map((one) =>
    one.startsWith(".") ? relative(PROJECT, join(PROJECT, dirname(path), one)) : one
  );
  return { path, code, imports };
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}

function importers(matches: (specifier: string) => boolean): string[] {
  return MODULES.filter(({ imports }) => imports.some(matches)).map(({ path }) => path);
}

function offenders(pattern: RegExp, allowed: (path: string) => boolean): string[] {
  return MODULES.filter(({ path, code }) => !allowed(path) && pattern.test(code)).map(({ path }) =>
    path
  );
}

/** The rooms of the program, and the floor of each: a room imports only from rooms on lower floors. */
const FLOORS: Record<string, number> = {
  "main.ts": 13,
  "schema": 13,
  "commands": 12,
  "templates": 11,
  "lib/setup": 10,
  "lib/pipeline": 9,
  "lib/import": 9,
  "lib/page": 9,
  "lib/statistics": 8,
  "lib/notifications": 8,
  "lib/incidents": 7,
  "lib/history": 6,
  "lib/evaluation": 5,
  "lib/outbox": 5,
  "lib/checks": 4,
  "lib/config": 3,
  "lib/git": 3,
  "lib/github": 3,
  "lib/io": 2,
  "lib/text": 1,
  "lib/time.ts": 0,
  "lib/version.ts": 0,
  "lib/state.ts": 0,
};

function roomOf(path: string): string {
  const room = Object.keys(FLOORS).find((name) => path === name || path.startsWith(`${name}/`));
  assert(room, `${path} is in no room`);
  return room;
}

Deno.test("a room imports only from rooms on lower floors", () => {
  const upward = MODULES.flatMap(({ path, imports }) =>
    imports.filter((one) => /\.tsx?$/.test(one) && !one.startsWith("lib/std/")).filter((one) => {
      const [from, to] = [roomOf(path), roomOf(one)];
      return from !== to && FLOORS[to]! >= FLOORS[from]!;
    }).map((one) => `${path} -> ${one}`)
  );
  assertEquals(upward, []);
});

Deno.test("no file imports itself through others, types included", () => {
  const imports = new Map(MODULES.map((module) => [module.path, module.imports]));
  const reached = (from: string) => {
    const found = new Set<string>();
    const next = [...imports.get(from) ?? []];
    for (let one = next.pop(); one !== undefined; one = next.pop()) {
      if (found.has(one)) continue;
      found.add(one);
      next.push(...imports.get(one) ?? []);
    }
    return found;
  };
  const inCycles = [...imports.keys()].filter((path) => reached(path).has(path));
  assertEquals(inCycles, []);
});

Deno.test("channels don't import channels, and only their table lists them", () => {
  for (const name of CHANNEL_TYPES) {
    assertEquals(importers((one) => one === `lib/notifications/channels/${name}.ts`), [
      "lib/notifications/channels/mod.ts",
    ]);
    const parts = importers((one) => one.startsWith(`lib/notifications/channels/${name}/`));
    const own = new RegExp(`^lib/notifications/channels/${name}(?:\\.ts$|/)`);
    assertEquals(parts.filter((path) => !own.test(path)), []);
  }
});

Deno.test("commands don't import commands, and checks don't import checks", async () => {
  const { PROBES } = await import("../lib/checks/mod.ts");
  const checks = Object.keys(PROBES).map((name) => `lib/checks/${name.replaceAll("-", "_")}.ts`);
  for (const name of Object.keys((await import("../commands/mod.ts")).COMMANDS)) {
    assertEquals(importers((one) => one === `commands/${name}.ts`), ["commands/mod.ts"]);
    const parts = importers((one) => one.startsWith(`commands/${name}/`));
    assertEquals(parts.filter((path) => !path.startsWith(`commands/${name}`)), []);
  }
  for (const check of checks) {
    assertEquals(importers((one) => one === check), ["lib/checks/mod.ts"]);
  }
});

Deno.test("only the log and questions write to the terminal, where they clean what comes from outside", () => {
  const pattern = /\bDeno\.std(?:out|err)\b|\bwriteSync\(|\bprompt(?:Secret)?\(/;
  const writing = ["lib/io/environment.ts", "lib/io/log.ts", "lib/io/terminal.ts"];
  assertEquals(offenders(pattern, (path) => writing.includes(path)), []);
});

Deno.test("only io, git, github, checks, channels and main.ts access processes, files and the network", () => {
  const door = (path: string) =>
    /^(?:main\.ts|commands\/shared\/job_report\.ts|lib\/(?:io|git|github|checks|notifications\/channels)\/)/
      .test(path);
  assertEquals(offenders(/\bDeno\.\w/, door), []);
  assertEquals(offenders(/\bfetch\(/, door), []);
  assertEquals(offenders(/\bconsole\./, () => false), []);
  const ofTime =
    /\bTemporal\.Now\b|\bDate\.now\b|\bnew Date\(\)|\bperformance\.|\bset(?:Timeout|Interval)\(/;
  assertEquals(offenders(ofTime, door), []);
  assertEquals(importers((one) => /\bdelay$/.test(one)).filter((path) => !door(path)), []);
  assertEquals(offenders(/\bMath\.random\b|\bcrypto\.(?:random|getRandom)/, door), []);
  assertEquals(offenders(/\bDeno\.exit\(/, (path) => path === "main.ts"), []);
  assertEquals(
    importers((one) => /^node:(?:fs|child_process|process|http|https|net|tls)/.test(one)).filter((
      path,
    ) => !door(path)),
    [],
  );
});

Deno.test("an external package is imported by one module, and its version is only in deno.json", () => {
  const packages = Object.keys(MANIFEST.imports).filter((name) =>
    !/^(?:@std\/|valibot$)/.test(name)
  );
  for (const name of packages) assert(importers((one) => one === name).length <= 1, name);
  assertEquals(importers((one) => /^(?:npm|jsr|https?):/.test(one)), []);
});

Deno.test("pages use the elements of one module, without inline styles, handlers or raw markup", () => {
  const maker = "templates/pages/html.ts";
  assertEquals(MANIFEST.imports["html/jsx-runtime"], `./${maker}`);
  const handed = (...paths: string[]) => (path: string) => paths.includes(path);
  const ownersCode = "templates/pages/layout.tsx";
  const sanitized = "templates/pages/markdown.tsx";
  assertEquals(offenders(/\bunescaped\(/, handed(ownersCode, sanitized, maker)), []);
  const components = MODULES.filter(({ path }) => path.endsWith(".tsx"));
  assert(components.length > 10);
  for (const { path, code } of components) {
    assert(path.startsWith("templates/pages/"), path);
    assertEquals(code.match(/\s(?:style|on(?!e=)\w+)=/), null, path);
  }
});

Deno.test("paths of the page are defined in one module", () => {
  const codec = "lib/config/page_path.ts";
  const served = "lib/io/serve.ts";
  assertEquals(offenders(/status-page\/|["'`/](?:index|404)\.html\b/, (path) => path === codec), [
    served,
  ]);
  assertEquals(
    offenders(
      /\b(?:favicon\.svg|preview\.png|build\.json)\b/,
      (path) => path === codec,
    ),
    [],
  );
});

Deno.test("paths under history/ are defined only in their codecs", () => {
  const codecs = ["checks_log", "daily_log", "incident", "record"]
    .map((name) => `lib/history/${name}.ts`);
  codecs.push("lib/history/run_state.ts", "lib/statistics/summary.ts");
  // Not an import on demand, nor the folder's name in a sentence.
  const spelled = /(?<!import\("[\w./]*)\bhistory\/(?! )/;
  assertEquals(offenders(spelled, () => false).filter((path) => !codecs.includes(path)), []);
});

Deno.test("paths of graphs are defined only in their codec", () => {
  const codec = "lib/statistics/graphs/graph_files.ts";
  assertEquals(offenders(/\bgraphs\/|\bGRAPHS_FOLDER\}\//, (path) => path === codec), []);
});

Deno.test("paths under api/ are defined in one module", () => {
  assertEquals(offenders(/["'`]api(?:\/|["'`])/, (path) => path === "lib/history/api_path.ts"), []);
});

Deno.test("no module, style or script of the page is longer than 350 lines", async () => {
  const ofPage = await files("templates/pages", /\.(?:css|js)$/);
  for (const path of [...MODULES.map(({ path }) => path), ...ofPage]) {
    const lines = (await Deno.readTextFile(join(PROJECT, path))).split("\n").length;
    assert(lines <= 350, `${path}: ${lines}`);
  }
});

Deno.test("each command is a task, and each task has a description", async () => {
  const { COMMANDS } = await import("../commands/mod.ts");
  const tasks = Object.entries<{ command: string; description?: string }>(MANIFEST.tasks);
  const commands = tasks.filter(([name, { command }]) => command.includes(` main.ts ${name} `));
  assertEquals(commands.map(([name]) => name).sort(), Object.keys(COMMANDS).sort());
  for (const [name, { description }] of tasks) assert(description !== undefined, name);
});
