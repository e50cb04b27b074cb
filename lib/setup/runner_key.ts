import { isDeepStrictEqual } from "node:util";
import { isMap } from "../config/document.ts";
import type { WorkflowKey } from "../config/workflows.ts";
import { findKey, findKeys, type KeySpan } from "../config/yaml/positions.ts";
import { readYaml } from "../config/yaml/read_yaml.ts";

export type RunnerLabels = ReadonlyMap<WorkflowKey, readonly string[]>;

/** The line that sets the key `runner` of a configuration to what it is, with the labels of some workflows. */
export async function runnerLine(text: string, labels: RunnerLabels): Promise<string> {
  const { document } = await readYaml(text);
  const { runner } = withRunners(document, labels);
  const entries = Object.entries(runner).map(([key, value]) => `${key}: ${toYaml(value)}`);
  return `runner: { ${entries.join(", ")} }`;
}

/**
 * Sets the runners of some workflows in the text of a configuration: a runner for all becomes the `default`. Everything
 * else stays as it is written; `undefined` if that can't be done so that the text means nothing else.
 */
export async function setRunners(text: string, labels: RunnerLabels): Promise<string | undefined> {
  let changed = text;
  const { document: before } = await readYaml(text);
  const isNew = isMap(before) && before["runner"] === undefined;
  for (const some of isNew ? [labels] : [...labels].map((one) => new Map([one]))) {
    const { document, problem } = await readYaml(changed);
    if (problem !== undefined || !isMap(document)) return undefined;
    const expected = withRunners(document, some);
    if (some.size === 0 || isDeepStrictEqual(expected, document)) continue;
    const found = await findSame(listSpellings(changed, document["runner"], some), expected);
    if (found === undefined) return undefined;
    changed = found;
  }
  return changed;
}

async function findSame(
  texts: readonly string[],
  expected: unknown,
): Promise<string | undefined> {
  for (const text of texts) {
    const { document, problem } = await readYaml(text);
    if (problem === undefined && isDeepStrictEqual(document, expected)) return text;
  }
  return undefined;
}

function withRunners(document: unknown, labels: RunnerLabels) {
  const { runner, ...others } = isMap(document) ? document : {};
  const before = isMap(runner) ? runner : runner === undefined ? {} : { default: runner };
  const added = [...labels].map(([key, [first, ...more]]) =>
    [key, more.length === 0 ? first : [first, ...more]] as const
  );
  return {
    ...others,
    runner: { ...before, ...Object.fromEntries(added) } as Record<string, unknown>,
  };
}

/** Texts that may set the runner of a workflow, the best first; one that means anything else is not taken. */
function listSpellings(
  text: string,
  runner: unknown,
  labels: RunnerLabels,
): string[] {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const [key = ""] = labels.keys();
  const pair = [...labels].map(([key, own]) => `${key}: ${toYaml(own.length === 1 ? own[0] : own)}`)
    .join(", ");
  const span = findKey(text, ["runner"]);
  if (span === undefined) {
    const line = `runner: { ${pair} }`;
    return [
      `${text}${/(?:^|\n)$/.test(text) ? "" : end}${line}${end}`,
      text.replace(/(?=\r?\n\.\.\.\s*$)/, `${end}${line}`),
      text.replace(/,?(\s*)\}(?=\s*(?:#.*\s*)*$)/, (_, blanks) => `, ${line}${blanks}}`),
    ];
  }
  const replace = ({ start, end }: Pick<KeySpan, "start" | "end">, by: string) =>
    text.slice(0, start) + by + text.slice(end);
  const own = findKey(text, ["runner", key]);
  if (isMap(runner) && own !== undefined) return [replace(own, pair)];
  const [name, value] = [/^[^:]*:[ \t]*/, /(?<=^[^:]*:[ \t]*)\S[^]*$/]
    .map((part) => part.exec(text.slice(span.start, span.end))?.[0].trimEnd() ?? "");
  if (isMap(runner)) {
    const spans = findKeys(text, Object.keys(runner).map((one) => ["runner", one]))
      .filter((one) => one !== undefined);
    const [first] = spans;
    if (first === undefined) return [replace(span, `${name} { ${pair} }`)];
    const last = Math.max(...spans.map((one) => one.end));
    const next = text.indexOf("\n", last);
    const at = next === -1 ? text.length : next - (text[next - 1] === "\r" ? 1 : 0);
    const column = first.start - text.lastIndexOf("\n", first.start) - 1;
    return first.isFlow
      ? [replace({ start: last, end: last }, `, ${pair}`)]
      : [replace({ start: at, end: at }, `${end}${" ".repeat(column)}${pair}`)];
  }
  const lines = text.slice(span.start, span.end).split(/\r?\n/);
  const items = lines.slice(1).map((line) => `    ${line}`);
  return [
    replace(span, value === "" ? `${name} { ${pair} }` : `${name} { default: ${value}, ${pair} }`),
    replace(
      span,
      Array.isArray(runner)
        // One with an item in each line.
        ? [lines[0], "  default:", ...items, `  ${pair}`].join(end)
        : `${name} { default: ${toYaml(runner)}, ${pair} }`,
    ),
  ];
}

/** Words that some version of YAML reads as something else than a text. */
const KEYWORD = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A label, or a list of labels, for a place between brackets. */
function toYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toYaml).join(", ")}]`;
  const isPlain = typeof value === "string" && /^[A-Za-z][\w.-]*$/.test(value) &&
    !KEYWORD.test(value);
  return isPlain ? value : JSON.stringify(value);
}
