import { assertEquals } from "@std/assert";
import { createLanguage, type Language } from "../../../lib/text/language.ts";
import { mergeMessages } from "../../../lib/text/messages.ts";
import { githubServer } from "../../helpers/github_server.ts";
import { IncidentLife, type Observed } from "../../helpers/incident_life.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { readAlong, writtenOn } from "../../helpers/timelines.ts";
import { changeTexts, LANGUAGE } from "../../helpers/languages.ts";

/** Each text says its language before itself. */
function languageOf(code: string): Language {
  return createLanguage(
    code,
    mergeMessages(changeTexts((words) => words.replace(/\p{L}+/gu, `$&-${code}`))),
  );
}

const GERMAN = languageOf("de");

Deno.test("an incident keeps its issue while the language changes, and new texts are in the new one", async () => {
  await using github = await githubServer();
  const life = await IncidentLife.begin(github);
  await life.run(5, "up");
  await life.run(5, "degraded");
  life.language = GERMAN;
  await life.run(5, "down");
  assertEquals((await github.issues()).map(({ title }) => title), ["🛑 Shop is-de down-de"]);
  life.language = LANGUAGE;
  await life.run(5, "up");
  life.language = GERMAN;
  await life.run(5, "down");
  await life.run(5, "up");
  const [issue, ...others] = await github.issues();
  assertEquals(others, []);
  assertEquals(issue!.state, "closed");
  assertEquals(issue!.comments.map(({ body }) => /^\*\*(.*?)\*\*/.exec(body)?.[1]), [
    "Now-de down-de",
    "Resolved:",
    "Down-de again-de",
    "Resolved-de:",
  ]);
  assertEquals(github.violations, []);
});

Deno.test("a phase that was read stays when the language changes, and English ones count in any", async () => {
  await using github = await githubServer();
  const store = new MemoryStore();
  const life = await IncidentLife.begin(github, {}, store);
  await life.run(0, "up");
  await life.run(5, "down");
  const acme = github.person("acme");
  await acme.unlock(1);
  await acme.comment(1, "**Identified-de:** a cable");
  await acme.comment(1, "Monitoring: it is back");
  await acme.comment(1, "Question: why?");
  const read = async (...languages: Language[]) =>
    Object.values(writtenOn(await readAlong(store, github, { languages }))).flat();
  assertEquals(await read(), [
    "**Identified-de:** a cable",
    "monitoring: it is back",
    "Question: why?",
  ]);
  const expected = ["identified: a cable", "monitoring: it is back", "Question: why?"];
  assertEquals(await read(GERMAN), expected);
  await acme.comment(1, "Resolved-de: done");
  assertEquals(await read(), [...expected, "Resolved-de: done"]);
});

Deno.test("sites join a shared issue in another language, and their comments go on", async () => {
  await using github = await githubServer();
  const count = 120;
  const sites = Array.from({ length: count }, (_, index) => (
    { name: `Site ${index}`, url: `https://site-${index}.example/`, group: "Shops" }
  ));
  const observe = (isDown: (index: number) => boolean): Observed =>
    Object.fromEntries(sites.map((_, index) => [`site-${index}`, isDown(index) ? "down" : "up"]));
  const life = await IncidentLife.begin(github, { sites });
  await life.run(5, observe((index) => index > 5));
  life.language = GERMAN;
  await life.run(5, observe(() => true));
  await life.run(5, observe(() => false));
  const [issue, ...others] = await github.issues();
  assertEquals([others, issue!.state], [[], "closed"]);
  assertEquals(issue!.title, "🛑 Many sites of Shops are failing");
  assertEquals(issue!.comments.map(({ body }) => body.split("\n")[0]), [
    "**Now-de failing-de:** 120 sites-de of-de Shops.",
    "**Resolved-de:** all-de sites-de of-de Shops are-de up-de again-de.",
  ]);
});
