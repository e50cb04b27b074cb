/** Columns of most terminals. */
export const USUAL_COLUMNS = 80;

/** Columns that a line of the output may take; `undefined` where it goes to no terminal. */
export function terminalColumns(): number | undefined {
  // A terminal that does not say how wide it is has 0 columns.
  return Deno.stdout.isTerminal() ? Deno.consoleSize().columns || USUAL_COLUMNS : undefined;
}
