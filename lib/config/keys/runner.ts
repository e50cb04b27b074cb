import * as v from "valibot";
import { WORKFLOW_KEYS, type WorkflowKey } from "../workflows.ts";
import { expected, list } from "./values.ts";

/** Labels of the machine that each workflow runs on, at least one. */
export type Runner = Readonly<Record<WorkflowKey, readonly string[]>>;

/** Where jobs run when nothing is said. */
export const USUAL_RUNNER = "ubuntu-latest";

const WHAT = "a label, a list of labels, or a map of such with the keys default, " +
  WORKFLOW_KEYS.join(", ");

/** Labels of machines: for all workflows, or by workflow; `default` is for those that are not named. */
export function runner() {
  return v.pipe(
    v.union([label(), labels(), byWorkflow()], expected(WHAT)),
    v.transform((value): Runner => {
      const named = typeof value === "object" && !Array.isArray(value) ? value : { default: value };
      const { default: usual = USUAL_RUNNER } = named;
      const each = WORKFLOW_KEYS.map((key) => [key, labelsOf(named[key] ?? usual)]);
      return Object.fromEntries(each) as Runner;
    }),
  );
}

type Labels = string | string[];

function byWorkflow() {
  const one = () => v.optional(v.union([label(), labels()], expected("a label or a list of them")));
  const entries = Object.fromEntries(
    WORKFLOW_KEYS.map((key) => [key, one()]),
  ) as Record<WorkflowKey, ReturnType<typeof one>>;
  return v.strictObject(
    { default: one(), ...entries },
    expected(`one of default, ${WORKFLOW_KEYS.join(", ")}`),
  );
}

function labels() {
  const message = expected("a list with a label in each line");
  return v.pipe(list(label()), v.minLength(1, message));
}

/** A name without signs that steer anything, and without an expression of GitHub. */
function label() {
  const message = expected("a label such as ubuntu-latest or self-hosted, without ${{");
  return v.pipe(
    v.string(message),
    v.regex(/^(?!.*\$\{\{)[^\p{C}\p{Zl}\p{Zp}]*[^\p{C}\p{Z}][^\p{C}\p{Zl}\p{Zp}]*$/u, message),
    v.maxLength(256, message),
  );
}

/** Upptime's users write a list as the text that stands in a workflow. */
function labelsOf(value: Labels): string[] {
  if (typeof value !== "string") return value;
  const [, inner] = /^\s*\[(.*)\]\s*$/.exec(value) ?? [];
  if (inner === undefined) return [value.trim()];
  const parts = inner.split(",").map((one) => one.trim().replace(/^(["'])(.*)\1$/, "$2"));
  const named = parts.filter((one) => one !== "");
  return named.length === 0 ? [USUAL_RUNNER] : named;
}
