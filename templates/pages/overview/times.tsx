import type { View } from "../page.ts";
import { Time } from "../parts/time.tsx";

/** Up to when the page tells of checks, and when it was made. */
export function Times({ view: { checks, language, built } }: { view: View }) {
  return (
    <p class="times">
      {checks === undefined ? language.say("noChecks") : language.tell("checksUpTo", {
        TIME: (
          <span class="newest">
            <Time at={checks} language={language} />
          </span>
        ),
      })}
      {" · "}
      {language.tell("pageBuilt", { TIME: <Time at={built} language={language} /> })}
    </p>
  );
}
