import { assert, assertEquals } from "@std/assert";

/** A value of a text in the format of OpenMetrics. */
export interface MetricSample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const ESCAPED = String.raw`(?:[^\n"\\]|\\["n\\])*`;
const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="${ESCAPED}"`;
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|NaN|[+-]Inf`;
const DESCRIPTION = new RegExp(`^# (TYPE|UNIT|HELP) (${NAME}) (.+)$`);
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL}(?:,${LABEL})*)?)\\})? (${NUMBER})$`);
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  gauge: [""],
  info: ["_info"],
  summary: ["", "_count", "_sum"],
};

/**
 * The values of a text, validated by the specification (OpenMetrics 1.0, "ABNF" and "Overall
 * structure"): each family is described before its samples, once, without interruption.
 */
export function parseOpenMetrics(text: string): MetricSample[] {
  assert(text.endsWith("# EOF\n"), "the text ends with # EOF");
  const lines = text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1);
  const [samples, seen, families] = [[] as MetricSample[], new Set<string>(), new Set<string>()];
  let family = { name: "", type: "", described: new Set<string>(), hasSamples: true };
  for (const line of lines) {
    const description = DESCRIPTION.exec(line);
    if (description !== null) {
      const [, what, name, rest] = description;
      if (name !== family.name) {
        assert(family.hasSamples && !families.has(name!), line);
        families.add(name!);
        family = { name: name!, type: "", described: new Set(), hasSamples: false };
      }
      assert(!family.hasSamples && !family.described.has(what!), line);
      family.described.add(what!);
      if (what === "TYPE") family.type = rest!;
      if (what === "UNIT") assert(name!.endsWith(`_${rest}`), line);
      if (what === "HELP") assert(!/\\(?![n"\\])/.test(rest!), line);
      continue;
    }
    const [, name, pairs = "", value] = SAMPLE.exec(line) ?? [];
    assert(name !== undefined, `no sample: ${line}`);
    const suffixes = SUFFIXES[family.type];
    assert(suffixes?.some((suffix) => `${family.name}${suffix}` === name), line);
    const labels = labelsOf(pairs);
    assertEquals("quantile" in labels, family.type === "summary", line);
    const key = `${name}${JSON.stringify(Object.entries(labels).sort())}`;
    assert(!seen.has(key), `twice: ${line}`);
    seen.add(key);
    family.hasSamples = true;
    samples.push({ name, labels, value: Number(value) });
  }
  return samples;
}

function labelsOf(pairs: string): Record<string, string> {
  const found = [...pairs.matchAll(new RegExp(`([a-zA-Z_][a-zA-Z0-9_]*)="(${ESCAPED})"`, "g"))];
  const labels = found.map(([, name, text]): [string, string] => [
    name!,
    text!.replace(/\\(.)/g, (_, sign) => sign === "n" ? "\n" : sign),
  ]);
  assertEquals(new Set(labels.map(([name]) => name)).size, labels.length, pairs);
  return Object.fromEntries(labels);
}
