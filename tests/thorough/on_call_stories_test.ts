import { STORIES_OF_PEOPLE } from "../helpers/on_call_people.ts";
import { playStory } from "../helpers/on_call_player.ts";
import { STORIES } from "../helpers/on_call_stories.ts";
import { makeScratch } from "../helpers/scratch.ts";

for (const story of [...STORIES, ...STORIES_OF_PEOPLE]) {
  Deno.test(`on call, ${story.what}`, async () => {
    await using scratch = await makeScratch();
    await playStory(story, scratch);
  });
}
