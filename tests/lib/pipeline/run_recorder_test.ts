import { assertEquals } from "@std/assert";
import { parseConfig } from "../../../lib/config/parse.ts";
import type { Published } from "../../../lib/history/store/store.ts";
import { filesTracker } from "../../../lib/incidents/issue_effect.ts";
import { IssueNumbers } from "../../../lib/incidents/issue_handler.ts";
import { toSubscribers } from "../../../lib/notifications/channel_list.ts";
import { loadHistoryState } from "../../../lib/pipeline/history_state.ts";
import { RunRecorder } from "../../../lib/pipeline/run_recorder.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW, resultOf } from "../../helpers/outcomes.ts";
import { SHOWING } from "../../helpers/runs.ts";
import { StillClock } from "../../helpers/still_clock.ts";

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

Deno.test("messages sent after a failed early push are noted by the last push, and never sent again", async () => {
  const text = JSON.stringify({
    sites: ["Shop", "Post"].map((name) => ({ name, url: "https://example.com/" })),
    notifications: [{ type: "webhook", url: "https://hooks.example.com/" }],
  });
  const config = (await parseConfig(text)).config!;
  const [shop, post] = config.sites;
  const channels = toSubscribers(config);
  const store = new FailingStore();
  const sent: string[] = [];
  const run = async (id: string, minute: number, shopState: "up" | "down") => {
    const time = NOW.add({ minutes: minute });
    const clock = new StillClock(time.toString());
    const handlers = {
      message: {
        claimMinutes: 3,
        execute: ({ id }: { id: string }) => {
          sent.push(id);
          return Promise.resolve({ answer: "ok" });
        },
      },
    };
    const scope = { sites: config.sites, configured: config.sites, time, keepDays: 35 };
    const state = await loadHistoryState(await store.read(), scope);
    const notes: string[] = [];
    const recorder = new RunRecorder({ store, state, uncommitted: new Map() }, {
      run: { id, time },
      scope,
      handlers,
      issues: new IssueNumbers(),
      clock,
      dryRun: false,
      redact: (text) => text,
      decide: {
        commitEvery: 0,
        handlers,
        targets: { tracker: filesTracker, dispatches: false, channels },
        showing: SHOWING,
      },
      author: { name: "Jo", email: "jo@example.com" },
      messages: { decision: () => "checks", uncommitted: "", executed: "effects" },
      onUnnoted: ({ message }) => void notes.push(message),
    });
    const at = { began: time, confirmed: time };
    const results = [resultOf(shop!, shopState, at), resultOf(post!, "up", at)];
    const isRecorded = await recorder.recordEarly(results.slice(0, 1));
    await recorder.recordRest(results, {});
    return { isRecorded, notes };
  };
  await run("00000001", 0, "up");
  store.failing = [store.count + 1];
  assertEquals(await run("00000002", 5, "down"), { isRecorded: false, notes: [] });
  assertEquals(sent.length, 1);
  await run("00000003", 15, "down");
  assertEquals(sent.length, 1);
});
