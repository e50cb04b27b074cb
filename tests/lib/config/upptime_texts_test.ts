import { assertEquals } from "@std/assert";
import { ENGLISH } from "../../../lib/text/english.ts";
import { listPlaceholders } from "../../../lib/text/messages.ts";
import { UPPTIME_PAGE_TEXTS } from "../../../lib/config/upptime/page_texts.ts";

/** Names that our footer has no need of: it names no repository. */
const UNUSED = ["footer"];

Deno.test("texts that Upptime has too take the same names, so that translations can stay as they are", () => {
  const known: Readonly<Record<string, string>> = ENGLISH;
  for (const [key, names] of Object.entries(UPPTIME_PAGE_TEXTS)) {
    const text = known[key];
    if (text === undefined || UNUSED.includes(key)) continue;
    assertEquals(names.filter((name) => !listPlaceholders(text).includes(name)), [], key);
  }
});
