import { assert, assertEquals } from "@std/assert";
import type { Incident } from "../../../lib/history/incident.ts";
import { NOW, resultOf } from "../../helpers/outcomes.ts";
import fc from "../../helpers/property.ts";
import { SimulatedHistory } from "../../helpers/simulated_history.ts";
import { configOf } from "../../helpers/sites.ts";
import { windowsOf } from "../../helpers/windows.ts";

const KEYS = fc.record({
  failureThreshold: fc.integer({ min: 1, max: 4 }),
  degradedRuns: fc.constantFrom([1, 1], [2, 3], [3, 3]),
  flapThreshold: fc.constantFrom(0.2, 0.5, 1),
});
const LOOKS = fc.array(
  fc.record({
    state: fc.constantFrom("up", "up", "down", "degraded", "unknown"),
    minutes: fc.constantFrom(1, 5, 5, 5, 360),
    window: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 60 },
);

interface Look {
  state: string;
  minutes: number;
  window: boolean;
}

/** The incidents of a site, and what people were told of them, in order. */
async function play(keys: Record<string, unknown>, looks: readonly Look[], isReread: boolean) {
  const [site] = (await configOf([{ url: "https://example.com", slug: "shop", ...keys }])).sites;
  const history = new SimulatedHistory();
  const told: string[] = [];
  let time = NOW;
  for (const [index, { state, minutes, window }] of looks.entries()) {
    time = time.add({ minutes });
    const look = resultOf(site!, state as "up", { began: time, confirmed: time });
    const windows = window ? windowsOf(["shop"], time.add({ minutes: 1 })) : undefined;
    const [outcome] = history.add([look], { id: String(index), time }, windows);
    if (outcome!.incident !== undefined) told.push(outcome!.incident.action);
    if (isReread) history.writeAndRead();
  }
  return { incidents: [...history.incidents.values()], told };
}

function assertInOrder(incidents: readonly Incident[]): void {
  for (const [index, { start, end }] of incidents.entries()) {
    assert(end === undefined || Temporal.Instant.compare(start, end) <= 0, `${start} ${end}`);
    const next = incidents[index + 1];
    if (next === undefined) continue;
    assert(end !== undefined && Temporal.Instant.compare(end, next.start) <= 0);
  }
}

Deno.test("whatever is seen, incidents of a site follow each other, end after they start, and open and close by turns", async () => {
  await fc.assert(
    fc.asyncProperty(KEYS, LOOKS, async (keys, looks) => {
      const { incidents, told } = await play(keys, looks, false);
      assertInOrder(incidents);
      const turns = told.filter((action) => action !== "update");
      for (const [index, action] of turns.entries()) {
        const expected = index === 0 ? ["open"] : index % 2 === 0 ? ["open", "reopen"] : ["close"];
        assert(expected.includes(action), told.join());
      }
    }),
  );
});

Deno.test(
  "the same observations in the same order mean the same, whether one process makes all runs or each makes one",
  async () => {
    await fc.assert(
      fc.asyncProperty(KEYS, LOOKS, async (keys, looks) => {
        assertEquals(await play(keys, looks, true), await play(keys, looks, false));
      }),
    );
  },
);
