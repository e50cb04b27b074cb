/** Headings of the form "Report an incident", in its order; the last field is free text. */
export const INCIDENT_FORM = {
  sites: "Affected sites",
  impact: "Impact",
  text: "What people should know",
} as const;

/** Headings of the form "Plan maintenance", in its order; the last field is free text. */
export const MAINTENANCE_FORM = {
  start: "Start",
  end: "End",
  expectedDown: "Sites that may be down",
  expectedDegraded: "Sites that may be slow",
  text: "What people should know",
} as const;

interface FormField {
  text: string;
  /** Of its value in the issue, from 1. */
  line: number;
}

/** GitHub's texts for fields that were left empty. */
const EMPTY: readonly string[] = ["_No response_", "None"];

/**
 * Reads the text of an issue that was opened by a form, which GitHub writes as a heading and a value for each field;
 * a field that is empty or missing has no text. `undefined` if the text does not start with the first field.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const form = readForm("### Start\n\nnow\n\n### Text\n\n### Start\n\n", { start: "Start", text: "Text" });
 * assertEquals(form?.start, { text: "now", line: 3 });
 * assertEquals(form?.text, { text: "### Start", line: 7 });
 * assertEquals(readForm("### Text\n\nnow", { start: "Start", text: "Text" }), undefined);
 * ```
 */
export function readForm<Key extends string>(
  body: string,
  headings: Readonly<Record<Key, string>>,
): Readonly<Record<Key, FormField>> | undefined {
  const fields = Object.entries(headings) as [Key, string][];
  const lines = body.replaceAll(/\r\n?/g, "\n").split("\n");
  const starts = new Map<Key, number>();
  let next = 0;
  for (const [index, line] of lines.entries()) {
    const found = fields.findIndex(([, heading], at) => at >= next && line === `### ${heading}`);
    if (starts.size === 0 && found !== 0 && line.trim() !== "") return undefined;
    if (found === -1 || (starts.size === 0 && found !== 0)) continue;
    starts.set(fields[found]![0], index + 1);
    next = found + 1;
  }
  if (starts.size === 0) return undefined;
  const read = fields.map(([key]): [Key, FormField] => {
    const start = starts.get(key) ?? 0;
    const end = [...starts.values()].find((one) => one > start) ?? lines.length + 1;
    const own = starts.has(key) ? lines.slice(start, end - 1) : [];
    const line = start + Math.max(0, own.findIndex((one) => one.trim() !== "")) + 1;
    const text = own.join("\n").trim();
    return [key, { text: EMPTY.includes(text) ? "" : text, line }];
  });
  return Object.fromEntries(read) as Record<Key, FormField>;
}
