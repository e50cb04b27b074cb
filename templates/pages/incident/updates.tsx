import { PHASE_WORDS } from "../incident_words.ts";
import type { IncidentProps } from "./incident_props.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Time } from "../parts/time.tsx";

/** What people wrote on an incident, the newest first; `source` is where they did. */
export function Updates(
  { incident: { updates }, view, link, source }: IncidentProps & {
    source?: string;
  },
) {
  const { language } = view;
  const newestFirst = [...updates.entries()].reverse();
  return (
    <section>
      <h2>{language.say("timeline")}</h2>
      {updates.length === 0 && <p class="card none">{language.say("noUpdates")}</p>}
      {updates.length > 0 && (
        <ol class="updates">
          {newestFirst.map(([index, { at, phase, text }]) => (
            <li>
              <article class="card update">
                <h3>{language.say(phase === undefined ? "update" : PHASE_WORDS[phase])}</h3>
                <p class="muted">
                  <Time at={at} language={language} />
                </p>
                <Markdown
                  text={text}
                  prefix={`u${index + 1}-`}
                  {...{ under: 3, view, link, source }}
                />
              </article>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
