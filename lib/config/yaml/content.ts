import { NO_RECORDS, type RecordedSlugs } from "../kept_slugs.ts";
import { parseConfig, type ParsedConfig } from "../parse.ts";
import type { Problem } from "../../io/problem.ts";

/** Bytes that a configuration may have: the longest that anybody wrote has a tenth of it. */
const LARGEST = 1_000_000;

/** Reads the content of a configuration's file; `known` and `records` as for {@linkcode parseConfig}. */
export async function parseContent(
  content: Uint8Array,
  known: readonly string[] = [],
  records: RecordedSlugs = NO_RECORDS,
): Promise<ParsedConfig> {
  if (content.length > LARGEST) {
    const megabytes = (content.length / 1e6).toFixed(1);
    return refused(fault(`has ${megabytes} MB; a configuration has at most 1 MB`, 1, 1));
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    return await parseConfig(text, known, records);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return refused(badEncoding(content));
  }
}

/** The place of the first byte that is not UTF-8. */
function badEncoding(content: Uint8Array): Problem {
  if (/^(?:fffe|feff)/.test(content.subarray(0, 2).toHex())) {
    return fault("is UTF-16: save it as UTF-8", 1, 1);
  }
  const text = new TextDecoder().decode(content);
  const before = text.slice(0, text.indexOf("\ufffd")).split("\n");
  return fault(
    "is not UTF-8 from here on: save it as UTF-8",
    before.length,
    before.at(-1)!.length + 1,
  );
}

function refused(problem: Problem): ParsedConfig {
  return { problems: [problem], credentials: [] };
}

function fault(message: string, line: number, column: number): Problem {
  return { severity: "error", path: [], message, line, column };
}
