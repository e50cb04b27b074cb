import { assertEquals } from "@std/assert";
import { parseConfig } from "../../lib/config/parse.ts";
import { NO_RECORDS } from "../../lib/config/slug.ts";
import { convertConfig } from "../../lib/import/convert_config.ts";
import { identifySites } from "../../lib/import/identify_sites.ts";
import { hasCorpus, realConfigs } from "../helpers/corpus.ts";

/** Problems that a conversion can't solve. */
const LEFT = /list is empty|never would/;

const NO_PORT = "a tcp-ping check needs a port, such as port: 5432";

// These files are not the project's: if they are missing, there is nothing to test.
for (const [name, source] of hasCorpus ? await realConfigs() : []) {
  Deno.test(`configuration ${name} of Upptime is converted: the same checks, every comment, no warning`, async () => {
    const { sites } = await identifySites([], source);
    const recorded = sites.map(({ slug }) => slug);
    const options = { sites, channels: [], recorded, keepsGraphs: true };
    const { text, problems } = await convertConfig(source, options);
    assertEquals(problems.filter(({ message }) => !LEFT.test(message)), []);
    const records = { ...NO_RECORDS, recorded };
    const theirs = { ...records, isFromUpptime: () => Promise.resolve(true) };
    const before = (await parseConfig(source, [], theirs)).config?.sites ?? [];
    const after = (await parseConfig(text, [], records)).config?.sites ?? [];
    const withoutSlug = ({ slug: _, ...site }: typeof after[number]) => site;
    const withPort = ({ target, ...site }: ReturnType<typeof withoutSlug>) => {
      if (!("fault" in target) || target.fault !== NO_PORT) return { ...site, target };
      const { fault: _, ...others } = target;
      return { ...site, target: { ...others, port: "80" } };
    };
    assertEquals(after.map(withoutSlug), before.map((site) => withPort(withoutSlug(site))));
    assertEquals(new Set(after.map(({ slug }) => slug)).size, after.length);
    const comments = source.match(/(?<=^|\s)#.*$/gm) ?? [];
    assertEquals(comments.filter((comment) => !text.includes(comment.trim())), []);
    const again = await convertConfig(text, options);
    assertEquals(again.text, text);
  });
}
