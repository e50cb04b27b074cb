import { assertEquals } from "@std/assert";
import type { CheckRow } from "../../../lib/history/checks_log.ts";
import { expiredLogs, keptRows } from "../../../lib/history/expired_logs.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";

const TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");
const AUTHOR = { name: "Jo", email: "jo@example.com" };

function row(day: string, slug: string): CheckRow {
  const time = Temporal.Instant.from(`${day}T23:55:00Z`);
  return { time, run: "9f3c01ab", slug, state: "up", code: 200, attempts: 1 };
}

Deno.test("rows that wait are dropped where their log went, and kept where their day is not rolled up", async () => {
  const store = new MemoryStore();
  const files = new Map([[
    "history/daily/2026.csv",
    "date,slug,checks\n2026-11-10,shop,288\n2026-11-20,shop,288\n",
  ]]);
  await store.publish(() =>
    Promise.resolve({ run: "9f3c01ab", time: TIME, files, message: "Roll up", author: AUTHOR })
  );
  const snapshot = await store.read();
  assertEquals(await expiredLogs(snapshot, TIME, 1), []);
  const kept = [row("2026-11-10", "blog"), row("2026-11-20", "shop"), row("2026-11-21", "shop")];
  assertEquals(await keptRows(snapshot, [row("2026-11-10", "shop"), ...kept], TIME, 1), kept);
});
