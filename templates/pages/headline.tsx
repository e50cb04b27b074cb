import { OVERALL_STATES } from "../../lib/page/overall.ts";
import type { OverallWords } from "./describe_overall.tsx";
import { ChecksUpTo, Shape } from "./parts.tsx";
import type { PageView } from "./view.ts";

/** The overall status of all sites, or of those of a group that is `called` so. */
export function Headline({ view, words, least, called }: {
  view: PageView;
  words: OverallWords;
  /** Index of the least rule, by what people report. */
  least?: number;
  called?: string;
}) {
  const { overall, sentence, elements, isOwn, line } = words;
  const state = OVERALL_STATES[overall];
  const word = <span class="word">{sentence}</span>;
  return (
    <section
      class={`hero ${state}`}
      data-overall={overall === "nothingMonitored" ? undefined : true}
      data-least={least}
    >
      <h1>
        <Shape of={state} /> {called === undefined ? word : (
          <span>
            <span class="called" dir="auto">{called}</span> {word}
          </span>
        )}
      </h1>
      {line !== "" && (
        <p class="line" data-own={isOwn} dir={isOwn ? "auto" : undefined}>{elements}</p>
      )}
      {overall !== "nothingCurrent" && overall !== "nothingMonitored" && <ChecksUpTo view={view} />}
    </section>
  );
}
