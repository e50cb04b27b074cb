import type { Message } from "../../../lib/notifications/message.ts";
import { hostileText } from "../hostile_text.ts";
import fc from "../property.ts";
import { manyEvents, messageOf } from "./messages.ts";

export const KINDS = ["down", "degraded", "up", "test"] as const;

/** Texts that mean as much as possible to some vendor. */
function meaningful(): fc.Arbitrary<string> {
  const parts = fc.constantFrom(
    ...["@everyone", "@here", "<!channel>", "<!here|x>", "<@U123>", "<@&123>", "<#123>", "<:a:12>"],
    ...["<https://a.example|b>", "https://a.example/x_y_z", "evil.example", "/start", "#tag"],
    ...["[a](https://a.example)", "<at>x</at>", "{{DATE(2026-01-01T00:00:00Z)}}", "<t:1:R>"],
    ...["%%% **b** %%%", "<b>x</b>", "<a href='x'>", "&lt;b&gt;", "||spoiler||", "`code`", "```"],
    ...[
      "> quote",
      "# title",
      "- item",
      "1. item",
      "-# small",
      "\\",
      "*b*",
      "_i_",
      "~s~",
      ":smile:",
    ],
  );
  return fc.oneof(
    fc.array(parts, { minLength: 1, maxLength: 5 }).map((some) => some.join(" ")),
    hostileText(),
  );
}

/** Texts of third parties in every field of an event that may contain them. */
export function hostileMessages(): fc.Arbitrary<Message> {
  return fc.tuple(
    meaningful(),
    meaningful(),
    fc.constantFrom(...KINDS),
    fc.integer({ min: 1, max: 6 }),
  )
    .map(([name, error, kind, count]) =>
      messageOf(...manyEvents(count, { name, error, kind, url: undefined }))
    );
}
