import type { Problem } from "../../io/problem.ts";
import { textsIn } from "../document.ts";

const FOREIGN = /\$\{\{?\s*(?:secrets\.|env\.)?([A-Za-z_]\w*)\s*\}\}?/;

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
