/** The examples in comments, each run as a module that has the exports of its file: one process for all. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT } from "./helpers/program.ts";

const FOLDERS = ["commands", "lib", "schema", "templates", "tests", "tools"];

const EXAMPLE = /^ *\* ```ts\n([^]*?)^ *\* ```$/gm;

async function* sourcesIn(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sourcesIn(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** The module of an example: the names that it uses from its file, except its own declarations. */
async function moduleOf(example: string, url: string): Promise<string> {
  const exported = Object.keys(await import(url)).filter((name) =>
    new RegExp(`\\b${name}\\b`).test(example) &&
    !new RegExp(`(?:const|let|function|class) ${name}\\b|import [^;]*\\b${name}\\b`).test(example)
  );
  const absolute = example.replaceAll(
    /(?<= from ")\.[^"]*/g,
    (relative) => new URL(relative, url).href,
  );
  return `import { ${exported.join(", ")} } from "${url}";\n${absolute}`;
}

let count = 0;
for (const folder of FOLDERS) {
  for await (const path of sourcesIn(folder)) {
    const text = await Deno.readTextFile(join(PROJECT, path));
    for (const { 1: lines, index } of text.matchAll(EXAMPLE)) {
      count++;
      const line = text.slice(0, index).split("\n").length;
      Deno.test(`the example in ${path}, line ${line}, is true`, async () => {
        const example = lines!.replaceAll(/^ *\* ?/gm, "");
        const code = await moduleOf(example, pathToFileURL(join(PROJECT, path)).href);
        await import(`data:application/typescript,${encodeURIComponent(code)}`);
      });
    }
  }
}
if (count < 100) throw new Error(`Only ${count} examples were found`);
