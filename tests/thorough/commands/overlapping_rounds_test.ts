import { assertEquals } from "@std/assert";
import { SEED } from "../../helpers/property.ts";
import { seededRandom } from "../../helpers/seeded_random.ts";
import { findMistakes, inventStories, toWorld } from "../../helpers/site_stories.ts";
import { watchWorld } from "../../helpers/watched_sites.ts";

Deno.test("each site of a random story is watched as if it were alone", async () => {
  const random = seededRandom(SEED);
  const stories = inventStories(random, 1_500);
  const watched = await watchWorld(toWorld(stories, random));
  assertEquals(findMistakes(stories, watched), [], JSON.stringify(stories));
});
