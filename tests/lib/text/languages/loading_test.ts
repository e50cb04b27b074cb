import { assertEquals } from "@std/assert";
import type { Language } from "../../../../lib/text/language.ts";
import { loadLanguage, loadPageLanguage } from "../../../../lib/text/languages.ts";
import { configOf, type Keys } from "../../../helpers/sites.ts";

/** What messages and page say with these keys: a text of both, one of messages alone, and a moment. */
async function speak(keys: Keys) {
  const config = await configOf([], keys);
  const reading = { timezone: "UTC", now: Temporal.Instant.from("2026-11-28T12:00:00Z") };
  const of = ({ code, say, moment }: Language) => ({
    code,
    up: say("up"),
    down: say("sitesDown", { NAMES: "A", COUNT: 1 }),
    time: moment(Temporal.Instant.from("2026-10-03T12:00:00Z"), reading),
  });
  return {
    messages: of(await loadLanguage(config)),
    page: of(await loadPageLanguage(config)),
  };
}

const ENGLISH = { code: "en", up: "Operational", down: "A is down", time: "3 Oct 12:00 UTC" };
const GERMAN = (await speak({ language: "de" })).page;
const OWN = { up: "Läuft", "sitesDown.one": "$NAMES fehlt" };

Deno.test("own texts of the page reach messages if both have one language that is configured", async () => {
  assertEquals([GERMAN.code, GERMAN.up === ENGLISH.up], ["de", false]);
  const own = { up: "Läuft", down: "A fehlt" };
  const cases: [keys: Keys, messages: typeof ENGLISH, page: typeof ENGLISH][] = [
    [{}, ENGLISH, ENGLISH],
    [{ language: "de" }, GERMAN, GERMAN],
    [{ pages: { lang: "de" } }, ENGLISH, GERMAN],
    [{ language: "de", i18n: { locale: "en" } }, GERMAN, ENGLISH],
    [{ i18n: OWN }, { ...ENGLISH, down: own.down }, { ...ENGLISH, ...own }],
    [{ language: "en", i18n: OWN }, { ...ENGLISH, ...own }, { ...ENGLISH, ...own }],
    [{ language: "de", i18n: OWN }, { ...GERMAN, ...own }, { ...GERMAN, ...own }],
    [
      { pages: { lang: "de" }, i18n: OWN },
      { ...ENGLISH, down: own.down },
      { ...GERMAN, ...own },
    ],
  ];
  for (const [keys, messages, page] of cases) {
    assertEquals(await speak(keys), { messages, page }, JSON.stringify(keys));
  }
});

Deno.test("a language of a country has the texts of the language, and its own formats", async () => {
  const times = async (tag: string) => (await speak({ language: tag })).page.time;
  assertEquals((await speak({ language: "de-AT" })).page, { ...GERMAN, code: "de-AT" });
  assertEquals(await times("pt-BR") === await times("pt-PT"), false);
});

Deno.test("a language without texts has own ones over the English ones, and its own formats", async () => {
  const { messages, page } = await speak({ pages: { lang: "sw" }, i18n: { up: "Sawa" } });
  assertEquals(messages, ENGLISH);
  assertEquals(page, { code: "sw", up: "Sawa", down: "A is down", time: "3 Okt, 12:00 UTC" });
});
