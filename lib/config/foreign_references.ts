import { isMap } from "./maps.ts";
import type { Problem } from "./problem.ts";

const FOREIGN = /\$\{\{?\s*(?:secrets\.|env\.)?([A-Za-z_]\w*)\s*\}\}?/;
const REFERENCE = /\$([A-Z_][A-Z0-9_]*)(?![A-Za-z0-9_])/g;

/** A text of the configuration, and where it stands. */
type Text = [path: Problem["path"], text: string];

/**
 * A warning for each text with a secret in a spelling of workflows or of the shell, which is sent as
 * it stands.
 */
export function foreignReferences(value: unknown, path: Problem["path"]): Problem[] {
  return textsIn(value, path).flatMap(([at, text]): Problem[] => {
    const [written, name] = FOREIGN.exec(text) ?? [];
    if (written === undefined) return [];
    const message = `"${written}" is not replaced and is sent as it stands: a secret is $${name}`;
    return [{ severity: "warning", path: at, message }];
  });
}

/** Names of the secrets that the texts of a value refer to, sorted. */
export function secretNames(value: unknown): string[] {
  const names = textsIn(value, []).flatMap(([, text]) =>
    [...text.matchAll(REFERENCE)].map(([, name]) => name!)
  );
  return [...new Set(names)].sort();
}

/** Every text within a value; what is shared or circular is looked at once. */
function textsIn(value: unknown, path: Problem["path"], seen = new Set<object>()): Text[] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => textsIn(item, [...path, index], seen));
  }
  return isMap(value)
    ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key], seen))
    : [];
}
