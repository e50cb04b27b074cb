import { assertEquals } from "@std/assert";
import { createPhaseReader } from "../../../lib/incidents/phase_words.ts";
import { UPDATE_PHASES } from "../../../lib/incidents/announce.ts";
import { createLanguage } from "../../../lib/text/language.ts";
import { loadLanguage } from "../../../lib/text/languages.ts";
import { LANGUAGE_CODES } from "../../../lib/text/languages/mod.ts";
import { mergeMessages } from "../../../lib/text/messages.ts";
import { renderAnnouncement } from "../../../templates/issue/announcement.ts";

/** How people write phases whose words are ours or their own. */
const CASES: Readonly<Record<string, [word: string, ...starts: string[]]>> = {
  en: ["Fixed", "Fixed:", "RESOLVED:", "**Resolved**:", "**fixed:**", "__Resolved__ :"],
  de: ["Gelöst", "Gelöst:", "GELOST:", "**gelöst**:", "Resolved:"],
  fr: ["Résolu", "Résolu :", "Résolu\u00a0:", "**Resolu\u202f:**", "RE\u0301SOLU:"],
  tr: ["Çözüldü ı", "ÇÖZÜLDÜ I:", "cozuldu i:"],
  ja: ["復旧", "復旧：", "**復旧：**", "**復旧**：", "resolved："],
  ar: ["تم الحل", "تم الحل:", "\u200fتم الحل\u200f:", "**تمّ الحلّ:**", "\u2067تم الحل\u2069:"],
  hi: ["हल हो गया", "हल हो गया:", "**हल हो गया:**"],
};

Deno.test("phases are read in English and in other languages, however people type them", () => {
  for (const [code, [word, ...starts]] of Object.entries(CASES)) {
    const read = createPhaseReader([createLanguage(code, mergeMessages({ resolved: word }))]);
    for (const start of starts) {
      for (const space of [" ", "", "\n"]) {
        assertEquals(
          read(`${start}${space}a cable`),
          { phase: "resolved", text: "a cable" },
          start,
        );
      }
    }
    for (const start of [word, `${word}s:`, `${word},:`, `> ${word}:`, `**${word}:`, "Ω:", ":"]) {
      assertEquals(read(`${start} a cable`), undefined, start);
    }
  }
});

Deno.test("words that differ in a vowel stay different", () => {
  const words: [code: string, word: string, other: string][] = [
    ["hi", "हल हो गया", "हाल हो गया"],
    ["hi", "हल हो गया", "हल हो गयी"],
    ["ja", "解決ずみ", "解決すみ"],
  ];
  for (const [code, word, other] of words) {
    const read = createPhaseReader([createLanguage(code, mergeMessages({ resolved: word }))]);
    assertEquals(read(`${word}: a cable`), { phase: "resolved", text: "a cable" }, word);
    assertEquals(read(`${other}: a cable`), undefined, other);
  }
});

Deno.test("the program reads the phases that it writes in each of its languages", async () => {
  for (const code of LANGUAGE_CODES) {
    const language = await loadLanguage({ language: code, pages: { lang: code }, i18n: {} });
    const read = createPhaseReader([language]);
    for (const phase of UPDATE_PHASES) {
      const text = renderAnnouncement({ text: "A cable", phase }, "", language).trim();
      assertEquals(read(text), { phase, text: "A cable" }, code);
    }
  }
});
