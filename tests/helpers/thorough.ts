/** How often something is tried: seldom while one works on the program, often if `THOROUGH` is set, as in CI. */
export function times(usually: number, thoroughly: number): number {
  return isThorough() ? thoroughly : usually;
}

/** The first of the ways in which something is tried; all of them where `THOROUGH` is set. */
export function some<T>(ways: readonly T[], usually: number): readonly T[] {
  return ways.slice(0, times(usually, ways.length));
}

/** A slow test beside others of its kind: it is ignored, and counted as such, unless `THOROUGH` is set. */
export function thoroughly(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: !isThorough(), fn });
}

/** Whether everything is tried. */
export function isThorough(): boolean {
  return Deno.env.get("THOROUGH") !== undefined && Deno.env.get("THOROUGH") !== "";
}
