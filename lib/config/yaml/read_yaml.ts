import { isDeepStrictEqual } from "node:util";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";
import { parseAsWritten, parseYaml } from "./parse_yaml.ts";

/** Bytes that a configuration may have: 1 kB for each of 10,000 sites. */
const LARGEST = 10_000_000;

export function decodeYaml(content: Uint8Array): { text: string } | { problem: Problem } {
  const fault = (message: string, before = [""]): { problem: Problem } => {
    const place = { line: before.length, column: before.at(-1)!.length + 1 };
    return { problem: { severity: "error", path: [], message, ...place } };
  };
  if (content.length > LARGEST) {
    return fault(`has ${(content.length / 1e6).toFixed(1)} MB; a configuration has at most 10 MB`);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(content) };
  } catch {
    const text = new TextDecoder().decode(content);
    const before = text.slice(0, text.indexOf("\ufffd")).split("\n");
    return fault("is not UTF-8 from here on: save it as UTF-8", before);
  }
}

/** Parses YAML 1.2, with `<<` merged; a text that can't be parsed gives the problem with its place. */
export async function readYaml(text: string): Promise<{ document?: unknown; problem?: Problem }> {
  const { fault, ...read } = parseYaml(text);
  if (fault === undefined) return read;
  const { message, line, column } = fault;
  const { findSyntaxError } = await import("./positions.ts");
  const sign = message.includes("alias") ? "*" : message.includes("tag") ? "!" : "";
  const cure = sign && `: a text that starts with ${sign} must be quoted`;
  const problem: Problem = { severity: "error", path: [], message: message + cure, line, column };
  return { problem: fault.isTooDeep ? problem : findSyntaxError(text, line) ?? problem };
}

/** True if two texts of YAML mean the same. */
export async function isSameYaml(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(readYaml));
  return one === other || first!.problem === undefined && isDeepStrictEqual(first, second);
}

/** Keys whose numbers keep their source text. */
const NAMES = ["name", "slug", "dependsOn"];

/** Replaces names of sites that YAML reads as numbers by their source text: `007` stays `007`. */
export function withNamesAsWritten(document: unknown, text: string): unknown {
  const sites = listSites(document);
  const numbered = (site: unknown) =>
    isMap(site) ? NAMES.filter((key) => typeof site[key] === "number") : [];
  if (!isMap(document) || sites.every((site) => numbered(site).length === 0)) return document;
  const written = listSites(parseAsWritten(text));
  const named = sites.map((site, index) => {
    const source = written[index];
    const names = numbered(site).map((key) => [key, isMap(source) ? source[key] : undefined]);
    return isMap(site) ? { ...site, ...Object.fromEntries(names) } : site;
  });
  return { ...document, sites: named };
}

function listSites(document: unknown): unknown[] {
  return isMap(document) && Array.isArray(document["sites"]) ? document["sites"] : [];
}
