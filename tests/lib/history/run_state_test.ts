import { assertEquals } from "@std/assert";
import {
  formatRunState,
  loadStoredRunState,
  mergePending,
  parseRunState,
  placeStoredRunState,
  type StoredRunState,
} from "../../../lib/history/run_state.ts";
import type { Streak } from "../../../lib/evaluation/results.ts";
import { MemoryStore } from "../../helpers/memory_store.ts";
import { NOW } from "../../helpers/outcomes.ts";

const STREAK: Streak = {
  failing: { runs: 1, attempts: 3, since: NOW },
  slow: [null, NOW],
  recent: "ued",
};

function runStateOf(sites: Record<string, unknown>): StoredRunState {
  return {
    run: "9f3c01ab",
    time: NOW,
    rows: [],
    outbox: [],
    sites,
    failedCanaries: 2,
  } as StoredRunState;
}

function sitesAfter(sites: Record<string, unknown>): Record<string, unknown> {
  return parseRunState(formatRunState(runStateOf(sites))).runState!.sites;
}

Deno.test("a run state keeps the streak of a site whatever its slug is", () => {
  const slugs = ["shop", "constructor", "prototype", "__proto__", "1", "ünï"];
  const after = sitesAfter(Object.fromEntries(slugs.map((slug) => [slug, STREAK])));
  assertEquals(new Map(Object.entries(after)), new Map(slugs.map((slug) => [slug, STREAK])));
});

Deno.test("a run state keeps the results of a location whatever its id is, and drops only invalid ones", () => {
  const locations = { frankfurt: "00000001", constructor: "00000002", "prototype 2/3": "00000003" };
  const after = (stored: object) =>
    parseRunState(formatRunState({ ...runStateOf({}), locations: stored as typeof locations }))
      .runState!.locations;
  assertEquals(after({ ...locations, oslo: 7 }), locations);
});

Deno.test("a run state keeps the heartbeats of a job, and drops only invalid ones", () => {
  const end = { kind: "fail", at: NOW, sent: NOW.add({ hours: 1 }), code: 3, duration: 7.5 };
  const job = { ...STREAK, heartbeat: { since: NOW, end, start: { kind: "start", at: NOW } } };
  const [half, none] = [{ since: NOW, end: { kind: "?" } }, { since: "once" }];
  const sites = { job, half: { ...STREAK, heartbeat: half }, none: { ...STREAK, heartbeat: none } };
  const after = sitesAfter(sites) as Record<string, { heartbeat?: { end?: unknown } }>;
  assertEquals(after["job"], job);
  assertEquals([after["half"]!.heartbeat!.end, after["none"]!.heartbeat], [undefined, undefined]);
});

Deno.test("a run state drops an invalid streak, and no other", () => {
  const impossible: Record<string, unknown> = {
    negative: { ...STREAK, failing: { runs: -5, attempts: 3, since: NOW } },
    half: { ...STREAK, failing: { runs: 0.5, attempts: 3, since: NOW } },
    letters: { ...STREAK, recent: "u?<b>" },
    list: [],
    nothing: null,
  };
  assertEquals(sitesAfter({ ...impossible, shop: STREAK }), { shop: STREAK });
});

Deno.test("of two run states the mutes of both count, and the later one of a site", async () => {
  const mute = (by: string, minutes: number) => {
    const at = NOW.add({ minutes });
    return { by, at, until: at.add({ hours: 2 }) };
  };
  // A person has muted sites beside the older one, while a run made the newer one.
  const older = { ...runStateOf({}), mutes: { shop: mute("ann", 5), blog: mute("ann", 1) } };
  const newer = {
    ...{ ...runStateOf({}), time: NOW.add({ minutes: 3 }), run: "9f3c01ac" },
    mutes: { shop: mute("bob", 2), blog: mute("bob", 3) },
  };
  const expected = { run: newer.run, mutes: { shop: older.mutes.shop, blog: newer.mutes.blog } };
  const pending = mergePending(formatRunState(newer), formatRunState(older));
  const { run, mutes } = parseRunState(pending).runState!;
  assertEquals({ run, mutes }, expected);

  const store = new MemoryStore();
  const { files } = placeStoredRunState(older, { takesRef: false });
  const author = { name: "Jo", email: "jo@example.com" };
  await store.publish(() =>
    Promise.resolve({ run: older.run, time: NOW, files, message: "Mute", author })
  );
  store.pending = formatRunState(newer);
  const loaded = (await loadStoredRunState(await store.read())).runState!;
  assertEquals({ run: loaded.run, mutes: loaded.mutes }, expected);
});
