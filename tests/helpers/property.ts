/** fast-check with the seed that all property tests share. Tests import it from here alone. */
import fc from "fast-check";

/** Seed of everything random in the tests: fixed, so that a failure is one of the change at hand. */
export const SEED = parseSeed(Deno.env.get("PROPERTY_SEED") ?? "");

const isThorough = Deno.env.get("THOROUGH") === "1";

fc.configureGlobal({ seed: SEED, numRuns: isThorough ? 60 : 10 });

/** Number of runs of an expensive property: `usual`, and more in `deno task test:thorough`. */
export function runs(usual: number, thorough = 2 * usual): number {
  return isThorough ? thorough : usual;
}

/** Texts of any code points; fast-check's own unit "binary" takes a second to start. */
export function anyText(constraints: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const points = fc.oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  return fc.array(points, constraints).map((all) => String.fromCodePoint(...all));
}

export default fc;

/** @throws {RangeError} If the text is no whole number of 32 bits. */
function parseSeed(text: string): number {
  const seed = text === "" ? 1 : Number(text);
  if ((seed | 0) === seed) return seed;
  throw new RangeError(
    `PROPERTY_SEED is "${text}": set it to a whole number of 32 bits, such as 7`,
  );
}
