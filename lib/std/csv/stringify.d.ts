export interface StringifyOptions {
  headers?: boolean;
  crlf?: boolean;
}
export function stringify(
  rows: readonly (readonly unknown[])[],
  options?: StringifyOptions,
): string;
