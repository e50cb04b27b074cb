import { isDeepStrictEqual } from "node:util";
import { parse, YamlSyntaxError } from "@std/yaml";
import type { Problem } from "../../io/problem.ts";
import { isMap } from "../document.ts";

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

/** Parses YAML 1.2, {@linkcode normalize}d; a text that can't be parsed gives the problem with its place. */
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

interface Fault {
  message: string;
  line: number;
  column: number;
  isTooDeep?: true;
}

/** Parses YAML 1.2, {@linkcode normalize}d, or finds the first error as the parser words it. */
export function parseYaml(text: string): { document?: unknown; fault?: Fault } {
  try {
    return { document: normalize(parse(text, { schema: "core" })) };
  } catch (error) {
    if (error instanceof RangeError) {
      const message = "is nested too deeply to be read";
      return { fault: { message, line: 1, column: 1, isTooDeep: true } };
    }
    if (!(error instanceof YamlSyntaxError)) throw error;
    const [, message = "", line = "1", column = "1"] =
      /^(?:Cannot [^:]*: )?(.*?)(?: at line (\d+), column (\d+)|\n|$)/.exec(error.message) ?? [];
    const last = text.split("\n").length;
    return { fault: { message, line: Math.min(Number(line), last), column: Number(column) } };
  }
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
  const written = listSites(normalize(parse(text, { schema: "failsafe" })));
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

/**
 * Merges maps in place of `<<`, the first of several winning and the map's own keys before all of them, and
 * drops keys without a value; `sites:` without one is an empty list. Shared and circular parts stay shared,
 * so that a document that is small as text stays small.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(normalize({ "<<": [{ a: 1 }, { a: 2, b: 2 }], b: 3, c: null }), { a: 1, b: 3 });
 * ```
 */
export function normalize(document: unknown): unknown {
  const done = new Map<object, unknown>();
  const visit = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (done.has(value)) return done.get(value);
    const result: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
    done.set(value, result);
    if (Array.isArray(result)) result.push(...(value as unknown[]).map(visit));
    else fill(result, value as Record<string, unknown>, visit);
    return result;
  };
  const isBlank = isMap(document) && document["sites"] === null;
  return visit(isBlank ? { ...document, sites: [] } : document);
}

function fill(
  result: Record<string, unknown>,
  { "<<": merged, ...own }: Record<string, unknown>,
  visit: (value: unknown) => unknown,
): void {
  const bases = [merged ?? []].flat().map(visit);
  const usable = bases.every(isMap) ? bases.filter(isMap) : [{ "<<": merged }];
  for (const map of [own, ...usable]) {
    for (const [key, entry] of Object.entries(map)) {
      if (entry === null || Object.hasOwn(result, key)) continue;
      // Unlike an assignment, this treats `__proto__` as a key like any other.
      const descriptor = { enumerable: true, writable: true, configurable: true };
      Object.defineProperty(result, key, { value: visit(entry), ...descriptor });
    }
  }
}
