import { textWidth } from "../../lib/text/columns.ts";
import { paint } from "../../lib/text/paint.ts";
import { wrap } from "../../lib/text/wrap.ts";
import { alignCells, factLines, GAP } from "./lines.ts";

/** Formats Markdown as this program writes it for a terminal: headings, paragraphs, lists, tables and links. */
export function markdownText(markdown: string, columns: number): string {
  const blocks = markdown.trim().split(/\n{2,}/);
  return blocks.map((block) => {
    const lines = block.split("\n");
    if (lines.every((line) => line.startsWith("|"))) return formatTable(lines, columns);
    return lines.flatMap((line) => {
      const heading = /^#+ (.*)/.exec(line)?.[1];
      return heading === undefined
        ? wrap(toPlain(line, (text, address) => `${text} (${address})`), columns)
        : [paint.cyan(toPlain(heading))];
    }).join("\n");
  }).join("\n\n");
}

/** Formats a table in columns, or each row as a list of facts if the columns don't fit. */
function formatTable([head = "", rule = "", ...rest]: readonly string[], columns: number): string {
  const parseCells = (line: string) =>
    line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
  const [header, ...rows] = [head, ...rest].map((line) =>
    parseCells(line).map((one) => toPlain(one))
  );
  const numeric = parseCells(rule).flatMap((one, index) => one.endsWith("-:") ? [index] : []);
  const [shownHeader, ...shown] = alignCells([header!, ...rows], { numeric })
    .map((cells) => cells.join(GAP).trimEnd());
  if ([shownHeader!, ...shown].every((line) => textWidth(line) <= columns)) {
    return [paint.dim(shownHeader!), ...shown].join("\n");
  }
  return rows.map(([title = "", ...facts]) => {
    const list = factLines(facts.map((fact, index) => [header![index + 1]!, fact]), columns - 2);
    return `${wrap(title, columns).join("\n")}\n${list.replaceAll(/^/gm, "  ")}`;
  }).join("\n\n");
}

/** A line without marks of Markdown; `formatLink` formats its links. */
function toPlain(
  line: string,
  formatLink: (text: string, address: string) => string = (text) => text,
): string {
  return line
    .replaceAll(
      /(?<!\\)\[((?:\\.|[^\]\\])*)\]\(([^)\s]*)\)/g,
      (_, text, address) => formatLink(text, address.replaceAll("&amp;", "&")),
    )
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1")
    .replaceAll("\u200b", "");
}
