import * as v from "valibot";
import { shorten } from "../../text/plain_text.ts";
import type { Problem } from "../../io/problem.ts";
import { publicUrl } from "../../io/secrets/url_credentials.ts";
import { hiddenHint } from "../yaml/lookalikes.ts";

/** Quotes a value for an error message, without credentials of an address, and names what can't be seen in it. */
export function found(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return JSON.stringify(value);
  return JSON.stringify(shorten(publicUrl(value), 60)) + hiddenHint(value);
}

export function expected(what: string): (issue: v.BaseIssue<unknown>) => string {
  return (issue) => `expected ${what}, found ${found(issue.input)}`;
}

/** {@linkcode expected} of an item, which may belong to another list if it is of the wrong kind. */
export function expectedItem(
  what: string,
  isOfOthers: (item: unknown) => boolean,
): (issue: v.BaseIssue<unknown>) => string {
  return (issue) => expected(`${what}${isOfOthers(issue.input) ? OTHER_LIST : ""}`)(issue);
}

/** The hint for an item that no item of its list is like. */
export const OTHER_LIST = ", or the key of another list above it";

export function about<T extends v.GenericSchema>(meaning: string, schema: T) {
  return v.pipe(schema, v.description<v.InferOutput<T>, string>(meaning));
}

type About<T extends v.GenericSchema> = ReturnType<typeof about<T>>;

export function optional<T extends v.GenericSchema>(
  meaning: string,
  schema: T,
): v.OptionalSchema<About<T>, undefined>;
export function optional<
  T extends v.GenericSchema,
  const D extends v.Default<About<T>, undefined>,
>(meaning: string, schema: T, value: D): v.OptionalSchema<About<T>, D>;
export function optional(meaning: string, schema: v.GenericSchema, value?: never) {
  return v.optional(about(meaning, schema), value);
}

export function text(what = "a text") {
  return v.pipe(v.string(expected(what)), v.regex(/\S/, expected(what)));
}

/** A text for which a number is taken as well, because YAML reads many a name as one. */
export function textOrNumber(what: string, message = expected(what)) {
  return v.pipe(
    v.union([text(what), v.pipe(v.number(), v.finite(expected(what)))], message),
    v.transform(String),
  );
}

export function flag() {
  return v.boolean(expected("true or false"));
}

export function pattern(regex: RegExp, what: string) {
  return v.pipe(v.string(expected(what)), v.regex(regex, expected(what)));
}

/** A text that `parse` reads; it returns nothing for any other text. */
export function parsed<T extends string>(what: string, parse: (text: string) => T | undefined) {
  return v.pipe(
    v.string(expected(what)),
    v.check((input) => parse(input) !== undefined, expected(what)),
    v.transform((input) => parse(input)!),
  );
}

export function number(min: number, max: number) {
  const message = expected(`a number from ${min} to ${max}`);
  return v.pipe(v.number(message), v.minValue(min, message), v.maxValue(max, message));
}

export function integer(min: number, max: number, what = "a whole number") {
  const message = expected(`${what} from ${min} to ${max}`);
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
}

export function list<T extends v.GenericSchema>(item: T, what = "a list") {
  return v.array(item, expected(what));
}

/** A list of names, for which numbers are taken as well. */
export function names(what: string) {
  return list(textOrNumber(what), `a list with ${what} in each line`);
}

export function accounts() {
  const account = v.pipe(
    textOrNumber("an account", expectedItem("an account", (item) => typeof item === "object")),
    v.regex(/^[A-Za-z\d][\w-]*(?:\[bot\])?$/, expected("an account")),
  );
  return list(account, "a list with an account in each line");
}

/** A map with the keys given; others are reported elsewhere. */
export function map<T extends v.ObjectEntries>(entries: T, what = "a map") {
  return v.object(entries, expected(what));
}

export function word<const T extends readonly string[]>(words: T) {
  return v.picklist(words, expected(`one of ${words.join(", ")}`));
}

export function port() {
  const what = "a port from 1 to 65535";
  return v.pipe(
    v.union([integer(1, 65_535, "a port"), pattern(PORT, what)], expected(what)),
    v.transform(String),
  );
}

const PORT =
  /^(?:\$[A-Za-z_]\w*|[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/;

/** Mark of a key that has no effect: a notice for one of another program, a warning for one that had an effect. */
export interface NoEffect {
  severity: "notice" | "warning";
}

/** Keys that have no effect: any value, with the reason. */
export function withoutEffect(
  reasons: Readonly<Record<string, string>>,
  severity: NoEffect["severity"] = "notice",
) {
  return Object.fromEntries(
    Object.entries(reasons).map(([key, reason]): [string, v.GenericSchema] => [
      key,
      noEffect(reason, severity),
    ]),
  );
}

/** A single key of {@linkcode withoutEffect}. */
export function noEffect(reason: string, severity: NoEffect["severity"]) {
  return v.optional(v.pipe(about(reason, v.unknown()), v.metadata({ severity })));
}

export interface KeyProblem extends Omit<Problem, "severity"> {
  /** @default "error" */
  severity?: Problem["severity"];
}

export function readWhole<T extends v.GenericSchema>(
  schema: T,
  value: unknown,
): { output?: v.InferOutput<T>; problems: KeyProblem[] } {
  // The first rule that a value breaks is enough: later ones repeat the same words.
  const { success, output, issues = [] } = v.safeParse(schema, value, { abortPipeEarly: true });
  return { ...success ? { output } : {}, problems: issues.map(keyProblem) };
}

/** Converts an issue of the validation; of a union, the issue within its value. */
function keyProblem(issue: v.BaseIssue<unknown>): KeyProblem {
  const path = (issue.path ?? []).map(({ key }) => typeof key === "number" ? key : String(key));
  // A list is no map of its indexes.
  const ofList = (type: string) => !Array.isArray(issue.input) || type !== "strict_object";
  const inner = issue.issues?.find(({ path, type }) => path !== undefined && ofList(type));
  if (inner !== undefined) {
    const problem = keyProblem(inner);
    return { ...problem, path: [...path, ...problem.path] };
  }
  const isMissing = issue.path !== undefined && issue.received === "undefined";
  return { path, message: isMissing ? "is missing" : issue.message };
}
