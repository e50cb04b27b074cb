import { assertEquals } from "@std/assert";
import {
  formatRunState,
  parseRunState,
  type StoredRunState,
} from "../../../lib/history/run_state.ts";
import type { Streak } from "../../../lib/evaluation/results.ts";
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

Deno.test("a run state drops a streak that can't be, and no other", () => {
  const impossible: Record<string, unknown> = {
    negative: { ...STREAK, failing: { runs: -5, attempts: 3, since: NOW } },
    half: { ...STREAK, failing: { runs: 0.5, attempts: 3, since: NOW } },
    letters: { ...STREAK, recent: "u?<b>" },
    list: [],
    nothing: null,
  };
  assertEquals(sitesAfter({ ...impossible, shop: STREAK }), { shop: STREAK });
});
