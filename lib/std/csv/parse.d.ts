export interface ParseOptions {
  skipFirstRow?: false;
  lazyQuotes?: boolean;
  fieldsPerRecord?: number;
}
export function parse(text: string, options?: ParseOptions): string[][];
