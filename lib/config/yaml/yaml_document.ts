import { parse, YamlSyntaxError } from "@std/yaml";
import { isMap } from "./maps.ts";
import { normalize } from "./normal.ts";
import type { Problem } from "../problem.ts";

/** What a text says, or why it says nothing. */
export interface YamlDocument {
  /** The document, normalized; absent where the text can't be read. */
  document?: unknown;
  /** Keys of the top level that stand there without a value; the document lacks them. */
  blank: string[];
  problems: Problem[];
}

/** Reads a text as YAML 1.2, and tells everything that keeps it from being that, with its place. */
export async function readYaml(text: string): Promise<YamlDocument> {
  try {
    return read(parse(text, { schema: "core" }), []);
  } catch (error) {
    if (error instanceof RangeError) return fault("is nested too deeply to be read");
    if (!(error instanceof YamlSyntaxError)) throw error;
    const { readLeniently, syntaxProblems } = await import("./positions.ts");
    const lenient = readLeniently(text);
    return lenient === undefined
      ? { blank: [], problems: syntaxProblems(text, error.message) }
      : read(lenient.document, lenient.problems);
  }
}

function read(document: unknown, problems: Problem[]): YamlDocument {
  const blank = isMap(document)
    ? Object.keys(document).filter((key) => document[key] === null)
    : [];
  return { document: normalize(document), blank, problems };
}

function fault(message: string): YamlDocument {
  return { blank: [], problems: [{ severity: "error", path: [], message, line: 1, column: 1 }] };
}
