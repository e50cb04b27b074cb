import * as v from "valibot";
import { about, expected, list, map, optional, pattern, text } from "../keys/values.ts";
import { ASSERTION_KEYS, needsBody } from "./assertions/keys.ts";
import { AssertionError, parseSource, type Source } from "./assertions/parse.ts";
import { listTexts } from "../document.ts";
import { REQUEST_KEYS } from "./request_keys.ts";

/** Refers to a value that an earlier step has saved. */
const SAVED = /\{\{\s*([\w-]+)\s*\}\}/g;

/** A path, or an address whose host no answer can choose. */
const STEP_URL = /^(?:\/|\$[A-Za-z_]\w*(?:[/?#]|$)|https?:\/\/[^/?#{]+(?:[/?#]|$))/i;

const { assert, contains } = ASSERTION_KEYS;

const STEP = map({
  url: about(
    "Path on the host of the site, or an address.",
    pattern(STEP_URL, "a path such as /login, or an address such as https://example.com/login"),
  ),
  ...REQUEST_KEYS,
  assert,
  contains,
  save: optional(
    'Values for later steps by name, such as `token: json $.token`, which they use as "{{token}}".',
    v.record(
      pattern(/^[A-Za-z][\w-]*$/, "a name of letters, digits, - and _"),
      v.pipe(text("a place such as json $.token"), v.rawTransform(readSource)),
      expected("a map with names and places such as json $.token"),
    ),
    {},
  ),
}, "a map with url");

export type Step = v.InferOutput<typeof STEP>;

export const STEPS_KEY = {
  steps: optional(
    "http: requests made in order; if one fails, the site fails.",
    v.pipe(
      list(STEP, "a list of steps"),
      v.nonEmpty("expected at least one step"),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return;
        for (const { step, key, message } of findFaults(dataset.value)) {
          addIssue({ message, path: [item(dataset.value, step), item(dataset.value[step], key)] });
        }
      }),
    ),
  ),
};

type Fault = { step: number; key: keyof Step; message: string };

/** Finds values that no earlier step saves, and assertions on bodies that don't exist. */
function findFaults(steps: readonly Step[]): Fault[] {
  const saved = new Set<string>();
  return steps.flatMap((step, index): Fault[] => {
    const ofBody = (["assert", "contains"] as const).find((key) => needsBody(step[key]));
    const faults: Fault[] = step.method === "HEAD" && ofBody !== undefined
      ? [{
        step: index,
        key: ofBody,
        message: "an answer to HEAD has no body that could be asserted",
      }]
      : [];
    for (const key of ["url", "headers", "body", "assert", "contains"] as const) {
      const names = listTexts(step[key]).flatMap(([, text]) => listSavedNames(text));
      const name = names.find((name) => !saved.has(name));
      if (name === undefined) continue;
      faults.push({ step: index, key, message: `{{${name}}} is saved by no earlier step` });
    }
    for (const name of Object.keys(step.save)) saved.add(name);
    return faults;
  });
}

function listSavedNames(text: string): string[] {
  return [...text.matchAll(SAVED)].map(([, name]) => name!);
}

function readSource(
  { dataset: { value }, addIssue, NEVER }: v.RawTransformContext<string>,
): Source {
  try {
    return parseSource(value);
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    addIssue({ message: error.message });
    return NEVER;
  }
}

/** A step of the path of an issue. */
function item(input: unknown, key: string | number): v.IssuePathItem {
  return { type: "unknown", origin: "value", input, key, value: undefined };
}
