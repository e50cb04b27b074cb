import { assertEquals } from "@std/assert";
import { repetitions } from "../helpers/repetitions.ts";
import { SEED } from "../helpers/property.ts";
import { seededRandom } from "../helpers/seeded_random.ts";
import { findMistakes, inventStories, toWorld } from "../helpers/site_stories.ts";
import { watchWorld } from "../helpers/watched_sites.ts";

Deno.test("sites in overlapping rounds are watched as if each were alone", async (test) => {
  const count = repetitions(8, 60);
  for (let seed = SEED; seed < SEED + count; seed++) {
    await test.step(`PROPERTY_SEED=${seed}`, async () => {
      const random = seededRandom(seed);
      const stories = inventStories(random);
      const watched = await watchWorld(toWorld(stories, random));
      assertEquals(findMistakes(stories, watched), [], JSON.stringify(stories));
    });
  }
});
