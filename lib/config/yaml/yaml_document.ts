import { parse, YamlSyntaxError } from "@std/yaml";
import { isMap } from "./maps.ts";
import { normalize } from "./normal.ts";
import type { Problem } from "../../io/problem.ts";

/** What a text says, or why it says nothing. */
export interface YamlDocument {
  /** The document, normalized; absent where the text can't be read. */
  document?: unknown;
  /** Keys of the top level that stand there without a value; the document lacks them. */
  blank: string[];
  problems: Problem[];
  /** The text with mistakes corrected that are among the problems; line by line the one given. */
  text: string;
}

/** Reads a text as YAML 1.2, and tells everything that keeps it from being that, with its place. */
export async function readYaml(text: string): Promise<YamlDocument> {
  try {
    if (!SUSPICIOUS.some((pattern) => pattern.test(text))) {
      return read(parse(text, { schema: "core" }), [], text);
    }
    const { correctReadable } = await import("./syntax_problems.ts");
    const { text: corrected, problems } = correctReadable(text);
    return read(parse(corrected, { schema: "core" }), problems, corrected);
  } catch (error) {
    if (error instanceof RangeError) return fault("is nested too deeply to be read");
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { readLeniently } = await import("./positions.ts");
    const lenient = readLeniently(text);
    if (lenient !== undefined) return read(lenient.document, lenient.problems, text);
    const { syntaxProblems } = await import("./syntax_problems.ts");
    return { blank: [], problems: syntaxProblems(text, error.message), text };
  }
}

/** Signs of a mistake in a text that can be read: an item below a value, a dash, a special space, an open quote, a tab. */
const SUSPICIOUS = [
  /^( *)(?:- +)?[\w-]+: +[^\s#|>'"[{&*!][^\n]*\n(?:\s*\n)?\1 +- /m,
  /^ *[–—−‐‑•] /m,
  /^ *[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/m,
  /^ *(?:- *)?(?:-|[A-Za-z_][\w-]*:)[\u00a0\u2000-\u200b\u202f\u3000\ufeff]/m,
  /^ *(?:- +)?[\w-]+: +(["'])(?:(?!\1).)*\r?\n *(?:- +)?[\w-]+:\s/m,
  /^ *\t\s*[\w-]+:\s/m,
];

function read(document: unknown, problems: Problem[], text: string): YamlDocument {
  const blank = isMap(document)
    ? Object.keys(document).filter((key) => document[key] === null)
    : [];
  return { document: normalize(document), blank, problems, text };
}

function fault(message: string): YamlDocument {
  return {
    blank: [],
    problems: [{ severity: "error", path: [], message, line: 1, column: 1 }],
    text: "",
  };
}
