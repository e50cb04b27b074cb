import { assert, assertEquals } from "@std/assert";
import { configOf } from "../helpers/sites.ts";
import { VirtualClock } from "../helpers/virtual_clock.ts";
import type { Observation, ProbeContext } from "../../lib/checks/observation.ts";
import type { Site } from "../../lib/config/config.ts";
import { checkSites } from "../../lib/evaluation/check_sites.ts";
import { confirm } from "../../lib/evaluation/confirm.ts";
import type { ProbeResult, Streak } from "../../lib/evaluation/results.ts";
import { check, type CheckOptions, NONE, UNTOUCHED } from "../helpers/checked_sites.ts";

Deno.test("however many sites hang, each is checked within three runs; skipped ones are reported and come first", async () => {
  const clock = new VirtualClock(Temporal.Instant.from("2026-11-21T10:00:00Z"));
  const [hanging, healthy] = ["https://a.example", "https://b.example"];
  const sites = [
    ...Array.from({ length: 70 }, () => ({ url: hanging })),
    ...Array.from({ length: 10 }, () => ({ url: healthy })),
  ];
  const probeSite = async ({ url }: Site, { signal }: ProbeContext): Promise<Observation> => {
    await clock.wait(url === hanging ? 40_000 : 2, signal);
    const failure = { kind: "network", reason: "aborted" } as const;
    return { code: 200, responseTime: 2, ...url === hanging ? { failure } : {} };
  };
  const top = { concurrency: 4, runDeadline: 1.2 };
  let before: CheckOptions["before"];
  const wereAsked = new Set<string>();
  let results: readonly ProbeResult[] = [];
  for (let run = 1; run <= 3; run++) {
    results = await clock.until(check(sites, { top, before, clock, probeSite }));
    const skipped = results.filter(({ missing }) => missing === "notAsked");
    for (const { state, error, attempts } of skipped) {
      assertEquals([state, error, attempts], ["unknown", "not asked: the run was out of time", 0]);
    }
    for (const { site, missing } of results) if (missing !== "notAsked") wereAsked.add(site.name);
    if (run === 1) assert(skipped.length > 0, "a run that asks all of them proves nothing");
    before = new Map(results.map(({ site: { name }, state, missing }) => [name, {
      isDown: state === "down",
      runsNotAsked: missing === "notAsked" ? (before?.get(name)?.runsNotAsked ?? 0) + 1 : 0,
      wasUnfinished: missing === "unfinished" ||
        (missing === "notAsked" && before?.get(name)?.wasUnfinished === true),
    }]));
  }
  assertEquals(wereAsked.size, sites.length);
  assertEquals(results.slice(70).map(({ state }) => state), Array(10).fill("up"));
});

Deno.test("sites that hang for longer than a run keep no healthy site from being checked in every run", async () => {
  for (
    const { runDeadline, firstRun } of [{ runDeadline: 20, firstRun: 1 }, {
      runDeadline: 3,
      firstRun: 3,
    }]
  ) {
    const clock = new VirtualClock(Temporal.Instant.from("2026-11-21T10:00:00Z"));
    const keys = Array.from({ length: 400 }, (_, index) => ({
      name: `Site ${index}`,
      url: "https://a.example",
    }));
    const { sites, ...config } = await configOf(keys, { runDeadline, concurrency: 4 });
    const hanging = new Set(sites.slice(0, 320).map(({ slug }) => slug));
    let streaks = new Map<string, Streak>();
    for (let run = 1; run <= 4; run++) {
      const results = await clock.until(checkSites({ ...config, sites }, {
        ...UNTOUCHED,
        clock,
        async probeSite({ slug }, { signal }) {
          await clock.wait(hanging.has(slug) ? 40_000 : 100, signal);
          const failure = { kind: "network", reason: "aborted" } as const;
          return { code: 200, responseTime: 100, ...hanging.has(slug) ? { failure } : {} };
        },
        earlier: Promise.resolve({
          canaries: NONE,
          isKnownDown: () => false,
          runsNotAsked: ({ slug }) => streaks.get(slug)?.notAsked ?? 0,
          wasUnfinished: ({ slug }) => streaks.get(slug)?.unfinished === true,
        }),
        onResult: () => {},
      }));
      streaks = new Map(results.map((result) => {
        const { slug } = result.site;
        return [slug, confirm(result, { streak: streaks.get(slug) }).streak];
      }));
      const healthy = results.filter(({ state }) => state === "up").length;
      if (run >= firstRun) assertEquals([runDeadline, run, healthy], [runDeadline, run, 80]);
    }
  }
});
