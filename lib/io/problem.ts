import { plainText } from "../text/plain_text.ts";

export interface Problem {
  /** `error`: the part is not used; `warning`: used, but probably not as meant; `notice`: information. */
  severity: "error" | "warning" | "notice";
  /** The keys that lead to the place, such as `["sites", 2, "port"]`; empty for the file as a whole. */
  path: readonly (string | number)[];
  /** The mistake, the expected and the found value, without a full stop. */
  message: string;
  /** True if only this value is ignored, and what it belongs to is used without it. */
  isIgnored?: true;
  /** The notification channel that can't be used because of it, such as `notification channel slack`. */
  channel?: string;
  line?: number;
  /** Column in the line, from 1. */
  column?: number;
}

/** Formats a path on one line, such as `sites[2].port`. */
export function formatPath(path: Problem["path"]): string {
  return plainText(path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? key : `${text}.${key}`;
  }, ""));
}

/** Formats a problem on one line, with its place first. */
export function formatProblem(problem: Problem, file: string): string {
  const place = problem.line === undefined
    ? file
    : `${file}:${problem.line}:${problem.column ?? 1}`;
  const path = formatPath(problem.path);
  return path === "" ? `${place}: ${problem.message}` : `${place} ${path}: ${problem.message}`;
}

/** True if no part of the configuration was left out. */
export function isUsable(problems: readonly Problem[]): boolean {
  return problems.every(({ severity }) => severity !== "error");
}

/** True if a notification channel can't be used at all. */
export function hasUnusableChannel(problems: readonly Problem[]): boolean {
  return problems.some(({ channel }) => channel !== undefined);
}
