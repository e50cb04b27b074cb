import { IMPACTS } from "../history/manual_incident.ts";
import { ENGLISH } from "../text/english.ts";

type Fields<Key extends string> = Readonly<Record<Key, FormField>>;

/** A form for issues; its last field is free text. */
interface Form<Key extends string> {
  /** Headings in English, in the order of the fields. */
  headings: Readonly<Record<Key, string>>;
  /** True if values below other headings, such as those of another language, can be of this form. */
  fits(fields: Fields<Key>): boolean;
}

export const INCIDENT_FORM: Form<"sites" | "impact" | "text"> = {
  headings: {
    sites: ENGLISH.formSites,
    impact: ENGLISH.formImpact,
    text: ENGLISH.formText,
  },
  fits: ({ impact }) => IMPACTS.some((one) => one === impact.text.toLowerCase()),
};

export const MAINTENANCE_FORM: Form<
  "start" | "end" | "expectedDown" | "expectedDegraded" | "text"
> = {
  headings: {
    start: ENGLISH.formStart,
    end: ENGLISH.formEnd,
    expectedDown: ENGLISH.formExpectedDown,
    expectedDegraded: ENGLISH.formExpectedDegraded,
    text: ENGLISH.formText,
  },
  // In the text of an issue without a form, an HTML comment has the times.
  fits: ({ start, end, text, ...sites }) =>
    Object.values(sites).every(({ text }) => !text.includes("<!--")) &&
    ([start, end].every(({ text }) => /\d/.test(text)) || !text.text.includes("<!--")),
};

interface FormField {
  text: string;
  /** Of its value in the issue, from 1. */
  line: number;
}

/** GitHub's texts for fields that were left empty. */
const EMPTY: readonly string[] = ["_No response_", "None"];

/**
 * Reads the text of an issue that was opened by a form, which GitHub writes as a heading and a value for each field;
 * a field that is empty or missing has no text. Headings in another language than English are read by their order.
 * `undefined` if the text does not start with the first field.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const form = { headings: { start: "Start", text: "Text" }, fits: () => true };
 * const read = readForm("### Start\n\nnow\n\n### Text\n\n### Start\n\n", form);
 * assertEquals(read?.start, { text: "now", line: 3 });
 * assertEquals(read?.text, { text: "### Start", line: 7 });
 * assertEquals(readForm("### Beginn\n\njetzt\n\n### Text\n\n", form)?.start.text, "jetzt");
 * assertEquals(readForm("### Text\n\nnow", form), undefined);
 * ```
 */
export function readForm<Key extends string>(
  body: string,
  { headings, fits }: Form<Key>,
): Fields<Key> | undefined {
  const fields = Object.entries(headings) as [Key, string][];
  const lines = body.replaceAll(/\r\n?/g, "\n").split("\n");
  const starts = findHeadings(lines, fields);
  if (starts !== undefined) return readFields(lines, fields, starts);
  const marks = lines.flatMap((line, index) => line.startsWith("### ") ? [index + 1] : []);
  const isFirst = lines.findIndex((line) => line.trim() !== "") + 1 === marks[0];
  if (!isFirst || marks.length < fields.length) return undefined;
  const read = readFields(
    lines,
    fields,
    new Map(fields.map(([key], index) => [key, marks[index]!])),
  );
  return fits(read) ? read : undefined;
}

/** The lines of the fields' headings, from 1; `undefined` if the text does not start with the first one. */
function findHeadings<Key>(
  lines: readonly string[],
  fields: readonly (readonly [Key, string])[],
): Map<Key, number> | undefined {
  const starts = new Map<Key, number>();
  let next = 0;
  for (const [index, line] of lines.entries()) {
    const found = fields.findIndex(([, heading], at) => at >= next && line === `### ${heading}`);
    if (starts.size === 0 && found !== 0 && line.trim() !== "") return undefined;
    if (found === -1 || (starts.size === 0 && found !== 0)) continue;
    starts.set(fields[found]![0], index + 1);
    next = found + 1;
  }
  return starts.size === 0 ? undefined : starts;
}

function readFields<Key extends string>(
  lines: readonly string[],
  fields: readonly (readonly [Key, string])[],
  starts: ReadonlyMap<Key, number>,
): Fields<Key> {
  const read = fields.map(([key]): [Key, FormField] => {
    const start = starts.get(key) ?? 0;
    const end = [...starts.values()].find((one) => one > start) ?? lines.length + 1;
    const own = starts.has(key) ? lines.slice(start, end - 1) : [];
    const line = start + Math.max(0, own.findIndex((one) => one.trim() !== "")) + 1;
    const text = own.join("\n").trim();
    return [key, { text: EMPTY.includes(text) ? "" : text, line }];
  });
  return Object.fromEntries(read) as Fields<Key>;
}
