/** Options of {@linkcode parse}: the schema `core` is YAML 1.2 without dates. */
export interface ParseOptions {
  schema?: "failsafe" | "json" | "core" | "default" | "extended";
  allowDuplicateKeys?: boolean;
}
export interface StringifyOptions {
  lineWidth?: number;
  schema?: "failsafe" | "json" | "core" | "default" | "extended";
  skipInvalid?: boolean;
}
/** Thrown by {@linkcode parse} for a text that isn't YAML. */
export class YamlSyntaxError extends SyntaxError {}
export function parse(content: string, options?: ParseOptions): unknown;
export function stringify(data: unknown, options?: StringifyOptions): string;
