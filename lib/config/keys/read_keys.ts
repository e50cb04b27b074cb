import * as v from "valibot";
import { type KeyProblem, keyProblem } from "./values.ts";

/** What could be read of a map: each wrong key is reported and stands at its default. */
export interface Read<Keys extends v.ObjectEntries> {
  values: v.InferOutput<v.ObjectSchema<Keys, undefined>>;
  problems: KeyProblem[];
  /** The keys that were there and right, as written. */
  accepted: Record<string, unknown>;
}

/** Reads the optional keys of a map one by one, so that one wrong key costs nothing but itself. */
export function readKeys<const Keys extends v.ObjectEntries>(
  keys: Keys,
  input: Readonly<Record<string, unknown>>,
): Read<Keys> {
  const problems: KeyProblem[] = [];
  const accepted: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(keys)) {
    if (!Object.hasOwn(input, key)) continue;
    const { success, issues = [] } = v.safeParse(v.object({ [key]: schema }), {
      [key]: input[key],
    });
    if (success) accepted[key] = input[key];
    problems.push(...issues.map(keyProblem));
  }
  return { values: v.parse(v.object(keys), accepted), problems, accepted };
}
