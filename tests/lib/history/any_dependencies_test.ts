import { assert, assertEquals } from "@std/assert";
import { isSuppressed } from "../../../lib/incidents/plan_incident.ts";
import { DependentLife } from "../../helpers/dependent_life.ts";
import fc, { runs } from "../../helpers/property.ts";
import type { Keys } from "../../helpers/sites.ts";

const SITES = 4;
const ADDRESS = "router.lan:22";
const SLUGS = Array.from({ length: SITES }, (_, index) => `site-${index}`);
const LETTER = fc.constantFrom("u", "u", "u", "d", "d", "d", "e", "?", "D", "U");
const RUN = fc.record({
  results: fc.tuple(LETTER, LETTER, LETTER, LETTER),
  address: fc.constantFrom("u", "d", "d", "?"),
  forgets: fc.constantFrom(false, false, false, false, false, false, false, true),
});
const WORLD = fc.record({
  runs: fc.array(RUN, { minLength: 3, maxLength: 25 }),
  // If each site depends on each of those before it, and on the address.
  edges: fc.array(fc.boolean(), { minLength: SITES * SITES, maxLength: SITES * SITES }),
  thresholds: fc.tuple(...SLUGS.map(() => fc.constantFrom(1, 1, 2, 3))),
  isReversed: fc.boolean(),
});

/** Each site depends on some of those before it, by a random order of the list. */
function sitesOf(
  edges: readonly boolean[],
  thresholds: readonly number[],
): (Keys & { needs: string[] })[] {
  return SLUGS.map((slug, index) => {
    const own = SLUGS.slice(0, index).filter((_, other) => edges[index * SITES + other]);
    const needs = [...own, ...edges[index * SITES + SITES - 1] && index > 0 ? [ADDRESS] : []];
    return {
      slug,
      name: slug,
      needs,
      dependsOn: needs,
      failureThreshold: thresholds[index],
      flapThreshold: 1,
      reopenWithin: 0,
    };
  });
}

Deno.test("whatever fails in any order, a suppressed site is not notified before its cause is up; all else is once", async () => {
  await fc.assert(
    fc.asyncProperty(WORLD, async ({ runs, edges, thresholds, isReversed }) => {
      const sites = sitesOf(edges, thresholds);
      const listed = sites.map(({ needs: _, ...keys }) => keys);
      const life = await DependentLife.begin(isReversed ? listed.reverse() : listed);
      const conditions = new Map<string, string>();
      const notified = new Map<string, string>();
      const incidents = new Set<string>();
      // Channels are notified of these once more, because their state was lost.
      const lost = new Set<string>();
      for (const { results, address, forgets } of runs) {
        // The state of channels for a site without results is lost with the run state.
        if (forgets && results.every((letter) => "ude".includes(letter))) {
          life.forget();
          for (const slug of notified.keys()) lost.add(slug);
        }
        const letters = Object.fromEntries(SLUGS.map((slug, index) => [slug, results[index]!]));
        const { events, states } = await life.run(letters, { [ADDRESS]: address });
        for (const [slug, state] of Object.entries(states)) {
          if (["up", "degraded", "down"].includes(state)) conditions.set(slug, state);
        }
        const isDown = (need: string) =>
          need === ADDRESS
            ? address === "d"
            : states[need] === "down" || (letters[need] === "?" && conditions.get(need) === "down");
        for (const { slug, kind, reminder, incident } of events) {
          if (reminder) continue;
          incidents.add(incident);
          const before = notified.get(slug) ?? "up";
          const isRepeated = before === kind;
          assert(!isRepeated || lost.delete(slug), `${slug} is notified as ${kind} twice`);
          if (isRepeated) continue;
          notified.set(slug, kind);
          if (kind === "up" || before === "down") continue;
          const { needs } = sites.find((site) => site.slug === slug)!;
          assertEquals(needs.filter(isDown), [], `${slug} is notified too early`);
        }
        for (const { slug, needs } of sites) {
          const isFirm = needs.every((need) =>
            need === ADDRESS ? address === "u" : "ue".includes(letters[need]!)
          );
          if (isFirm && states[slug as string] === "down") {
            assertEquals(notified.get(slug as string), "down", `${slug} is not notified`);
          }
        }
      }
      for (const [id, incident] of life.incidents()) {
        assertEquals(incidents.has(id), !isSuppressed(incident), id);
      }
    }),
    { numRuns: runs(10, 80) },
  );
});
