import { assertEquals } from "@std/assert";
import { STORIES } from "../helpers/maintenance_stories.ts";
import { playStory } from "../helpers/maintenance_story.ts";

const NOTHING = { incidents: [], alerts: [], issues: [], windows: [] };

Deno.test("windows come to the incidents, alerts, states and uptime that they should, over whole runs", async (t) => {
  for (const [name, { expected, ...story }] of Object.entries(STORIES)) {
    await t.step(name, async () => {
      assertEquals(await playStory(story), { ...NOTHING, ...expected });
    });
  }
});
