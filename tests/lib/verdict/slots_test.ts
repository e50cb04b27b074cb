import { assertEquals } from "@std/assert";
import { Slots } from "../../../lib/verdict/slots.ts";

/** Runs so many actions at once and tells how many of them ran at the same time. */
async function most(slots: Slots, actions: number): Promise<number> {
  let running = 0;
  let most = 0;
  await Promise.all(Array.from({ length: actions }, () =>
    slots.use(async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
    })));
  return most;
}

Deno.test("Slots lets as many actions run at once as there are slots, again and again", async () => {
  for (const size of [1, 3]) {
    const slots = new Slots(size);
    for (let round = 1; round <= 3; round++) assertEquals(await most(slots, 10), size);
    assertEquals(await most(slots, 1), 1);
  }
});

Deno.test("Slots gives a slot back where an action fails", async () => {
  const slots = new Slots(1);
  const failing = [1, 2].map(() => slots.use(() => Promise.reject(new Error("no"))));
  const settled = await Promise.allSettled(failing);
  assertEquals(settled.map(({ status }) => status), ["rejected", "rejected"]);
  assertEquals(await slots.use(() => Promise.resolve("yes")), "yes");
});
