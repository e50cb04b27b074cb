import { writeHistory } from "./written_history.ts";

export const CONFIG = `slo: 99.9
sites:
  - { name: Shop, url: https://shop.example.com }
  - { name: "日本 | <b>", slug: ja, url: $ADDRESS, group: Far }
  - { name: New, url: https://new.example.com }
`;

/** Writes a history of two days up to now in which the shop is down since two hours, and returns now. */
export async function writeTwoDays(folder: string): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  const ago = (minutes: number) => now.subtract({ minutes });
  await writeHistory(folder, [
    { slug: "shop", outages: [{ from: ago(125), error: "connection refused", issue: 12 }] },
    { slug: "ja" },
  ], { from: ago(2880), to: ago(5) });
  return now;
}
