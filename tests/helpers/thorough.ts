/** How often something is tried: seldom while one works on the program, often where `THOROUGH` is set, as CI does. */
export function times(usually: number, thoroughly: number): number {
  return Deno.env.get("THOROUGH") ? thoroughly : usually;
}
