/** Writes the scripts of the status page as browsers load them: joined, and minified by `deno bundle`. */
import { join } from "node:path";
import { shortHash } from "../lib/text/words.ts";

const PAGES = join(import.meta.dirname!, "../templates/pages");

/** The written file: its scripts are imported by the program. */
export const SCRIPTS_FILE = join(PAGES, "scripts.json");

/**
 * Modules in the order of their imports: those of all pages, those of pages with charts, those that are loaded when
 * needed; then those of the strip and of the banner for other sites.
 */
const MODULES = {
  main: ["page", "slider", "strips", "controls", "refresh"],
  details: ["charts"],
  more: ["texts", "periods", "filter", "headline", "incidents", "states", "subscribe", "news"],
  embed: ["embed"],
  banner: ["banner"],
};

/** Imports, and marks of exports, which modules don't need once they are joined. */
const MODULE_WORDS = /^import [^;]*;\n|^export /gm;

/** The names that modules import from those of all pages. */
function listImports(texts: readonly string[]): string[] {
  const text = texts.join("");
  const own = new Set([...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name));
  const names = [...text.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!.match(/\w+/g)!
  );
  return [...new Set(names)].filter((name) => !own.has(name));
}

/** Joins the modules of each script in one block. They share names with other scripts by the object `statusPage`. */
function joinModules(): Record<keyof typeof MODULES, string> {
  const read = (names: readonly string[]) =>
    names.map((name) => Deno.readTextFileSync(join(PAGES, "script", `${name}.js`)));
  const main = read(MODULES.main);
  const details = read(MODULES.details);
  const more = read(MODULES.more);
  const block = (texts: readonly string[], { head = "", end = "" } = {}) =>
    `{${head}${texts.map((one) => one.replaceAll(MODULE_WORDS, "")).join("")}${end}}`;
  const taken = (texts: readonly string[]) => ({
    head: `const {${listImports(texts)}} = statusPage;`,
  });
  return {
    main: block(main, { end: `window.statusPage = {${listImports([...details, ...more])}};` }),
    details: block(details, taken(details)),
    more: block(more, taken(more)),
    embed: block(read(MODULES.embed)),
    banner: block(read(MODULES.banner)),
  };
}

/** A hash of the modules, by which a test knows that the file was written after their last change. */
export function hashModules(): string {
  return shortHash(JSON.stringify(joinModules()));
}

async function minify(code: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "script.js");
  await Deno.writeTextFile(path, code);
  const args = ["bundle", "--quiet", "--no-config", "--minify", "--platform", "browser", path];
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
  await Deno.remove(folder, { recursive: true });
  if (!success) throw new Error(`deno bundle: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

if (import.meta.main) {
  const scripts = await Promise.all(
    Object.entries(joinModules()).map(async ([name, code]) => [name, await minify(code)]),
  );
  const written = { modules: hashModules(), ...Object.fromEntries(scripts) };
  await Deno.writeTextFile(SCRIPTS_FILE, `${JSON.stringify(written, null, 2)}\n`);
}
