import * as v from "valibot";
import type { GitHub } from "../../github/github.ts";
import type { Effect, EffectHandler, Receipt } from "../../outbox/effect.ts";
import { createGitHubHandler, unknownEffect } from "../github_effects.ts";

const REACTION_EFFECT = v.object({
  comment: v.number(),
  answer: v.picklist(["+1", "confused"]),
});

/** Plans the answer to a command in a comment: 👍 if it was done, 😕 if not. */
export function planReaction(
  { comment, issue, isDone, subject = String(comment) }: {
    comment: number;
    issue: number;
    isDone: boolean;
    /** Identifies what is answered once. @default The comment */
    subject?: string;
  },
): Effect {
  const data: v.InferOutput<typeof REACTION_EFFECT> = {
    comment,
    answer: isDone ? "+1" : "confused",
  };
  return {
    id: `reaction/${subject}`,
    handler: "reaction",
    description: `answer a command in issue #${issue}`,
    data,
  };
}

export function createReactionHandler(github: GitHub | undefined): EffectHandler {
  return createGitHubHandler(github, async (github, { data }): Promise<Receipt> => {
    const { success, output } = v.safeParse(REACTION_EFFECT, data);
    if (!success) throw unknownEffect();
    await github.react(output.comment, output.answer);
    return {};
  });
}
