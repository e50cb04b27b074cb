import { assertEquals } from "@std/assert";
import { appendRows, type CheckRow, checksPath } from "../../../lib/history/checks_log.ts";
import { expiredLogs } from "../../../lib/history/expired_logs.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";

const TIME = Temporal.Instant.from("2026-11-21T10:05:00Z");
const AUTHOR = { name: "Jo", email: "jo@example.com" };

function row(day: string, slug: string): CheckRow {
  const time = Temporal.Instant.from(`${day}T23:55:00Z`);
  return { time, run: "9f3c01ab", slug, state: "up", code: 200, attempts: 1 };
}

Deno.test("a log expires once the row of its day counts all of its checks", async () => {
  const store = new MemoryStore();
  const logs = [row("2026-11-08", "shop"), row("2026-11-10", "shop"), row("2026-11-11", "blog")];
  const files = new Map([
    ...logs.map((own) => [checksPath(own.time), appendRows(undefined, [own])] as const),
    ["history/daily/2026.csv", "date,slug,checks\n2026-11-10,shop,1\n2026-11-11,shop,288\n"],
  ]);
  await store.publish(() =>
    Promise.resolve({ run: "9f3c01ab", time: TIME, files, message: "Roll up", author: AUTHOR })
  );
  const snapshot = await store.read();
  assertEquals(await expiredLogs(snapshot, TIME, 10), ["history/checks/2026-11-10.csv"]);
  assertEquals(await expiredLogs(snapshot, TIME, 20), []);
});
