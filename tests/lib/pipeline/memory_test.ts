import { assertEquals } from "@std/assert";
import { formatMemory, type Memory, parseMemory } from "../../../lib/pipeline/memory.ts";
import type { Streak } from "../../../lib/evaluation/results.ts";
import { NOW } from "../../helpers/outcomes.ts";

const STREAK: Streak = {
  failing: { runs: 1, attempts: 3, since: NOW },
  slow: [null, NOW],
  recent: "ued",
};

function memoryOf(sites: Record<string, unknown>): Memory {
  return { run: "9f3c01ab", time: NOW, rows: [], outbox: [], sites, failedCanaries: 2 } as Memory;
}

function sitesAfter(sites: Record<string, unknown>): Record<string, unknown> {
  return parseMemory(formatMemory(memoryOf(sites))).memory!.sites;
}

Deno.test("a memory keeps the streak of a site whatever its slug is", () => {
  const slugs = ["shop", "constructor", "prototype", "__proto__", "1", "ünï"];
  const after = sitesAfter(Object.fromEntries(slugs.map((slug) => [slug, STREAK])));
  assertEquals(new Map(Object.entries(after)), new Map(slugs.map((slug) => [slug, STREAK])));
});

Deno.test("a memory forgets a streak that can't be, and no other", () => {
  const impossible: Record<string, unknown> = {
    negative: { ...STREAK, failing: { runs: -5, attempts: 3, since: NOW } },
    half: { ...STREAK, failing: { runs: 0.5, attempts: 3, since: NOW } },
    letters: { ...STREAK, recent: "u?<b>" },
    list: [],
    nothing: null,
  };
  assertEquals(sitesAfter({ ...impossible, shop: STREAK }), { shop: STREAK });
});
