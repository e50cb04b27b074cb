import type { View } from "../page.ts";
import { Time } from "../parts/time.tsx";

/** The time of the last check. */
export function Times({ view: { checks, language } }: { view: View }) {
  return (
    <p class="times">
      {checks === undefined ? language.say("noChecks") : language.tell("checksUpTo", {
        TIME: (
          <span class="newest">
            <Time at={checks} language={language} />
          </span>
        ),
      })}
    </p>
  );
}
