import { AsyncLocalStorage } from "node:async_hooks";

/** Codes of terminals (ECMA-48, SGR) that start and end a color. */
const CODES = [[36, 39], [2, 22], [32, 39], [31, 39], [33, 39]] as const;

/**
 * Marks in painted texts: noncharacters of Unicode, kept for the inside of a program. Each of the first
 * starts a color; the last ends one. Terminals get no control sequences but those that the marks stand for.
 */
const FIRST = 0xfdd0;
const END = "\ufdef";
const MARKS = /[\ufdd0-\ufdef]/g;

const enabled = new AsyncLocalStorage<boolean>();

/** Colors for parts of a line of the terminal. They are off outside of {@linkcode withPaint}. */
export const paint = {
  cyan: inRun(0),
  dim: inRun(1),
  green: inRun(2),
  red: inRun(3),
  yellow: inRun(4),
};

export function withPaint<T>(isEnabled: boolean, action: () => T): T {
  return enabled.run(isEnabled, action);
}

function inRun(color: number): (text: string) => string {
  const start = String.fromCharCode(FIRST + color);
  return (text) => enabled.getStore() === true ? start + text + END : text;
}

/**
 * A painted text as a terminal takes it, or without colors if they are off.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * const shown = withPaint(true, () => renderPaint(paint.dim(`a ${paint.red("b")} c`)));
 * assertEquals(shown, "\x1b[2ma \x1b[31mb\x1b[39m c\x1b[22m");
 * ```
 */
export function renderPaint(text: string): string {
  if (enabled.getStore() !== true) return withoutPaint(text);
  const open: (typeof CODES[number])[] = [];
  const sgr = (code: number) => `\x1b[${code}m`;
  const close = () => {
    const [, end] = open.pop() ?? [];
    const outer = open.findLast(([, other]) => other === end);
    return end === undefined ? "" : sgr(outer?.[0] ?? end);
  };
  const shown = text.replace(MARKS, (mark) => {
    if (mark === END) return close();
    const codes = CODES[mark.charCodeAt(0) - FIRST];
    if (codes === undefined) return "";
    open.push(codes);
    return sgr(codes[0]);
  });
  return shown + open.toReversed().map(close).join("");
}

/** A painted text without its marks. */
export function withoutPaint(text: string): string {
  return text.replace(MARKS, "");
}
