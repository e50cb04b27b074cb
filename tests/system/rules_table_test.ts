import { assertEquals } from "@std/assert";
import { rules } from "../bench/rules.ts";
import { readDoc } from "../helpers/docs.ts";

Deno.test("the table of rules in the docs equals the measured results (deno task bench rules)", async () => {
  const played = await rules.measure({ progress() {} });
  const [, table] = (await readDoc("docs/reference/internals.md")).split(/<!-- \/?rules -->/);
  const lines = table!.trim().split("\n").filter((line) => !/^\| -/.test(line));
  const shown = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  assertEquals(shown, played);
});
