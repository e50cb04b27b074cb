import { isMap } from "../../config/yaml/maps.ts";
import type { Scanner } from "./scanner.ts";

/** Steps down into JSON: a name, a place in a list (from the end where negative), or every value. */
export type Path = readonly (string | number | typeof EVERY)[];

/** The step of `*`. */
export const EVERY = Symbol("*");

/** A value and where it was found. */
export interface Place {
  value: unknown;
  /** Its path, without wildcards. */
  path: string;
}

const NAME = /\.(?:(\*)|([\p{L}\p{N}_$-]+))/uy;
const BRACKETS = /\[\s*(?:(\*)|(-?\d{1,9})|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/y;

/**
 * Takes a path, such as `$.checks[0]['disk space'].status`.
 *
 * @throws {AssertionFault} Where something else stands there.
 */
export function takePath(scanner: Scanner): Path {
  const { at } = scanner;
  const root = scanner.take(/\$/y);
  const word = scanner.take(/[\p{L}_][\p{L}\p{N}_.[\]-]*/uy)?.[0];
  if (root === undefined || word !== undefined) {
    const hint = word === undefined ? undefined : `did you mean $.${word}?`;
    throw scanner.fault("a path such as $.status", { at, hint });
  }
  const path: (string | number | typeof EVERY)[] = [];
  for (let step = takeStep(scanner); step !== undefined; step = takeStep(scanner)) path.push(step);
  return path;
}

function takeStep(scanner: Scanner): Path[number] | undefined {
  const [, star, name] = scanner.take(NAME) ?? [];
  if (star !== undefined) return EVERY;
  if (name !== undefined) return name;
  const [, all, index, single, double] = scanner.take(BRACKETS) ?? [];
  if (all !== undefined) return EVERY;
  if (index !== undefined) return Number(index);
  const quoted = single ?? double;
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
  const { at } = scanner;
  if (scanner.take(/\./y) !== undefined) throw scanner.fault("a name or *");
  if (scanner.take(/\[/y) !== undefined) {
    throw scanner.fault("a number, * or a name in quotes, and a ]", { at: at + 1 });
  }
  return undefined;
}

/**
 * The values that a path leads to.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const json = { checks: [{ ok: true }, { ok: false }, {}] };
 * assertEquals(valuesAt(json, ["checks", EVERY, "ok"]), [
 *   { value: true, path: "$.checks[0].ok" },
 *   { value: false, path: "$.checks[1].ok" },
 * ]);
 * ```
 */
export function valuesAt(json: unknown, path: Path): Place[] {
  return path.reduce<Place[]>(
    (places, step) => places.flatMap((place) => within(place, step)),
    [{ value: json, path: "$" }],
  );
}

function within({ value, path }: Place, step: Path[number]): Place[] {
  if (Array.isArray(value)) {
    const place = (index: number) => ({ value: value[index], path: `${path}[${index}]` });
    if (step === EVERY) return value.map((_, index) => place(index));
    const index = typeof step === "number" && step < 0 ? value.length + step : step;
    return typeof index === "number" && index >= 0 && index < value.length ? [place(index)] : [];
  }
  if (!isMap(value)) return [];
  const names = step === EVERY ? Object.keys(value) : [String(step)];
  return names.filter((name) => Object.hasOwn(value, name)).map((name) => ({
    value: value[name],
    path: /^[\p{L}\p{N}_$-]+$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`,
  }));
}
