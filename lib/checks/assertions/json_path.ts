import { EVERY, type Path } from "../../config/checks/assertions/assertion.ts";
import { isMap } from "../../config/document.ts";

/** A value and where it was found. */
export interface Place {
  value: unknown;
  /** Its path, without wildcards. */
  path: string;
}

/**
 * The values that a path leads to.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { EVERY } from "../../config/checks/assertions/assertion.ts";
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
