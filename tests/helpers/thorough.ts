/** How often something is tried: seldom while one works on the program, often where `THOROUGH` is set, as CI does. */
export function times(usually: number, thoroughly: number): number {
  return isThorough() ? thoroughly : usually;
}

/** The first of the ways in which something is tried; all of them where `THOROUGH` is set. */
export function some<T>(ways: readonly T[], usually: number): readonly T[] {
  return ways.slice(0, times(usually, ways.length));
}

/** A slow test beside others of its kind: it is run where `THOROUGH` is set. */
export function thoroughly(name: string, test: () => void | Promise<void>): void {
  if (isThorough()) Deno.test(name, test);
}

/** Whether everything is tried. */
export function isThorough(): boolean {
  return Deno.env.get("THOROUGH") !== undefined && Deno.env.get("THOROUGH") !== "";
}
