import { assert } from "@std/assert";
import { join } from "node:path";
import { parseConfig } from "../../../lib/config/parse.ts";
import { PROJECT } from "../../helpers/program.ts";

const CORPUS = join(PROJECT, "..", "shared", "corpus");
/** Milliseconds that reading one configuration may take. */
const LONGEST = 200;

async function texts(folder: string): Promise<[name: string, text: string][]> {
  const entries = await Array.fromAsync(Deno.readDir(join(CORPUS, folder)));
  return await Promise.all(entries.map(async ({ name }): Promise<[string, string]> => [
    name,
    await Deno.readTextFile(join(CORPUS, folder, name)),
  ]));
}

const present = await Deno.stat(CORPUS).then(() => true, () => false);
const ignore = !present;
if (ignore) {
  await Deno.stderr.write(
    new TextEncoder().encode(`SKIPPED: there are no real configurations in ${CORPUS}\n`),
  );
}

Deno.test({
  name:
    "configurations that strangers wrote are read within a moment, and none is refused as a whole",
  ignore,
  async fn() {
    await parseConfig("sites: [{ prot: 80 }]");
    for (const [name, text] of await texts("configs")) {
      const start = performance.now();
      const { config } = await parseConfig(text);
      const taken = performance.now() - start;
      assert(config !== undefined, name);
      assert(taken < LONGEST, `${name}: ${taken} ms`);
      for (const { slug } of config.sites) assert(!/[/\\]|^\.|^$/.test(slug), `${name}: ${slug}`);
      const slugs = new Set(config.sites.map(({ slug }) => slug.toLowerCase()));
      assert(slugs.size === config.sites.length, name);
    }
  },
});

Deno.test({
  name: "each broken configuration that strangers wrote gives an error with its line",
  ignore,
  async fn() {
    for (const [name, text] of await texts("broken")) {
      const { problems } = await parseConfig(text);
      const errors = problems.filter(({ severity }) => severity === "error");
      assert(errors.length > 0, name);
      const lines = text.split("\n").length;
      for (const { line, column, message } of errors) {
        assert(line !== undefined && line >= 1 && line <= lines, `${name}:${line}`);
        assert(column !== undefined && message !== "" && !message.includes("\n"), name);
      }
    }
  },
});
