import type { MessageKey } from "../../../lib/text/messages/messages.ts";
import type { State } from "../../../lib/state.ts";
import { changesOf, type IncidentChange } from "../../incidents/incident_changes.ts";
import type { IncidentProps } from "./incident_props.ts";
import { Shape } from "../parts/shape.tsx";
import { Time } from "../parts/time.tsx";

const WORDS = {
  down: ["courseDown", "down"],
  degraded: ["courseDegraded", "degraded"],
  ended: ["courseEnded", "up"],
  reopened: ["courseReopened", "down"],
} as const satisfies Record<IncidentChange["word"], readonly [MessageKey, State]>;

/** How checks saw an incident of a site get worse, better, or go on; nothing where it began and ended alone. */
export function Course({ incident, view: { language } }: IncidentProps) {
  const changes = changesOf(incident);
  if (changes.every(({ word }, index) => index === 0 || word === "ended") && changes.length <= 2) {
    return null;
  }
  return (
    <section>
      <h2>{language.say("course")}</h2>
      <ol class="card course">
        {changes.map(({ at, word }) => (
          <li>
            <Shape of={WORDS[word][1]} /> {language.say(WORDS[word][0])}{" "}
            <Time at={at} language={language} />
          </li>
        ))}
      </ol>
    </section>
  );
}
