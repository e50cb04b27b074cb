import { assert } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../lib/config/parse.ts";
import { assertReported, listPlaces, MISTAKES, pick } from "../helpers/planted_mistakes.ts";
import { PROJECT } from "../helpers/program.ts";

const CORPUS = join(PROJECT, "..", "shared", "corpus");

async function texts(folder: string): Promise<[name: string, text: string][]> {
  const entries = await Array.fromAsync(Deno.readDir(join(CORPUS, folder)));
  return await Promise.all(entries.map(async ({ name }): Promise<[string, string]> => [
    name,
    await Deno.readTextFile(join(CORPUS, folder, name)),
  ]));
}

if (await Deno.stat(CORPUS).then(() => true, () => false)) {
  Deno.test(
    "public configurations are parsed, and none is rejected as a whole",
    readsAll,
  );
  Deno.test(
    "each broken public configuration is an error with its line",
    listsAllSites,
  );
  Deno.test(
    "a mistake of YAML in public configurations is reported in its line, and mostly with its cure",
    findsPlanted,
  );
} else {
  // These files are not part of the project: without them, there is nothing to test.
  await Deno.stderr.write(
    new TextEncoder().encode(`NOT TESTED: there are no real configurations in ${CORPUS}\n`),
  );
}

async function readsAll(): Promise<void> {
  for (const [name, text] of await texts("configs")) {
    const { config } = await parseConfig(text);
    assert(config !== undefined, name);
    for (const { slug } of config.sites) assert(!/[/\\]|^\.|^$/.test(slug), `${name}: ${slug}`);
    const slugs = new Set(config.sites.map(({ slug }) => slug.toLowerCase()));
    assert(slugs.size === config.sites.length, name);
  }
}

async function listsAllSites(): Promise<void> {
  for (const [name, text] of await texts("broken")) {
    const { problems } = await parseConfig(text);
    const errors = problems.filter(({ severity }) => severity === "error");
    assert(errors.length > 0, name);
    const lines = text.split("\n");
    for (const { line, column, message } of errors) {
      assert(line !== undefined && /\S/.test(lines[line - 1]!), `${name}:${line}`);
      assert(column !== undefined && message !== "" && !message.includes("\n"), name);
    }
  }
}

/** Places of each mistake, from all of the files. */
const PLACES = 20;

async function findsPlanted(): Promise<void> {
  const files = (await texts("configs")).toSorted();
  for (const [name, mistake] of Object.entries(MISTAKES)) {
    const all = files.flatMap(([, text]) => listPlaces(text, mistake));
    // The children of a key may fit into the list or map above it as well.
    await assertReported(name, pick(all, PLACES), name === "a missing parent" ? 0.75 : 0.95);
  }
}
