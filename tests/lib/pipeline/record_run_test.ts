import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import type { Published } from "../../../lib/history/store/store.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf } from "../../helpers/outcomes.ts";
import { configWith, recordResults } from "../../helpers/runs.ts";

/** A store that refuses the publications of some numbers, counted from 1. */
class FailingStore extends MemoryStore {
  count = 0;
  failing: readonly number[] = [];

  override publish(decide: Parameters<MemoryStore["publish"]>[0]): Promise<Published> {
    this.count++;
    if (this.failing.includes(this.count)) return Promise.reject(new Error("no answer"));
    return super.publish(decide);
  }
}

/** Shop and Post with one channel, recorded minutes after each other, and what was sent. */
async function rig() {
  const text = JSON.stringify({
    sites: ["Shop", "Post"].map((name) => ({ name, url: "https://example.com/" })),
    notifications: [{ type: "webhook", url: "https://hooks.example.com/" }],
  });
  const config = (await parseConfig(text)).config!;
  const channels = toSubscribers(config);
  const store = new FailingStore();
  const sent: string[] = [];
  const handlers = {
    message: {
      claimMinutes: 3,
      execute: ({ id }: { id: string }) => {
        sent.push(id);
        return Promise.resolve({ answer: "ok" });
      },
    },
  };
  const run = async (id: string, minute: number, shop: "up" | "down") => {
    const time = NOW.add({ minutes: minute });
    const notes: string[] = [];
    const at = { began: time, confirmed: time };
    const results = config.sites.map((site, index) =>
      resultOf(site, index === 0 ? shop : "up", at)
    );
    const { failure, executed } = await recordResults(store, {
      run: { id, time },
      results,
      config: configWith({ commitEvery: 0 }),
      targets: { handlers, channels },
      onUnnoted: ({ message }) => void notes.push(message),
    });
    return { isRecorded: failure === undefined, executed: executed.length, notes };
  };
  return { store, sent, run };
}

Deno.test("a run is one push, and one more for the receipts if it had effects", async () => {
  const { store, sent, run } = await rig();
  assertEquals(await run("00000001", 0, "up"), { isRecorded: true, executed: 0, notes: [] });
  assertEquals(store.count, 1);
  assertEquals(await run("00000002", 5, "down"), { isRecorded: true, executed: 1, notes: [] });
  assertEquals([store.count, sent.length], [3, 1]);
});

Deno.test("a message is sent though nothing could be recorded, and by the next run with the same id", async () => {
  const { store, sent, run } = await rig();
  await run("00000001", 0, "up");
  store.failing = [store.count + 1];
  assertEquals(await run("00000002", 5, "down"), { isRecorded: false, executed: 1, notes: [] });
  assertEquals(store.count, 2);
  await run("00000003", 10, "down");
  await run("00000004", 15, "down");
  assertEquals([sent.length, new Set(sent).size], [2, 1]);
});

Deno.test("a run whose receipts can't be noted says so, and the message is sent again with the same id", async () => {
  const { store, sent, run } = await rig();
  await run("00000001", 0, "up");
  store.failing = [store.count + 2];
  assertEquals(await run("00000002", 5, "down"), {
    isRecorded: true,
    executed: 1,
    notes: ["no answer"],
  });
  await run("00000003", 10, "down");
  assertEquals([sent.length, new Set(sent).size], [2, 1]);
});
