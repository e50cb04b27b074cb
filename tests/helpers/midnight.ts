import { delay } from "@std/async/delay";

const DAY = 86_400_000;

/** Waits for midnight (UTC) if it is less than two minutes away: for tests in which the day must not change. */
export async function keepMidnightOut(): Promise<void> {
  const left = DAY - Date.now() % DAY;
  if (left < 120_000) await delay(left + 1_000);
}
