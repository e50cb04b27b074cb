import { delay } from "@std/async/delay";

/** Limit that only guards against hanging, in milliseconds. */
const LIMIT = 60_000;

/** Waits until a claim is true: repeats its assertions, and throws the one that still fails after a minute. */
export async function eventually(claim: () => Promise<void>): Promise<void> {
  const end = performance.now() + LIMIT;
  while (true) {
    try {
      return await claim();
    } catch (error) {
      const isFalse = error instanceof Error && error.name === "AssertionError";
      if (!isFalse || performance.now() > end) throw error;
    }
    await delay(20);
  }
}
