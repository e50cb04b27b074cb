import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** The contexts of expressions, by name. */
export type Contexts = Readonly<Record<string, unknown>>;

/** The status of the steps so far, for GitHub's status functions. */
export type JobStatus = "success" | "failure";

const STATUS_FUNCTIONS = /\b(?:success|failure|always|cancelled)\s*\(/;

/** A text with its expressions evaluated, by GitHub's own evaluator. */
export function interpolate(text: string, contexts: Contexts): string {
  return text.replace(
    /\$\{\{(.*?)\}\}/gs,
    (_, expression: string) => evaluate(expression, contexts).coerceString(),
  );
}

/** True if a condition holds; without a status function it also requires success. */
export function isMet(
  condition: string | boolean | undefined,
  contexts: Contexts,
  status: JobStatus,
): boolean {
  if (condition === undefined) return status === "success";
  const expression = String(condition).replace(/^\s*\$\{\{(.*)\}\}\s*$/s, "$1");
  if (!STATUS_FUNCTIONS.test(expression) && status !== "success") return false;
  return truth(evaluate(expression, contexts, status));
}

function truth(value: data.ExpressionData): boolean {
  const { kind } = value;
  if (kind === data.Kind.Null) return false;
  if (kind === data.Kind.Boolean) return (value as data.BooleanData).value;
  if (kind === data.Kind.Number) return (value as data.NumberData).value !== 0;
  if (kind === data.Kind.String) return (value as data.StringData).value !== "";
  return true;
}

function evaluate(
  expression: string,
  contexts: Contexts,
  status: JobStatus = "success",
): data.ExpressionData {
  const statusFunction = (name: string, value: boolean) => ({
    name,
    description: name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(value),
  });
  const functions = [
    statusFunction("success", status === "success"),
    statusFunction("failure", status === "failure"),
    statusFunction("always", true),
    statusFunction("cancelled", false),
  ];
  const { tokens } = new Lexer(expression.trim()).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, toData(contexts) as data.Dictionary, known).evaluate();
}

function toData(value: unknown): data.ExpressionData {
  if (value === undefined || value === null) return new data.Null();
  if (typeof value === "boolean") return new data.BooleanData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (Array.isArray(value)) return new data.Array(...value.map(toData));
  if (typeof value !== "object") return new data.StringData(String(value));
  const pairs = Object.entries(value).map(([key, item]) => ({ key, value: toData(item) }));
  return new data.Dictionary(...pairs);
}
