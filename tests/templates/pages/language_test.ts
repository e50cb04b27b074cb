import { assertEquals, assertMatch } from "@std/assert";
import { messagesOf } from "../../../lib/text/messages.ts";
import { languageOf } from "../../../templates/pages/language.ts";

function inLanguage(lang: string) {
  return languageOf(messagesOf(), lang, "Asia/Kathmandu");
}

Deno.test("languages whose own calendars have other months tell days and months by the one that pages are kept by", () => {
  for (const lang of ["fa-IR", "ar-SA", "ckb-IR", "ps"]) {
    const { month, dateOf, moment } = inLanguage(lang);
    const common = new Intl.DateTimeFormat(lang, {
      ...{ month: "long", year: "numeric", timeZone: "UTC", calendar: "gregory" },
    });
    assertEquals(month("2026-11"), common.format(Date.parse("2026-11-01")), lang);
    const time = Temporal.Instant.from("2026-11-21T20:00:00Z");
    assertEquals(dateOf(time), "2026-11-22");
    assertMatch(moment(time), /2026|٢٠٢٦|۲۰۲۶/, lang);
  }
});

Deno.test("a calendar that only counts its years from elsewhere stays", () => {
  assertMatch(inLanguage("th-TH").month("2026-11"), /2569/);
});

Deno.test("lengths of time are told as the languages themselves tell them", () => {
  for (
    const lang of ["en", "de", "fr-CA", "fi", "ru", "ar", "he", "fa", "hi", "th", "ja", "zh-Hant"]
  ) {
    const told = inLanguage(lang);
    const isRight = /^(?:ar|he|fa)$/.test(lang);
    const duration = (seconds: number) => {
      const text = told.duration(seconds);
      assertEquals(/^\u2068.*\u2069$/.test(text), isRight, lang);
      return text.replaceAll(/[\u2068\u2069]/g, "");
    };
    const format = new Intl.DurationFormat(lang, { style: "short" });
    assertEquals(duration(1), format.format({ seconds: 1 }), lang);
    assertEquals(duration(620), format.format({ minutes: 10, seconds: 20 }), lang);
    assertEquals(duration(7_500), format.format({ hours: 2, minutes: 5 }), lang);
    assertEquals(duration(1_234 * 86_400 + 3_700), format.format({ days: 1_234, hours: 1 }), lang);
  }
});

Deno.test("moments of every year have the same day where there is no zone to look up as where there is one", () => {
  const [quick, slow] = ["UTC", "Etc/UTC"].map((zone) => languageOf(messagesOf(), "en", zone));
  for (const year of ["2026", "0099", "0000", "-000001", "+010000"]) {
    const time = Temporal.Instant.from(`${year}-12-31T23:59:59.999Z`);
    assertEquals(quick!.dateOf(time), `${year}-12-31`);
    assertEquals(slow!.dateOf(time), `${year}-12-31`);
  }
});

Deno.test("shares have two decimals at most and targets all of theirs, as the language writes them", () => {
  const shares = [0, 0.07, 0.5, 0.99314, 0.99999, 1];
  const { share, target } = inLanguage("en");
  assertEquals(shares.map(share), ["0%", "7%", "50%", "99.31%", "99.99%", "100%"]);
  assertEquals([0.9, 0.999, 0.99995, 1].map(target), ["90%", "99.9%", "99.995%", "100%"]);
  assertEquals(inLanguage("de").target(0.999), "99,9\u00a0%");
});
