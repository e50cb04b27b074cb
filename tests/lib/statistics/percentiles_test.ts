import { assertEquals } from "@std/assert";
import { percentilesOf } from "../../../lib/statistics/percentiles.ts";
import { percentile } from "../../../lib/statistics/response_times.ts";
import fc from "../../helpers/property.ts";

const SHARES = [0, 0.01, 0.5, 0.95, 0.99, 1];

Deno.test("percentiles are those of the values in order, however many there are and of which kind", () => {
  const whole = fc.nat(300);
  const slow = fc.integer({ min: 4_000, max: 60_000 });
  const value = fc.constantFrom(
    whole,
    fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: slow }),
    fc.oneof(whole, slow),
    fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: fc.constant(12.5) }),
    fc.oneof({ weight: 20, arbitrary: whole }, { weight: 1, arbitrary: fc.constant(-1) }),
  );
  const values = value.chain((one) => fc.array(one, { minLength: 1, maxLength: 120, size: "max" }));
  fc.assert(fc.property(values, (given) => {
    const ascending = Float64Array.from(given).sort();
    assertEquals(
      percentilesOf(Float64Array.from(given), SHARES),
      SHARES.map((share) => percentile(ascending, share)),
    );
  }));
});
