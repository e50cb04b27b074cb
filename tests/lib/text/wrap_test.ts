import { assert, assertEquals } from "@std/assert";
import { textWidth } from "../../../lib/text/columns.ts";
import { paint, renderPaint, withoutPaint, withPaint } from "../../../lib/text/paint.ts";
import { wrapLine } from "../../../lib/text/wrap.ts";
import fc from "../../helpers/property.ts";

Deno.test("a row is wrapped under its last cell, and below its name if that leaves too little room", () => {
  const row = "  ✘ Shop  down  503  12.0 ms  answered 503 Service Unavailable (3 attempts)";
  assertEquals(wrapLine(row, 60), [
    "  ✘ Shop  down  503  12.0 ms  answered 503 Service",
    "                              Unavailable (3 attempts)",
  ]);
  const wide = `  ✘ ${"Shop ".repeat(5)}down  503  12.0 ms  answered 503 Service Unavailable`;
  assertEquals(wrapLine(wide, 60), [
    "  ✘ Shop Shop Shop Shop Shop down  503  12.0 ms",
    "    answered 503 Service Unavailable",
  ]);
});

Deno.test("an address in a row that is too long for its column begins a line", () => {
  const address = `https://shop.example.com/${"checkout/".repeat(4)}`;
  assertEquals(wrapLine(`  Shop of everything  http  ${address}`, 70), [
    "  Shop of everything  http",
    `    ${address}`,
  ]);
});

Deno.test("a path is broken in front of a slash if no line holds it, and an address never", () => {
  const folder = "/home/somebody/projects/status/history/incidents";
  assertEquals(wrapLine(`error: Cannot write ${folder}/2026-11-24-shop.yml: it is a link`, 60), [
    "error: Cannot write /home/somebody/projects/status/history",
    "  /incidents/2026-11-24-shop.yml: it is a link",
  ]);
  assertEquals(wrapLine("Shop is down since 12:40 → history/incidents/2026-11-24-shop.yml", 60), [
    "Shop is down since 12:40",
    "  → history/incidents/2026-11-24-shop.yml",
  ]);
  const address = `(https://shop.example.com/${"checkout/".repeat(8)})`;
  assertEquals(wrapLine(`Done: open the issue ${address}`, 60), [
    "Done: open the issue",
    `  ${address}`,
  ]);
});

Deno.test("a quoted command stays on one line if it fits", () => {
  const command = '"npx monitor-action import upptime --dry-run"';
  assertEquals(wrapLine(`This is an Upptime repository: run (${command}), and look at it`, 60), [
    "This is an Upptime repository: run",
    `  (${command}), and look`,
    "  at it",
  ]);
  const long = `error: "${"word ".repeat(20)}"`;
  assertEquals(wrapLine(long, 60)[0], `error: "${"word ".repeat(10).trim()}`);
});

Deno.test("a wrapped line loses nothing but blanks, fits the terminal, and keeps its colors", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "✘",
      "日本語のサイト",
      "👨‍👩‍👧",
      "مرحبا",
      "e\u0301",
      "a/b",
      "history/incidents/",
      "error:",
    ),
    fc.string({ minLength: 1, maxLength: 90 }),
  );
  const parts = fc.array(fc.tuple(word, fc.boolean(), fc.constantFrom("", " ", "  ", "\t")));
  const withoutBlanks = (text: string) => text.replaceAll(/\s/g, "");
  withPaint(true, () => {
    fc.assert(fc.property(parts, fc.integer({ min: 60, max: 120 }), (all, width) => {
      const text = all.map(([one, isPainted, gap]) => (isPainted ? paint.red(one) : one) + gap)
        .join("").replaceAll("://", ":");
      const lines = wrapLine(text, width);
      assertEquals(withoutBlanks(lines.join("")), withoutBlanks(text));
      for (const line of lines) assert(textWidth(line) <= width, line);
      const reds = (shown: string) => shown.split("\x1b[31m").length;
      assertEquals(reds(renderPaint(lines.join("\n"))), reds(renderPaint(text)));
      assertEquals(withoutPaint(renderPaint(text)), renderPaint(text));
    }));
  });
});
