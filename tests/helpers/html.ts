import { DomUtils, parseDocument } from "htmlparser2";

type Parsed = ReturnType<typeof parseDocument>;
/** An element of a parsed page. */
export type HtmlElement = ReturnType<typeof elementsOf>[number];

/** Elements in a page or a part of it with a name, or with a class if it starts with a dot, in document order. */
export function elementsOf(part: string | Parsed | Parsed["children"][number], wanted: string) {
  const parsed = typeof part === "string" ? parseDocument(part) : part;
  const isWanted = (name: string, classes: string) =>
    wanted.startsWith(".") ? classes.split(" ").includes(wanted.slice(1)) : name === wanted;
  return DomUtils.findAll(
    (one) => isWanted(one.name, one.attribs.class ?? ""),
    "children" in parsed ? parsed.children : [],
  );
}

/** Every element of a page. */
export function allElements(page: string) {
  return DomUtils.findAll(() => true, parseDocument(page).children);
}

/** The visible text of a part of a page, on one line. */
export function wordsOf(part: Parsed["children"][number]): string {
  return DomUtils.textContent(part).replace(/\s+/g, " ").trim();
}
